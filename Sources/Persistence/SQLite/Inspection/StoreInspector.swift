/// Looks at a store of any model, whole or damaged, and changes nothing on disk.
///
/// In two steps, since what the store says about itself tells which model to check it against:
/// ```swift
/// let inspector = try StoreInspector(of: url)
/// let inspection = try inspector.inspect(with: inspector.cachedModel)
/// ```
public final class StoreInspector {
  public let url: URL
  /// The store's metadata; empty where it can't be read.
  public let metadata: [String: Any]
  /// The model the store keeps of itself; nil where there is none or it can't be read.
  public let cachedModel: ManagedObjectModel?
  private let untouched: UntouchedDatabase
  private let facts: StoreMetadataFacts
  private let findings: [IntegrityFinding]

  /// Opens the file and reads what it says about itself.
  /// - Throws: `CoreDataError` when there is no such file, SQLite can't read it, or it has neither
  ///   of the tables `Z_METADATA` and `Z_PRIMARYKEY`, so that it is no store.
  public convenience init(of url: URL) throws {
    try self.init(reading: UntouchedDatabase(at: url), at: url)
  }

  /// Reads what a store that is open for reading says about itself.
  /// - Throws: As ``init(of:)``.
  package convenience init(of store: SQLiteStore) throws {
    guard let untouched = store.file.untouched else {
      try self.init(of: store.file.url)
      return
    }
    try self.init(reading: untouched, at: store.file.url)
  }

  private init(reading untouched: UntouchedDatabase, at url: URL) throws {
    self.url = url
    self.untouched = untouched
    let database = untouched.database
    try Self.requireStore(database)
    var reader = MetadataReader(database: database)
    reader.read()
    cachedModel = reader.readModelCache()
    metadata = reader.metadata
    facts = reader.facts
    findings = reader.findings
  }

  private static func requireStore(_ database: Database) throws {
    let own = try database.texts(
      """
      SELECT name FROM sqlite_master
      WHERE type = 'table' AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')
      """)
    guard own.isEmpty else { return }
    throw CoreDataError.notAStore(database.url, "it has no tables Z_METADATA and Z_PRIMARYKEY")
  }

  /// Counts and checks everything in the store.
  /// - Parameters:
  ///   - model: The model that wrote the store; nil to look only at what tables and metadata say.
  ///     Which configuration of it the store holds is found by the entities in the metadata.
  ///   - rowLimit: How many rows a finding names.
  /// - Throws: `CoreDataError` when SQLite can't even list the tables.
  /// - Complexity: A few passes over each table.
  public func inspect(
    with model: ManagedObjectModel?, rowLimit: Int = 5
  ) throws -> StoreInspection {
    var inspection = StoreInspection(file: fileFacts(), metadata: facts)
    inspection.findings =
      findings + logFindings(inspection.file.journal) + truncation(inspection.file.journal)
    let audit = try StoreAudit(
      untouched.database, files: PersistentStoreFiles(url),
      configuration: model.map {
        StoreConfiguration(model: $0, holding: facts.entityHashes)
      }, rowLimit: max(0, rowLimit))
    audit.run()
    audit.describe(&inspection)
    if facts.isMigrationPending { audit.notePending(inspection.otherTables) }
    inspection.findings = (inspection.findings + audit.findings).worstFirst
    return inspection
  }

  // MARK: The file

  private func fileFacts() -> StoreFileFacts {
    let files = PersistentStoreFiles(url).resolved
    var facts = StoreFileFacts(
      journal: JournalState(of: files), wasReadFromCopy: untouched.isCopy)
    facts.byteCount = files.databaseSize
    facts.pageSize = pragma("page_size")
    facts.pageCount = pragma("page_count")
    facts.freePages = pragma("freelist_count")
    return facts
  }

  /// 0 where the file can't say: a fact for people, which no verdict depends on.
  private func pragma(_ name: String) -> Int {
    let value = try? untouched.database.integer("PRAGMA \(name)")
    return value.flatMap { $0 }.map { Int($0) } ?? 0
  }

  /// Of a file without pages in a log that are yet to be written to it.
  private func truncation(_ journal: JournalState) -> [IntegrityFinding] {
    guard journal.log == nil, let cut = TruncatedDatabase(PersistentStoreFiles(url).resolved.url)
    else { return [] }
    return [IntegrityFinding(.sqliteIntegrity, detail: "\(cut)")]
  }

  private func logFindings(_ journal: JournalState) -> [IntegrityFinding] {
    guard let log = journal.log else { return [] }
    if !log.isReadable {
      return [
        IntegrityFinding(
          .unreadableLog,
          detail: "the -wal file (\(log.byteCount) bytes) isn't a write-ahead log; what was in it "
            + "can't be seen")
      ]
    }
    if log.brokenCommits > 0 {
      return [
        IntegrityFinding(
          .unreadableLog,
          detail: "the -wal file (\(log.byteCount) bytes) has a wrong checksum, from where SQLite "
            + "ignores it; transactions committed there: \(log.brokenCommits)")
      ]
    }
    guard log.committedFrames == 0 else { return [] }
    var finding = IntegrityFinding(
      .unreadableLog,
      detail: "the -wal file (\(log.byteCount) bytes) has no committed change that is intact; "
        + "was it copied while the app wrote to it, or together with another store?")
    // An app that ends in its first save after a checkpoint leaves the same, and nothing is lost.
    finding.severity = .warning
    return [finding]
  }
}

extension SQLiteStore {
  /// What is wrong with the store and wasn't noticed in reading it: a value of another type is read as one of its own.
  package func unnoticedDamage() throws -> [IntegrityFinding] {
    try StoreInspector(of: self).inspect(with: model, rowLimit: 0).findings.filter { damage in
      let isNoticed = findings.contains {
        $0.entity == damage.entity && $0.property == damage.property
      }
      return damage.severity == .error && !isNoticed
    }
  }
}
