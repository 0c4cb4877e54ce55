/// Reads what a store says about itself, however little of it is sound.
struct MetadataReader {
  let database: Database
  private(set) var metadata: [String: Any] = [:]
  private(set) var facts = StoreMetadataFacts()
  private(set) var findings: [IntegrityFinding] = []

  init(database: Database) { self.database = database }

  mutating func read() {
    let isThere = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'Z_METADATA'"
    do {
      guard try database.integer(isThere) == 1 else {
        return findings.append(IntegrityFinding(.missingTable, table: "Z_METADATA"))
      }
      let rows = try database.with("SELECT Z_UUID, Z_PLIST FROM Z_METADATA") { statement in
        var rows: [(identifier: String, plist: Data)] = []
        while rows.count < 2, try statement.step() {
          rows.append((statement.text(0), statement.data(1)))
        }
        return rows
      }
      guard let row = rows.first else { return complain("the table Z_METADATA is empty") }
      if rows.count > 1 { complain("the table Z_METADATA has several rows; the first one is used") }
      read(row.identifier, row.plist)
    } catch {
      complain("the table Z_METADATA can't be read: \(error.shortReason)")
    }
  }

  private mutating func complain(_ detail: String, _ kind: IntegrityFinding.Kind = .metadata) {
    findings.append(IntegrityFinding(kind, detail: detail))
  }

  private mutating func read(_ identifier: String, _ plist: Data) {
    facts.identifier = identifier
    if UUID(uuidString: identifier) == nil {
      complain("the store's identifier isn't a UUID", .storeIdentifier)
    }
    guard let values = StoreMetadata.values(in: plist) else {
      return complain("Z_METADATA doesn't hold a property list")
    }
    metadata = values.merging(["NSStoreUUID": identifier]) { _, identifier in identifier }
    facts.frameworkVersion = (values["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue
    facts.versionIdentifiers = values["NSStoreModelVersionIdentifiers"] as? [String] ?? []
    facts.isMigrationPending = StoreMetadata.isMigrationPending(in: values)
    for (key, value) in values where StoreMetadata.isOwn(key) {
      facts.ownKeys[key] = Self.typeName(of: value)
    }
    readHashes(values)
  }

  private mutating func readHashes(_ values: [String: Any]) {
    guard let hashes = values["NSStoreModelVersionHashes"] as? [String: Data], !hashes.isEmpty
    else {
      return complain("the metadata has no version hashes, so that no model fits the store")
    }
    facts.entityHashes = hashes
  }

  private static func typeName(of value: Any) -> String {
    switch value {
    case is String: "string"
    case is Data: "data"
    case is Date: "date"
    case is [Any]: "array"
    case is [String: Any]: "dictionary"
    case is NSNumber: "number"
    default: "other"
    }
  }
}

// MARK: - The model cache

extension MetadataReader {
  /// The model in the store; nil where there is none or it can't be read.
  mutating func readModelCache() -> ManagedObjectModel? {
    do {
      guard let model = try database.cachedModel() else {
        checkSums(whole: nil)
        return nil
      }
      facts.hasModelCache = true
      compareHashes(of: model)
      checkSums(whole: model)
      return model
    } catch {
      facts.hasModelCache = true
      let cause = (error as? CoreDataError)?.underlying.map { ": \($0)" } ?? ""
      complain(error.shortReason + cause, .modelCache)
      return nil
    }
  }

  /// Digest and checksum are of the whole model, which a store of one configuration doesn't hold.
  private mutating func checkSums(whole model: ManagedObjectModel?) {
    guard let hashes = facts.entityHashes, model.map({ $0.entities.count == hashes.count }) ?? true
    else { return }
    let sums = [
      ("NSStoreModelVersionHashesDigest", VersionHash.digest(of: hashes)),
      ("NSStoreModelVersionChecksumKey", VersionHash.checksum(of: hashes)),
    ]
    for (key, expected) in sums {
      guard let recorded = metadata[key] as? String, recorded != expected else { continue }
      complain("\(key) doesn't belong to the version hashes beside it", .hashesDigest)
    }
  }

  /// The cache must be of the version that the hashes are of.
  private mutating func compareHashes(of model: ManagedObjectModel) {
    guard let recorded = facts.entityHashes else { return }
    let known = model.entities.filter(\.versionHashIsReliable)
    let names = Set(known.filter { recorded[$0.name] != $0.versionHash }.map(\.name))
      .union(recorded.keys.filter { model.entity(named: $0) == nil }).sorted()
    guard !names.isEmpty else { return }
    let shown = names.prefix(5).joined(separator: ", ")
    let more = names.count > 5 ? " and \(names.count - 5) more" : ""
    findings.append(
      IntegrityFinding(
        .staleModelCache,
        detail: "the store's own model has other version hashes than its "
          + "metadata for \(shown)\(more)", count: names.count))
  }
}
