// Opening stores by type and place.
//
// Here a store must fit the model; the layer above migrates before it opens.

extension PersistentStore {
  /// What kind of store to open.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let sqlite = StoreType(rawValue: "SQLite")
    public static let inMemory = StoreType(rawValue: "InMemory")
    public static let binary = StoreType(rawValue: "Binary")
    public static let xml = StoreType(rawValue: "XML")
  }

  /// The keys of the options that are read here; others are accepted and have no effect.
  public enum Option {
    /// Whether the store is only read; nothing on disk changes then.
    public static let readOnly = "NSReadOnlyPersistentStoreOption"
    /// Whether a store is opened whatever the version hashes in its metadata are.
    public static let ignoresVersioning = "NSIgnorePersistentStoreVersioningOption"
    /// SQLite's own options by name, such as `["journal_mode": "DELETE"]`.
    public static let sqlitePragmas = "NSSQLitePragmasOption"
  }
}

extension PersistentStoreCoordinator {
  /// Opens a store and puts it to use; an SQLite store that isn't there is made.
  ///
  /// - Parameters:
  ///   - type: `SQLite` or `InMemory`.
  ///   - configuration: The part of the model the store holds; nil for all of it.
  ///   - url: The store's file. A store in memory only remembers it.
  ///   - options: See ``PersistentStore/Option``.
  /// - Throws: `CoreDataError`: `.persistentStoreInvalidType`; `.persistentStoreOpen` for an unknown
  ///   configuration or an unreadable file; `.persistentStoreIncompatibleVersionHash` (134100) when
  ///   it was written with another model; `.persistentStoreOperation` when it is in use already.
  @discardableResult
  @_disfavoredOverload
  public final func addPersistentStore(
    type: PersistentStore.StoreType, configuration: String? = nil, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> PersistentStore {
    try openPersistentStore(type: type, configuration: configuration, at: url, options: options)
  }

  /// What ``addPersistentStore(type:configuration:at:options:)`` does; the layer above has a function
  /// of that name that migrates before, and wins over the one here.
  package final func openPersistentStore(
    type: PersistentStore.StoreType, configuration: String?, at url: URL?,
    options: [AnyHashable: Any]?
  ) throws -> PersistentStore {
    let part = try StoreConfiguration(model: managedObjectModel, named: configuration)
    return try lock.withLock {
      if let url, type != .inMemory, let store = persistentStore(for: url) {
        throw CoreDataError.inUseAlready(store)
      }
      let store = try Self.open(type, part, at: url, options: options ?? [:])
      store.options = options
      try store.apply(options: options ?? [:])
      try use(store)
      return store
    }
  }

  /// ``addPersistentStore(type:configuration:at:options:)`` in its older spelling.
  @discardableResult
  @_disfavoredOverload
  public final func addPersistentStore(
    ofType type: String, configurationName configuration: String?, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> PersistentStore {
    try addPersistentStore(
      type: PersistentStore.StoreType(rawValue: type), configuration: configuration, at: url,
      options: options)
  }

  private static func open(
    _ type: PersistentStore.StoreType, _ configuration: StoreConfiguration, at url: URL?,
    options: [AnyHashable: Any]
  ) throws -> PersistentStore {
    try configuration.checkTypes()
    switch type {
    case .inMemory:
      try configuration.checkNothingIsDerived()
      // Core Data: observed by many apps' tests: only SQLite stores keep uniqueness constraints.
      return InMemoryStore(
        configuration: configuration, url: url, keepsUniquenessConstraints: false)
    case .sqlite:
      guard let url else { throw CoreDataError.placeNeeded }
      return try openSQLite(configuration, at: url, options)
    default: throw CoreDataError.unsupportedStoreType(type)
    }
  }

  private static func openSQLite(
    _ configuration: StoreConfiguration, at url: URL, _ options: [AnyHashable: Any]
  ) throws -> PersistentStore {
    let isReadOnly = options.isSet(PersistentStore.Option.readOnly)
    if !isReadOnly, PersistentStoreFiles(url).isVacant {
      return try SQLiteStore.create(at: url, configuration: configuration)
    }
    return try SQLiteStore(
      isReadOnly ? StoreFile(readingFrom: url) : StoreFile(updating: url),
      configuration: configuration,
      ignoresVersion: options.isSet(PersistentStore.Option.ignoresVersioning))
  }
}

// MARK: - Metadata

extension PersistentStoreCoordinator {
  public final func metadata(for store: PersistentStore) -> [String: Any] {
    lock.withLock { store.metadata }
  }

  /// Sets what an app keeps in a store's metadata; the next save of a context writes it, also one
  /// without other changes. Keys that describe the model stay as they are.
  public final func setMetadata(_ metadata: [String: Any]?, for store: PersistentStore) {
    lock.withLock { store.metadata = metadata ?? [:] }
  }

  /// The metadata of a store that isn't in use, read without changing anything on disk.
  /// - Throws: `CoreDataError` when there is no such store.
  public static func metadataForPersistentStore(
    type: PersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    guard type == .sqlite else { throw CoreDataError.unsupportedStoreType(type) }
    let files = PersistentStoreFiles(url)
    // Core Data: observed: what destroying a store leaves has metadata; what is in it is assumed.
    if files.exist, files.isVacant {
      return ["NSStoreType": type.rawValue, "NSStoreUUID": UUID().uuidString]
    }
    return try StoreFile(readingFrom: url).metadata
  }

  /// ``metadataForPersistentStore(type:at:options:)`` in its older spelling.
  public static func metadataForPersistentStore(
    ofType type: String, at url: URL, options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try metadataForPersistentStore(
      type: PersistentStore.StoreType(rawValue: type), at: url, options: options)
  }

  /// Replaces what an app keeps in the metadata of a store that isn't in use.
  /// - Throws: `CoreDataError` when there is no such store, or it can't be written.
  public static func setMetadata(
    _ metadata: [String: Any]?, type: PersistentStore.StoreType, at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    guard type == .sqlite else { throw CoreDataError.unsupportedStoreType(type) }
    try StoreFile(updating: url).write(metadata: metadata ?? [:])
  }
}

extension PersistentStoreCoordinator {
  /// Notes in a store that isn't in use that a deferred lightweight migration is yet to be finished.
  package static func noteDeferredMigration(at url: URL) throws {
    let file = try StoreFile(updating: url)
    file.storeMetadata.set(isMigrationPending: true)
    try file.writeMetadata()
  }

  /// Finishes what lightweight migrations of the stores have put off. All was done at once, so that only the
  /// stores' metadata say anything else.
  package final func finishDeferredMigrations() throws {
    try lock.withLock {
      for case let store as SQLiteStore in persistentStores
      where StoreMetadata.isMigrationPending(in: store.metadata) {
        store.file.storeMetadata.set(isMigrationPending: false)
        try store.file.storeMetadata.write(to: store.database)
      }
    }
  }
}

extension StoreFile {
  fileprivate func write(metadata: [String: Any]) throws {
    storeMetadata.replaceOthers(by: metadata)
    try writeMetadata()
  }

  fileprivate func writeMetadata() throws {
    try storeMetadata.write(to: database)
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

// MARK: - Errors

extension StoreConfiguration {
  /// - Throws: `CoreDataError` where an attribute that is kept has no type: its values would be lost.
  // Core Data: Apple's reference calls it illegal for attributes that aren't transient; the error is assumed.
  func checkTypes() throws {
    let attributes = entities.lazy.flatMap(\.properties).compactMap { $0 as? AttributeDescription }
    if let first = attributes.first(where: { $0.attributeType == .undefined && !$0.isTransient }) {
      throw CoreDataError.withoutType(first)
    }
  }

  /// - Throws: `CoreDataError` where a model has derived attributes, which only SQLite stores keep up to date: for
  ///   a store in memory that an app opens.
  // Core Data: observed as an exception of its own when the store is added; the text is assumed.
  package func checkNothingIsDerived() throws {
    guard let attribute = entities.lazy.compactMap(\.firstDerivedAttribute).first else { return }
    throw CoreDataError.derivedInMemory(attribute)
  }
}

extension [AnyHashable: Any] {
  /// Whether an option is set to a true value.
  package func isSet(_ option: String) -> Bool {
    (self[option] as? NSNumber)?.boolValue ?? (self[option] as? Bool) ?? false
  }
}
