/// Where a chain puts the stores of its steps.
public protocol StoreFactory {
  /// Makes the empty store for a step's result. It isn't at its final place yet.
  func makeStore(
    model: ManagedObjectModel, identifier: String, metadata: [String: Any]
  ) throws -> PersistentStore

  /// Makes a copy of a store that may be changed, with the same identifiers.
  func makeCopy(of store: PersistentStore) throws -> PersistentStore

  /// Ends the filling of a store, and makes it durable if it is the last one.
  /// - Returns: The store to read on from, which may be another object.
  func seal(_ store: PersistentStore, isLast: Bool) throws -> PersistentStore

  /// Removes a store that isn't needed any more.
  func discard(_ store: PersistentStore)

  /// Puts a sealed store where the result of the chain belongs, whole or not at all.
  /// - Returns: The store at its place, open for reading and writing.
  func publish(_ store: PersistentStore) throws -> PersistentStore
}

/// Steps in memory.
public struct InMemoryStoreFactory: StoreFactory {
  public init() {}

  public func makeStore(
    model: ManagedObjectModel, identifier: String, metadata: [String: Any]
  ) -> PersistentStore {
    InMemoryStore(model: model, identifier: identifier, metadata: metadata)
  }

  public func makeCopy(of store: PersistentStore) throws -> PersistentStore {
    try InMemoryStore.copying(store)
  }

  public func seal(_ store: PersistentStore, isLast: Bool) -> PersistentStore { store }
  public func discard(_ store: PersistentStore) {}
  public func publish(_ store: PersistentStore) -> PersistentStore { store }
}
