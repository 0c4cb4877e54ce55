// What Apple's headers add to contexts and objects.

extension ManagedObjectContext {
  /// Runs a block that can't fail on the context's queue and gives its result.
  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      perform {
        nonisolated(unsafe) let result = block()
        continuation.resume(returning: result)
      }
    }
  }

  /// There is no undo outside Apple's systems: always nil, and setting it has no effect.
  public var undoManager: NSObject? {
    get { nil }
    set { _ = newValue }
  }
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
