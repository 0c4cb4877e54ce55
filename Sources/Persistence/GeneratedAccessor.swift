/// An accessor of a to-many relationship that Core Data makes at run time, for the methods that Xcode
/// declares as `@NSManaged func addToSongs(_:)`. Its selector says what it does.
///
/// Core Data: "Dynamically Generated Accessor Methods", and the indexed and unordered accessors of
/// key-value coding.
public struct GeneratedAccessor: Hashable, Sendable {
  enum Action: Hashable {
    case addObject, removeObject, add, remove
    case insertObjectAt, removeObjectAt, insertAt, removeAt, replaceObjectAt, replaceAt
  }

  let action: Action
  /// The key with a capital, as the selector has it.
  private let capitalized: Substring

  /// Nil for a selector that Core Data makes no method for.
  public init?(selector: String) {
    for (action, pattern) in Self.patterns {
      guard let match = selector.wholeMatch(of: pattern) else { continue }
      let keys = match.output.dropFirst().compactMap(\.substring)
      // `replaceSongsAtIndexes:withSongs:` names the key twice.
      guard let key = keys.first, keys.allSatisfy({ $0 == key }) else { continue }
      // `addToSongs:` is no accessor of `toSongs`: it is Xcode's name without its `@objc`.
      if Self.isSwiftName(key, action) { return nil }
      (self.action, capitalized) = (action, key)
      return
    }
    return nil
  }

  private static func isSwiftName(_ key: Substring, _ action: Action) -> Bool {
    switch action {
    case .add: key.contains(/^To\p{Lu}/)
    case .remove: key.contains(/^From\p{Lu}/)
    default: false
    }
  }

  /// The relationships it may be about, the likeliest first: `songs`, `Songs`.
  var keys: [String] {
    [capitalized.prefix(1).lowercased() + capitalized.dropFirst(), String(capitalized)]
  }

  /// The more special ones first: `addSongsObject:` also looks like `addXs:`.
  private static var patterns: [(Action, Regex<AnyRegexOutput>)] {
    [
      (.addObject, Regex(/add(\p{Lu}\w*)Object:/)),
      (.removeObject, Regex(/remove(\p{Lu}\w*)Object:/)),
      (.removeObjectAt, Regex(/removeObjectFrom(\p{Lu}\w*)AtIndex:/)),
      (.removeAt, Regex(/remove(\p{Lu}\w*)AtIndexes:/)),
      (.insertObjectAt, Regex(/insertObject:in(\p{Lu}\w*)AtIndex:/)),
      (.insertAt, Regex(/insert(\p{Lu}\w*):atIndexes:/)),
      (.replaceObjectAt, Regex(/replaceObjectIn(\p{Lu}\w*)AtIndex:withObject:/)),
      (.replaceAt, Regex(/replace(\p{Lu}\w*)AtIndexes:with(\p{Lu}\w*):/)),
      (.add, Regex(/add(\p{Lu}\w*):/)),
      (.remove, Regex(/remove(\p{Lu}\w*):/)),
    ]
  }

  fileprivate var needsOrder: Bool {
    switch action {
    case .addObject, .removeObject, .add, .remove: false
    default: true
    }
  }
}

extension ManagedObject {
  /// Does what Core Data's accessor for `selector` does. A selector of no to-many relationship of the
  /// entity raises, as do arguments that the relationship can't take.
  public final func callManagedAccessor(_ selector: String, _ arguments: Any?...) {
    do {
      guard let accessor = GeneratedAccessor(selector: selector),
        let relationship = relationship(of: accessor)
      else { throw CoreDataError.unrecognized(selector, sentTo: self) }
      let arguments = arguments.map { $0 as Any }
      if accessor.needsOrder {
        changeOrdered(relationship, action: accessor.action, arguments: arguments)
      } else {
        try change(relationship, action: accessor.action, argument: arguments[0])
      }
    } catch { ExceptionTrap.raise(error) }
  }

  private func relationship(of accessor: GeneratedAccessor) -> RelationshipDescription? {
    accessor.keys.lazy.compactMap { self.entity.relationship(named: $0) }
      .first { $0.isToMany && (!accessor.needsOrder || $0.isOrdered) }
  }

  private func change(
    _ relationship: RelationshipDescription, action: GeneratedAccessor.Action, argument: Any
  ) throws {
    for object in try members(argument, for: relationship) {
      switch action {
      case .addObject, .add: try add(object, to: relationship)
      default: remove(object, from: relationship)
      }
    }
  }

  private func changeOrdered(
    _ relationship: RelationshipDescription, action: GeneratedAccessor.Action,
    arguments: [Any]
  ) {
    let members = mutableOrderedSetValue(forKey: relationship.name)
    switch action {
    case .insertObjectAt: members.insert(arguments[0], at: Self.index(arguments[1]))
    case .removeObjectAt: members.removeObject(at: Self.index(arguments[0]))
    case .insertAt: members.insert(Self.list(arguments[0]), at: Self.indexes(arguments[1]))
    case .removeAt: members.removeObjects(at: Self.indexes(arguments[0]))
    case .replaceObjectAt: members.replaceObject(at: Self.index(arguments[0]), with: arguments[1])
    default: members.replaceObjects(at: Self.indexes(arguments[0]), with: Self.list(arguments[1]))
    }
  }

  private func members(
    _ any: Any, for relationship: RelationshipDescription
  ) throws -> [ManagedObject] {
    let members = any is ManagedObject ? [any] : Self.list(any)
    return try members.map {
      guard let object = $0 as? ManagedObject else { throw unacceptable($0, for: relationship) }
      return object
    }
  }

  private static func list(_ any: Any) -> [Any] {
    switch any {
    case let set as NSSet: set.allObjects
    case let set as NSOrderedSet: set.array
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map(\.base)
    case Optional<Any>.none: []
    default: [any]
    }
  }

  private static func index(_ any: Any) -> Int { any as? Int ?? NSNotFound }

  private static func indexes(_ any: Any) -> IndexSet {
    (any as? IndexSet) ?? (any as? NSIndexSet).map { IndexSet($0) } ?? []
  }
}
