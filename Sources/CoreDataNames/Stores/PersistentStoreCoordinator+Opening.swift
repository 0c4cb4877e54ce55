// Opening stores as an app does: migrated on the way, where the options say so.

extension PersistentStoreCoordinator {
  /// Opens a store and puts it to use; an SQLite store that isn't there is made.
  ///
  /// With `NSMigratePersistentStoresAutomaticallyOption` a store of another version of the model is
  /// migrated in one step: its version and a mapping model are looked for in the app's bundles and
  /// beside the models that the app loaded by URL; failing those, with
  /// `NSInferMappingModelAutomaticallyOption` a mapping is inferred, from the model that the store
  /// itself keeps if need be.
  /// - Throws: `CoreDataError` 134100, 134130, 134140 as Apple's decision table has it; what the
  ///   migration throws, the store then being as it was.
  @discardableResult
  public func addPersistentStore(
    type: PersistentStore.StoreType, configuration: String? = nil, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> PersistentStore {
    let chosen = StoreOptions(options)
    if type == .sqlite, let url, persistentStore(for: url) == nil {
      try migrateIfNeeded(configuration: configuration, at: url, chosen)
    }
    let store = try self.Persistence::addPersistentStore(
      type: type, configuration: configuration, at: url, options: options)
    store.options = options
    if let store = store as? SQLiteStore, !chosen.isReadOnly {
      try store.apply(pragmas: chosen.pragmas)
    }
    return store
  }

  @discardableResult
  public func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> PersistentStore {
    try addPersistentStore(
      type: .init(rawValue: storeType), configuration: configuration, at: storeURL,
      options: options)
  }

  /// Opens the store that a description tells of, and says so to `block`: on the calling thread, or
  /// on one of its own where the description says that it is added asynchronously.
  public func addPersistentStore(
    with storeDescription: NSPersistentStoreDescription,
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let work = UncheckedSendable {
      do {
        try self.addPersistentStore(
          ofType: storeDescription.type, configurationName: storeDescription.configuration,
          at: storeDescription.url, options: storeDescription.options)
        block(storeDescription, nil)
      } catch { block(storeDescription, error) }
    }
    if storeDescription.shouldAddStoreAsynchronously {
      DispatchQueue.global().async { work.value() }
    } else {
      work.value()
    }
  }

  private func migrateIfNeeded(
    configuration: String?, at url: URL, _ options: StoreOptions
  ) throws {
    guard options.migratesAutomatically, !options.isReadOnly, PersistentStoreFiles(url).exist else {
      return
    }
    let metadata = try SQLiteStore.metadata(at: url)
    let model = managedObjectModel
    if model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) {
      return
    }
    var migration = AutomaticMigration(
      to: model, models: try sourceModels(for: metadata, at: url, options))
    migration.infersMappingAutomatically = options.infersMapping
    if let source = try? migration.models.model(for: metadata) {
      migration.mappings = MappingLibrary.shared.candidates(in: nil, from: source, to: model)
    }
    try migration.migrateStore(at: url)
  }

  /// Where the store's own model may be: among those the app can find; else in the store.
  private func sourceModels(
    for metadata: [String: Any], at url: URL, _ options: StoreOptions
  ) throws -> [ManagedObjectModel] {
    let known = ModelLibrary.shared.allVersions(in: nil)
    if let found = ModelSearch(known).model(for: metadata) { return [found] }
    // A model built in code is in no bundle; the store's copy of it is as good for inference.
    guard options.infersMapping, let kept = try SQLiteStore.cachedModel(at: url) else {
      return known
    }
    return known + [kept]
  }
}

/// Something that is handed to another thread once, by whoever knows that it may be.
struct UncheckedSendable<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
