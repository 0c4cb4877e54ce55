// What Apple's headers add to contexts and objects.

extension ManagedObjectContext {
  /// Runs a block that can't fail on the context's queue and gives its result.
  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      perform {
        // What a block gives is the waiting task's alone.
        nonisolated(unsafe) let result = block()
        continuation.resume(returning: result)
      }
    }
  }

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

  /// How long values that were read are taken for up to date; those of objects in memory always are.
  public var stalenessInterval: TimeInterval {
    get { -1 }
    set { _ = newValue }
  }

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
