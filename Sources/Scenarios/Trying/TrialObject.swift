/// The values that an object of a trial has, by key path from the object that a condition is about.
struct Trial {
  /// The values that are tried for attributes.
  var values: [String: [Value]] = [:]
  /// Which of them an attribute has now.
  var chosen: [String: Int] = [:]
  /// What relationships that lead nowhere lead to now.
  var links: [String: MadeUpLinks] = [:]
  /// Whether those that lead somewhere do so, too.
  var replacesLinks = false
  /// Whether values that are nil stay among those of a collection, as a set of values doesn't have them.
  var keepsNil = false
}

/// The objects that are made up for a relationship.
enum MadeUpLinks: Equatable {
  /// So many, with the same values.
  case alike(Int)
  /// Two, of which the second has the values so many places further on.
  case pair(Int)
  /// One for each of the values.
  case each(Int)

  var count: Int {
    switch self {
    case .alike(let count), .each(let count): count
    case .pair: 2
    }
  }
}

/// An object whose properties have the values of a trial, and otherwise those of an object of a store, if there is one.
final class TrialObject: NSObject, KeyValueCoding, IdentifiedObject {
  private let entity: EntityDescription
  /// The path that leads here, with a dot at its end; empty for the object that the condition is about.
  private let path: String
  private let trial: Trial
  private let base: (any KeyValueCoding)?
  /// How many places after the chosen values its own are.
  private let offset: Int

  init(
    _ entity: EntityDescription, at path: String = "", in trial: Trial,
    over base: (any KeyValueCoding)? = nil, offset: Int = 0
  ) {
    self.entity = entity
    self.path = path
    self.trial = trial
    self.base = base
    self.offset = offset
  }

  var identity: AnyObject { (base as? any IdentifiedObject)?.identity ?? self }

  func typedValue(forKey key: String) throws -> Value {
    let path = path + key
    if let relationship = entity.relationship(named: key) {
      return try links(relationship, at: path)
    }
    if let attribute = entity.attribute(named: key), attribute.attributeType == .composite,
      let tried = composite(attribute, at: path)
    {
      return tried
    }
    return try value(at: path) ?? base?.typedValue(forKey: key) ?? .null
  }

  private func value(at path: String) -> Value? {
    guard let values = trial.values[path], !values.isEmpty else { return nil }
    return values[((trial.chosen[path] ?? 0) + offset) % values.count]
  }

  /// The elements of a composite attribute; nil where none is tried.
  private func composite(_ attribute: AttributeDescription, at path: String) -> Value? {
    guard trial.values.keys.contains(where: { $0.hasPrefix(path + ".") }) else { return nil }
    return .object(
      KeyedValues(
        Dictionary(
          firstOf: attribute.elements.map { element in
            let inner = path + "." + element.name
            return (element.name, value(at: inner) ?? composite(element, at: inner) ?? .null)
          })))
  }

  private func links(_ relationship: RelationshipDescription, at path: String) throws -> Value {
    guard let destination = relationship.destinationEntity else { return .null }
    let isReplaced = trial.replacesLinks && trial.links[path] != nil
    let real = isReplaced ? nil : try base?.typedValue(forKey: relationship.name)
    var objects = (real?.objects ?? []).map { object in
      TrialObject(
        (object as? ManagedObject)?.entity ?? destination, at: path + ".", in: trial,
        over: object as? any KeyValueCoding, offset: offset)
    }
    if objects.isEmpty, let links = trial.links[path] {
      objects = (0..<links.count).map { index in
        let place =
          switch links {
          case .alike: 0
          case .pair(let distance): index * distance
          case .each: index
          }
        return TrialObject(destination, at: path + ".", in: trial, offset: offset + place)
      }
    }
    if !relationship.isToMany { return objects.first.map { .object($0) } ?? .null }
    let kind = relationship.isOrdered ? ValueCollection.Kind.orderedSet : .set
    return .collection(
      ValueCollection(trial.keepsNil ? .array : kind, objects.map { .object($0) }))
  }
}

extension Value {
  /// The objects that a relationship leads to.
  var objects: [AnyObject] {
    switch self {
    case .object(let object): [object]
    case .collection(let collection): collection.elements.flatMap(\.objects)
    default: []
    }
  }
}
