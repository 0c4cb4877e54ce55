/// What a store says about itself: its UUID and the property list in `Z_METADATA`.
package struct StoreMetadata {
  var identifier: String
  /// The property list as it stands in the file.
  private(set) var values: [String: Any] { didSet { bytes = nil } }
  /// The property list as it is written; nil where that isn't known.
  private var bytes: Data?

  /// The framework version that fresh stores carry: the newest one whose files were studied.
  static let frameworkVersion = 1344

  /// The keys that say which model a store belongs to; an app can't change them.
  static let modelKeys: Set<String> = [
    "NSStoreType", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
    "NSStoreModelVersionIdentifiers", "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel",
    "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
  ]

  /// Says that a deferred lightweight migration is yet to be finished.
  package static let deferredMigrationKey = "NSPersistentStoreDeferredLightweightMigrationOptionKey"

  mutating func set(isMigrationPending: Bool) {
    values[Self.deferredMigrationKey] = isMigrationPending ? true : nil
  }

  /// Whether a store with such metadata is in the middle of a deferred lightweight migration.
  package static func isMigrationPending(in metadata: [String: Any]) -> Bool {
    (metadata[deferredMigrationKey] as? NSNumber)?.boolValue == true
  }

  /// Keys that are Core Data's by their names, about the file itself: no data of an app's, and not carried
  /// over into another file. The ancillary hashes are those of persistent history.
  // Core Data: observed in stores of frameworks 851 to 1522; the last one documented.
  private static let fileKeys: Set<String> = [
    "NSPersistenceMaximumFrameworkVersion", "_NSStoreAncillaryModelVersionHashesMetadataKey",
    "NSPersistentStoreRebuildIndicies", deferredMigrationKey,
  ]

  /// The metadata of a fresh store.
  /// - Parameter others: What an app, or the store that was migrated from, has of its own; keys
  ///   that describe the model are left out.
  init(for configuration: StoreConfiguration, identifier: String, adding others: [String: Any]) {
    let known = Self.fresh.value(of: ModelPart(configuration)) {
      FreshList(configuration: configuration, values: Self.modelValues(of: configuration))
    }
    self.identifier = identifier
    values = known.values
    if others.keys.contains(where: Self.isOwn) {
      replaceOthers(by: others)
    } else {
      bytes = known.bytes
    }
  }

  /// A new store's property list, with nothing of an app's own in it.
  private struct FreshList {
    /// Keeps its model, by whose identity it is found.
    let configuration: StoreConfiguration
    let values: [String: Any]
    let bytes: Data?

    init(configuration: StoreConfiguration, values: [String: Any]) {
      self.configuration = configuration
      self.values = values
      // What can't be written is an error when it is to be.
      bytes = try? StoreMetadata.bytes(of: values)
    }
  }

  /// A run makes several stores of one model, and many runs of a suite have the same one.
  private static let fresh = RecentValues<ModelPart, FreshList>(most: 16)

  private static func modelValues(of configuration: StoreConfiguration) -> [String: Any] {
    let model = configuration.model
    var values: [String: Any] = [
      "NSStoreType": "SQLite",
      "NSStoreModelVersionHashes": configuration.versionHashes,
      "NSStoreModelVersionHashesVersion": 3,
      "NSStoreModelVersionIdentifiers": model.versionIdentifiers,
      "NSPersistenceFrameworkVersion": frameworkVersion,
      "_NSAutoVacuumLevel": "2",
    ]
    // Both are of the whole model.
    if configuration.isWhole {
      values["NSStoreModelVersionHashesDigest"] = model.versionHashesDigest
      values["NSStoreModelVersionChecksumKey"] = model.versionChecksum
    }
    return values
  }

  /// Whether a key is an app's.
  package static func isOwn(_ key: String) -> Bool {
    !modelKeys.contains(key) && !fileKeys.contains(key) && key != "NSStoreUUID"
  }

  /// The metadata as Core Data gives it: the property list and the UUID.
  var dictionary: [String: Any] {
    values.merging(["NSStoreUUID": identifier]) { _, identifier in identifier }
  }

  /// Replaces everything that is an app's.
  mutating func replaceOthers(by others: [String: Any]) {
    values = values.filter { !Self.isOwn($0.key) }
    values.merge(others.filter { Self.isOwn($0.key) }) { _, new in new }
  }
}

// MARK: - In the file

extension StoreMetadata {
  /// Reads the metadata of a store.
  /// - Throws: `CoreDataError` when the file has none that can be read.
  init(of database: Database) throws {
    let url = database.url
    let count = try database.integer(
      """
      SELECT count(*) FROM sqlite_master
      WHERE type = 'table' AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')
      """)
    guard count == 2 else {
      throw CoreDataError.notAStore(url, "it has no tables Z_METADATA and Z_PRIMARYKEY")
    }
    let row = try database.with("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1") { statement in
      try statement.step() ? (statement.text(0), statement.data(1)) : nil
    }
    guard let (identifier, data) = row else {
      throw CoreDataError.notAStore(url, "the table Z_METADATA is empty")
    }
    guard let values = Self.values(in: data) else {
      throw CoreDataError.notAStore(url, "Z_METADATA doesn't hold a property list")
    }
    self.identifier = identifier
    self.values = values
  }

  /// A store's property list; nil for what is none.
  static func values(in data: Data) -> [String: Any]? {
    lists.value(of: data) {
      // What is no list is told by whoever has the store.
      try? data.propertyList() as? [String: Any]
    }
  }

  /// A migration opens each store several times.
  private static let lists = RecentValues<Data, [String: Any]?>(most: 16)

  /// Writes the metadata in place of what the store had.
  func write(to database: Database) throws {
    let data: Data
    do { data = try bytes ?? Self.bytes(of: values) } catch {
      throw CoreDataError.metadataNotWritten(database.url, error)
    }
    try database.with("INSERT OR REPLACE INTO Z_METADATA VALUES (1, ?, ?)") { statement in
      statement.bind(identifier, at: 1)
      statement.bind(data, at: 2)
      try statement.run()
    }
  }
}

extension StoreMetadata {
  private static func bytes(of values: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
  }
}

// MARK: - The model it belongs to

extension StoreMetadata {
  /// - Throws: `CoreDataError` `.persistentStoreIncompatibleVersionHash` when the store was written
  ///   with another model.
  func check(against configuration: StoreConfiguration, file: URL) throws {
    if configuration.model.isConfiguration(
      withName: configuration.name, compatibleWithStoreMetadata: values)
    {
      return
    }
    throw CoreDataError.incompatibleModel(file, differences(from: configuration))
  }

  private func differences(from configuration: StoreConfiguration) -> String {
    let stored = values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    let known = configuration.versionHashes
    let changed = known.keys.filter { stored[$0] != nil && stored[$0] != known[$0] }
    let lists = [
      ("changed", Array(changed)),
      ("only in the store", stored.keys.filter { known[$0] == nil }),
      ("only in the model", known.keys.filter { stored[$0] == nil }),
    ]
    let parts = lists.filter { !$0.1.isEmpty }.map { label, names in
      let shown = names.sorted().prefix(5).joined(separator: ", ")
      return "\(label): \(shown)\(names.count > 5 ? " and \(names.count - 5) more" : "")"
    }
    return parts.isEmpty ? "the store names no entities" : parts.joined(separator: "; ")
  }
}
