// Putting stores in the place of others, removing them, and moving them elsewhere.

extension PersistentStoreCoordinator {
  /// Puts a copy of one store in the place of another, with all its files: journals, and the folder
  /// of large values. What was at the destination is gone; if this coordinator had that store in use, it has it
  /// no more.
  /// - Throws: `CoreDataError`; the destination is what it was then. Only an SQLite store is replaced.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type: PersistentStore.StoreType
  ) throws {
    try Self.requireFile(type)
    let destination = PersistentStoreFiles(destinationURL).resolved
    try destination.requireDatabaseIfPresent()
    // Refuses what is no store.
    _ = try StoreFile(readingFrom: sourceURL)
    let copy = try destination.makeTemporaryNeighbour()
    do {
      try PersistentStoreFiles(sourceURL).copy(to: copy)
      if let open = persistentStore(for: destinationURL) { try remove(open) }
      try destination.replace(by: copy)
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? copy.remove()
      throw error
    }
  }

  /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)`` in
  /// its older spelling.
  public final func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType type: String
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions,
      withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions,
      type: PersistentStore.StoreType(rawValue: type))
  }

  /// Removes what is in a store, with all its files, and leaves an empty database, also where no store was.
  /// A store that this coordinator has in use it has no more afterwards. A store in memory has nothing to
  /// remove.
  /// - Throws: `CoreDataError` when the store can't be removed, or is no SQLite store: nothing else is touched.
  // Core Data: observed: apps destroy the stores they have open, to begin anew; it is assumed that the
  // coordinator has it no more.
  public final func destroyPersistentStore(
    at url: URL, type: PersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    if type == .inMemory { return }
    try Self.requireFile(type)
    let files = PersistentStoreFiles(url)
    try files.resolved.requireDatabaseIfPresent()
    if let open = persistentStore(for: url) { try remove(open) }
    try files.destroy()
  }

  /// ``destroyPersistentStore(at:type:options:)`` in its older spelling.
  public final func destroyPersistentStore(
    at url: URL, ofType type: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(
      at: url, type: PersistentStore.StoreType(rawValue: type), options: options)
  }

  /// Moves the content of a store to another place, or into a store of another type, and uses that
  /// from now on. The old store's file stays; the new store has the old one's UUID.
  /// - Throws: `CoreDataError`; the old store is still in use then.
  @discardableResult
  public final func migratePersistentStore(
    _ store: PersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    type: PersistentStore.StoreType
  ) throws -> PersistentStore {
    let copied = try Self.copy(store, to: url, type: type)
    let storeURL = copied.url
    if type == .sqlite { try copied.close() }
    try remove(store)
    if type != .sqlite {
      add(copied)
      return copied
    }
    return try openPersistentStore(
      type: type, configuration: store.configuration.name, at: storeURL, options: options)
  }

  /// ``migratePersistentStore(_:to:options:type:)`` in its older spelling.
  @discardableResult
  public final func migratePersistentStore(
    _ store: PersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    withType type: String
  ) throws -> PersistentStore {
    try migratePersistentStore(
      store, to: url, options: options, type: PersistentStore.StoreType(rawValue: type))
  }

  private static func copy(
    _ store: PersistentStore, to url: URL, type: PersistentStore.StoreType
  ) throws -> PersistentStore {
    let factory: any StoreFactory
    switch type {
    case .sqlite: factory = SQLiteStoreFactory(destination: url)
    case .inMemory:
      try store.configuration.checkNothingIsDerived()
      factory = InMemoryStoreFactory()
    default: throw CoreDataError.noFile(type)
    }
    guard type != .sqlite || PersistentStoreFiles(url).isVacant else {
      throw CoreDataError.placeIsTaken(url)
    }
    var step = MigrationStep(from: store.model, to: store.model, name: "copy")
    step.infersMapping = true
    let (copied, report) = MigrationChain(steps: [step]).run(from: store, into: factory)
    if let failure = report.failure { throw failure.error }
    return copied ?? store
  }

  private static func requireFile(_ type: PersistentStore.StoreType) throws {
    if type != .sqlite { throw CoreDataError.noFile(type) }
  }
}
