/// A model with its coordinator, stores and contexts.
/// Sendable unchecked: as Apple's; set up by one thread, then read.
open class PersistentContainer: NSObject, @unchecked Sendable {
  public final let name: String
  public final let managedObjectModel: ManagedObjectModel
  public final let persistentStoreCoordinator: PersistentStoreCoordinator
  /// The stores to open; one SQLite store named after the container, unless set.
  public final var persistentStoreDescriptions: [PersistentStoreDescription]
  /// The context of the user interface, on the main queue.
  public final let viewContext: ManagedObjectContext

  public init(name: String, managedObjectModel model: ManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
    viewContext = ManagedObjectContext(.mainQueueConcurrencyType)
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    persistentStoreDescriptions = [
      PersistentStoreDescription(
        url: Self.defaultDirectoryURL().appending(path: "\(name).sqlite"))
    ]
  }

  /// Where stores are unless somebody says otherwise.
  open class func defaultDirectoryURL() -> URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
  }

  /// Opens the stores one after the other, and tells of each: nil when it is open, else what kept it
  /// from being opened.
  open func loadPersistentStores(
    completionHandler block: @escaping (PersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      do {
        try Self.makeFolder(for: description)
        try persistentStoreCoordinator.addPersistentStore(
          type: PersistentStore.StoreType(rawValue: description.type),
          configuration: description.configuration, at: description.url,
          options: description.options)
        block(description, nil)
      } catch { block(description, error) }
    }
  }

  /// Core Data: observed in many apps: a container's store may be put where no folder is yet.
  private static func makeFolder(for description: PersistentStoreDescription) throws {
    guard let folder = description.url?.deletingLastPathComponent(),
      description.type == PersistentStore.StoreType.sqlite.rawValue
    else { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A new context on the container's stores, with a queue of its own.
  open func newBackgroundContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(.privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }
}
