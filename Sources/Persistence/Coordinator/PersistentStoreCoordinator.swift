/// Connects contexts with stores, for one model.
///
/// A coordinator may have several stores. Each holds the entities of one configuration; entities
/// of several stores are told apart when they are saved: an object goes to the store that
/// ``ManagedObjectContext/assign(_:to:)`` names, else to the first that takes its entity.
///
/// Contexts of any number of threads may share a coordinator: every use of a store is guarded by
/// its lock.
open class PersistentStoreCoordinator: NSObject, @unchecked Sendable {
  public final let managedObjectModel: ManagedObjectModel
  public final var name: String?
  /// The stores in use, in the order in which they were added.
  public private(set) final var persistentStores: [PersistentStore] = []
  /// What contexts read: the one store, or all of several as one; nil without stores.
  private(set) final var store: PersistentStore?
  /// The contexts that merge what others save here.
  final let listeners = ContextListeners()
  /// What its contexts have read.
  final let rowCache = RowCache()
  /// The context that spills new objects before it saves them; it stops when another context comes.
  ///
  /// It takes itself out before it goes. A weak reference would give it a side table: it is retained
  /// with every value of its objects, which would then take several times as long.
  final unowned var spillingContext: ManagedObjectContext?
  /// Guards the stores. Recursive, since what a store streams may ask it again.
  final let lock = NSRecursiveLock()

  /// - Parameter managedObjectModel: The model, which can't be changed any more from now on.
  public init(managedObjectModel: ManagedObjectModel) {
    managedObjectModel.prepareForUse()
    ObjectClasses.note(managedObjectModel)
    self.managedObjectModel = managedObjectModel
  }

  /// A coordinator of a model without entities, as apps make one to destroy or replace a store.
  public convenience override init() { self.init(managedObjectModel: ManagedObjectModel()) }

  /// Puts a store to use. Its model must be this coordinator's; a store that is in use already
  /// raises, since the identifiers of both could not be told apart.
  public final func add(_ store: PersistentStore) {
    do { try use(store) } catch { ExceptionTrap.raise(error) }
  }

  /// - Throws: `.persistentStoreOperation` when the store, or one with its UUID, is in use;
  ///   `.persistentStoreIncompatibleSchema` when it can't derive an attribute of its model.
  package final func use(_ store: PersistentStore) throws {
    // What is only read holds its derived values already.
    if !store.isReadOnly { try store.derivations.check() }
    try lock.withLock {
      if let rival = persistentStores.first(where: { $0.number == store.number }) {
        throw CoreDataError.sameStoreTwice(store, rival)
      }
      persistentStores.append(store)
      store.persistentStoreCoordinator = self
      connect()
    }
    announce(Self.storesDidChange, [Self.addedStoresKey: [store]])
  }

  /// Takes a store out of use and closes it. Its objects in contexts can't be saved any more.
  /// - Throws: `.persistentStoreOperation` for a store of another coordinator; what closing throws.
  public final func remove(_ store: PersistentStore) throws {
    announce(Self.willRemoveStore, [:], of: store)
    try lock.withLock {
      guard persistentStores.contains(where: { $0 === store }) else {
        throw CoreDataError.foreignStore(store)
      }
      persistentStores.removeAll { $0 === store }
      store.persistentStoreCoordinator = nil
      connect()
      try store.close()
    }
    announce(Self.storesDidChange, [Self.removedStoresKey: [store]])
  }

  /// A store with all entities is used as it is; only for others somebody must choose.
  private func connect() {
    if persistentStores.count == 1, persistentStores[0].configuration.isWhole {
      store = persistentStores[0]
    } else {
      store = persistentStores.isEmpty ? nil : StoreUnion(persistentStores, managedObjectModel)
    }
  }

  /// Runs `block` while no other thread uses a store of this coordinator.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try lock.withLock(block)
  }
}

// MARK: - Telling of stores

extension PersistentStoreCoordinator {
  /// Posted by the coordinator after a store was added or removed.
  public static let storesDidChange = Notification.Name(
    "NSPersistentStoreCoordinatorStoresDidChangeNotification")
  /// Posted by a store before it is removed.
  public static let willRemoveStore = Notification.Name(
    "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
  public static let addedStoresKey = "NSAddedPersistentStores"
  public static let removedStoresKey = "NSRemovedPersistentStores"

  private func announce(
    _ name: Notification.Name, _ userInfo: [AnyHashable: Any], of object: NSObject? = nil
  ) {
    NotificationCenter.default.post(name: name, object: object ?? self, userInfo: userInfo)
  }
}

// MARK: - Finding stores and objects

extension PersistentStoreCoordinator {
  /// The store at a place on disk, if it is in use.
  public final func persistentStore(for url: URL) -> PersistentStore? {
    lock.withLock {
      persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
    }
  }

  /// Where a store is; for one in memory that has no place, an empty file URL.
  public final func url(for store: PersistentStore) -> URL {
    store.url ?? URL(fileURLWithPath: "/dev/null")
  }

  /// The identifier that a URI stands for: `x-coredata://<store UUID>/<Entity>/p<number>`.
  ///
  /// Whether the store has the object isn't asked.
  /// - Returns: nil for text of another form, a temporary identifier, a store that isn't in use and
  ///   an entity that the model doesn't have.
  public final func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
    guard uri.scheme == "x-coredata", let host = uri.host(percentEncoded: false),
      let store = lock.withLock({ persistentStores.first { $0.hasIdentifier(host) } })
    else { return nil }
    let path = uri.pathComponents.filter { $0 != "/" }
    guard path.count == 2, let entity = managedObjectModel.entity(named: path[0]),
      path[1].first == "p", let key = Int64(path[1].dropFirst()), key > 0
    else { return nil }
    return ManagedObjectID(entity: entity, primaryKey: key, store: store)
  }

  /// The store that holds the object with an identifier.
  final func store(of id: ManagedObjectID) -> PersistentStore? {
    if persistentStores.count == 1 { return persistentStores[0] }
    return persistentStores.first { $0.number == id.storeNumber }
  }

  /// The store that takes a new object of an entity, unless it was assigned to another.
  /// - Throws: `.persistentStoreSave` when there is none.
  final func store(forNew entity: EntityDescription) throws -> PersistentStore {
    if persistentStores.isEmpty { throw CoreDataError.noStores }
    let fitting = persistentStores.filter { $0.configuration.contains(entity) }
    // A store that can only be read gives its own error, which says more.
    if let store = fitting.first(where: { !$0.isReadOnly }) ?? fitting.first { return store }
    throw CoreDataError.noStore(for: entity)
  }
}

extension PersistentStore {
  /// Case plays no part in a URL's host.
  fileprivate func hasIdentifier(_ host: String) -> Bool {
    identifier == host || identifier.lowercased() == host.lowercased()
  }
}
