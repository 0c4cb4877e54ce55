// Stores as files: moved, replaced, destroyed with everything that belongs to them.

extension PersistentStoreCoordinator {
  /// Removes a store's files: the database, its journals, and its large values. A store that isn't
  /// there is no error.
  public func destroyPersistentStore(
    at url: URL, type storeType: PersistentStore.StoreType, options: [AnyHashable: Any]? = nil
  ) throws {
    guard storeType == .sqlite else { return }
    if let store = persistentStore(for: url) { try remove(store) }
    try PersistentStoreFiles(url).remove()
  }

  public func destroyPersistentStore(
    at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(at: url, type: .init(rawValue: storeType), options: options)
  }

  /// Puts a copy of another store in the place of a store, or where none is; the other one stays as
  /// it is. At any time the old store or the new one is there, whole.
  /// - Throws: `CoreDataError` `.persistentStoreOperation` when there is no store to copy.
  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    type sourceType: PersistentStore.StoreType
  ) throws {
    guard PersistentStoreFiles(sourceURL).exist else {
      throw CoreDataError(
        .persistentStoreOperation, "There is no store to put in the other one's place"
      ).at(file: sourceURL.path)
    }
    let name = ".\(destinationURL.lastPathComponent).replacement_\(UUID().uuidString.prefix(8))"
    let copy = PersistentStoreFiles(
      destinationURL.deletingLastPathComponent().appendingPathComponent("\(name).sqlite"))
    do {
      try PersistentStoreFiles(sourceURL).copy(to: copy)
      try PersistentStoreFiles(destinationURL).replace(by: copy)
    } catch {
      try? copy.remove()
      throw error
    }
  }

  public func replacePersistentStore(
    at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
    ofType sourceType: String
  ) throws {
    try replacePersistentStore(
      at: destinationURL, destinationOptions: destinationOptions,
      withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions,
      type: .init(rawValue: sourceType))
  }

  /// Moves a store in use to another place or type, and goes on with it there.
  ///
  /// A store in a file is copied; one in memory is written out, object by object, and an SQLite
  /// store read into memory the same way.
  /// - Throws: `CoreDataError`; the store is then in use as before.
  @discardableResult
  public func migratePersistentStore(
    _ store: PersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    type storeType: PersistentStore.StoreType
  ) throws -> PersistentStore {
    if storeType == .sqlite, let old = store as? SQLiteStore, let place = old.url {
      try remove(old)
      try PersistentStoreFiles(place).copy(to: PersistentStoreFiles(url))
      return try addPersistentStore(type: storeType, at: url, options: options)
    }
    let isFile = storeType != .inMemory
    let new =
      isFile
      ? try SQLiteStore.create(at: url, model: managedObjectModel)
      : InMemoryStore(model: managedObjectModel)
    try copyObjects(of: store, into: new)
    try remove(store)
    guard isFile else {
      add(new)
      return new
    }
    try new.close()
    return try addPersistentStore(type: storeType, at: url, options: options)
  }

  private func copyObjects(of store: PersistentStore, into new: PersistentStore) throws {
    let model = managedObjectModel
    let mapping = try MappingModel.inferredMappingModel(
      forSourceModel: model, destinationModel: model)
    do {
      try MigrationManager(sourceModel: model, destinationModel: model)
        .migrate(from: store, to: new, with: mapping)
    } catch {
      if let file = new as? SQLiteStore { try? file.discard() }
      throw error
    }
  }

  @discardableResult
  public func migratePersistentStore(
    _ store: PersistentStore, to url: URL, options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> PersistentStore {
    try migratePersistentStore(store, to: url, options: options, type: .init(rawValue: storeType))
  }
}
