// What all batches have in common: the stores of the context at the root, and their lock.

/// A request that changes stores without making objects.
protocol BatchRequest: ExecutableRequest {
  /// Carries the request out while nobody else uses the stores.
  func change(storesOf context: ManagedObjectContext) throws -> PersistentStoreResult
}

extension BatchRequest {
  /// A batch reaches the stores, whatever contexts are in between: a child hands it to its parent.
  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult {
    if let parent = context.parent {
      return try parent.performAndWait { try execute(in: parent) }
    }
    guard let coordinator = context.persistentStoreCoordinator else {
      throw CoreDataError.noCoordinator
    }
    return try coordinator.performAndWait { try change(storesOf: context) }
  }
}
