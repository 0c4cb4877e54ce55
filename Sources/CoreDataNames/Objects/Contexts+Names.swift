// What Apple's headers add to contexts and objects.

extension ManagedObjectContext {
  /// Runs a block on the context's queue and waits for it; as a function value, too.
  public func performAndWait(_ block: () -> Void) {
    self.Persistence::performAndWait(block)
  }

  /// Nil, which is all that can be set.
  public var undoManager: UndoManager? {
    get { nil }
    set { _ = newValue }
  }

  /// Nothing, as on a device without undo manager.
  public func undo() {}
  public func redo() {}

  /// Contexts read what is in the stores now, whatever generation they are told to stay with.
  public func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {}
  public var queryGenerationToken: NSQueryGenerationToken? { nil }
}

/// A state of the stores that a context could stay with.
public final class NSQueryGenerationToken: NSObject, Sendable {
  public static let current = NSQueryGenerationToken()
  private override init() {}
}

extension ManagedObject {
  /// Whether the objects that a relationship leads to would have to be read first.
  public func hasFault(forRelationshipNamed key: String) -> Bool { isFault }

  /// 0 for an object that has its values.
  public var faultingState: UInt { isFault ? 1 : 0 }

  /// Whether properties that the model lacks leave an object unchanged: they do, as on a device unless a class
  /// says otherwise.
  public class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    owner(ofPath: keyPath) { $0.mutableSetValue(forKey: $1) } ?? NSMutableSet()
  }

  public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    owner(ofPath: keyPath) { $0.mutableOrderedSetValue(forKey: $1) } ?? NSMutableOrderedSet()
  }

  private func owner<Members>(
    ofPath keyPath: String, _ members: (ManagedObject, String) -> Members
  ) -> Members? {
    let keys = keyPath.components(separatedBy: ".")
    guard keys.count > 1 else { return members(self, keyPath) }
    let owner = value(forKeyPath: keys.dropLast().joined(separator: ".")) as? ManagedObject
    return owner.map { members($0, keys[keys.count - 1]) }
  }

  public func willChangeValue(
    forKey key: String, withSetMutation mutation: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { beginChange(ofKey: key) }
  public func didChangeValue(
    forKey key: String, withSetMutation mutation: NSKeyValueSetMutationKind,
    using objects: Set<AnyHashable>
  ) { endChange(ofKey: key) }
  public func willChange(_ change: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String)
  { beginChange(ofKey: key) }
  public func didChange(_ change: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String)
  { endChange(ofKey: key) }

  /// The identifiers of the objects that a relationship leads to, in order where it is ordered.
  public func objectIDs(forRelationshipNamed key: String) -> [ManagedObjectID] {
    switch value(forKey: key) {
    case let object as ManagedObject: [object.objectID]
    case let objects as NSOrderedSet: objects.compactMap { ($0 as? ManagedObject)?.objectID }
    case let objects as Set<ManagedObject>: objects.map(\.objectID)
    default: []
    }
  }
}

/// How the members of a set change.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  case union = 1
  case minus = 2
  case intersect = 3
  case set = 4
}

public typealias NSSnapshotEventType = SnapshotEventType

extension Predicate {
  /// Nothing: what an archive holds is evaluated here without further permission.
  public func allowEvaluation() {}
}

extension Expression {
  /// Nothing, as for predicates.
  public func allowEvaluation() {}
}

extension ComparisonPredicate {
  public convenience init(
    leftExpression: Expression, rightExpression: Expression, customSelector: Selector
  ) {
    self.init(
      leftExpression: leftExpression, rightExpression: rightExpression,
      customSelector: customSelector.name)
  }
}

/// The expression of a fetch, which is an `NSExpression` like any other here.
public enum NSFetchRequestExpression {
  public static func expression(
    forFetch fetch: Expression, context: Expression, countOnly: Bool
  ) -> Expression {
    Expression(forFetch: fetch, context: context, countOnly: countOnly)
  }
}
