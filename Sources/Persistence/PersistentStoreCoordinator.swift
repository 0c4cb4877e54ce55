/// Connects contexts with stores, for one model.
open class PersistentStoreCoordinator: NSObject {
  public final let managedObjectModel: ManagedObjectModel
  public private(set) final var persistentStores: [PersistentStore] = []

  public init(managedObjectModel: ManagedObjectModel) {
    self.managedObjectModel = managedObjectModel
  }

  /// Puts a store to use. Its model must be this coordinator's.
  ///
  /// A coordinator has one store here; a second one is refused by an exception, since identifiers
  /// of two stores of one model could not be told apart.
  public final func add(_ store: PersistentStore) {
    if persistentStores.isEmpty { return persistentStores.append(store) }
    ExceptionTrap.raise(
      CoreDataError(
        .persistentStoreOperation, "This NSPersistentStoreCoordinator has a store already.",
        advice: "Use a coordinator and a context for each store."))
  }

  /// Takes a store out of use and closes it.
  public final func remove(_ store: PersistentStore) throws {
    persistentStores.removeAll { $0 === store }
    try store.close()
  }

  /// The store that holds the object with an identifier.
  final func store(of id: ManagedObjectID) -> PersistentStore? {
    if persistentStores.count == 1 { return persistentStores[0] }
    return persistentStores.first { $0.identifier == id.storeIdentifier }
  }

  /// The store that takes new objects.
  /// - Throws: When there is none.
  final func storeForNewObjects() throws -> PersistentStore {
    if let store = persistentStores.first { return store }
    throw CoreDataError(
      .persistentStoreSave, "This NSPersistentStoreCoordinator has no persistent stores.",
      advice: "Add a store before saving.")
  }
}
