/// Connects contexts with stores, for one model.
open class PersistentStoreCoordinator: NSObject {
  public final let managedObjectModel: ManagedObjectModel
  /// The store in use, if one was added.
  private(set) final var store: PersistentStore?

  public init(managedObjectModel: ManagedObjectModel) {
    self.managedObjectModel = managedObjectModel
  }

  /// The stores in use: none or one.
  public final var persistentStores: [PersistentStore] { store.map { [$0] } ?? [] }

  /// Puts a store to use. Its model must be this coordinator's.
  ///
  /// A coordinator has one store here; a second one is refused by an exception, since identifiers
  /// of two stores of one model could not be told apart.
  public final func add(_ store: PersistentStore) {
    guard self.store == nil else { return ExceptionTrap.raise(Self.hasStoreAlready) }
    self.store = store
  }

  /// Takes a store out of use and closes it.
  public final func remove(_ store: PersistentStore) throws {
    if self.store === store { self.store = nil }
    try store.close()
  }

  /// The store in use, for writing.
  /// - Throws: When there is none.
  final func requireStore() throws -> PersistentStore {
    if let store { return store }
    throw CoreDataError(
      .persistentStoreSave, "This NSPersistentStoreCoordinator has no persistent stores.",
      advice: "Add a store before saving.")
  }

  private static var hasStoreAlready: CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "This NSPersistentStoreCoordinator has a store already.",
      advice: "Use a coordinator and a context for each store.")
  }
}
