/// A store in Core Data's own SQLite layout: what it writes Core Data and every tool for its stores
/// can read, and a store from a device opens directly.
///
/// Rows are streamed and written with prepared statements; nothing is cached between calls, so
/// memory doesn't grow with the store.
public final class SQLiteStore: PersistentStore {
  let file: StoreFile
  let schema: StoreSchema
  var metadataHasChanged = false
  /// Whether this object made the file, so that it knows all rows to be sound.
  let isNew: Bool
  /// Set while many saves are gathered in one transaction.
  var bulk: BulkState?
  /// Facts about damaged rows met so far.
  public internal(set) var findings: [StoreFinding] = []
  var knownFindings: Set<StoreFinding> = []

  var readers: [RowReaderKey: RowReader] = [:]
  var writers: [ObjectIdentifier: RowWriter] = [:]
  var linkReaders: [ObjectIdentifier: LinkReader] = [:]
  var linkWriters: [ObjectIdentifier: LinkWriter] = [:]
  var missingKeys: [ObjectIdentifier: Set<Int64>] = [:]
  var lastTranslation: TranslatedPredicate?
  /// The root entities whose table is here.
  private(set) lazy var ownRoots = Set(schema.tables.map { ObjectIdentifier($0.root) })
  /// The root entities known to have rows.
  var populated: Set<ObjectIdentifier> = []
  /// The root entities known to have none since a save.
  var empty: (generation: Int, roots: Set<ObjectIdentifier>) = (0, [])
  let external: ExternalData
  /// What it keeps while new objects are spilled to it.
  let spill = SpillState()
  /// Whether rows are being read on another thread.
  var isReadingAhead = false
  /// How often differences from SQL were looked for, by the predicate's shape.
  var askedDifferences: [String: Int] = [:]

  /// Opens the rows of a file whose model is known by now.
  /// - Throws: `CoreDataError`: `.persistentStoreIncompatibleVersionHash` (134100) when the store
  ///   was written with another model, `.persistentStoreIncompatibleSchema` when its tables don't
  ///   fit the model all the same.
  public convenience init(_ file: StoreFile, model: ManagedObjectModel) throws {
    try self.init(file, configuration: StoreConfiguration(model: model))
  }

  /// Opens the rows of a file that holds one configuration of a model.
  /// - Parameter ignoresVersion: Whether only its tables must fit, whatever the version hashes are.
  /// - Throws: As ``init(_:model:)``.
  public convenience init(
    _ file: StoreFile, configuration: StoreConfiguration, ignoresVersion: Bool = false
  ) throws {
    if !ignoresVersion {
      try file.storeMetadata.check(against: configuration, file: file.url)
    }
    let schema = try StoreSchema.existing(for: configuration, in: file.database)
    self.init(file: file, schema: schema, isNew: false)
    if !isReadOnly { try followRTrees() }
  }

  private init(file: StoreFile, schema: StoreSchema, isNew: Bool) {
    self.file = file
    self.schema = schema
    self.isNew = isNew
    external = ExternalData(folder: file.files.resolved.externalDataFolderURL)
    super.init(
      configuration: schema.configuration, identifier: file.identifier, url: file.url)
  }

  /// The connection, once nobody writes on another thread.
  var database: Database {
    spill.flusher?.finish()
    return file.database
  }

  /// The connection for reading, once all is written.
  /// - Throws: Why something couldn't be: without it what is read would be wrong.
  func readingDatabase() throws -> Database {
    spill.flusher?.noteReading()
    try finishWriting()
    return file.database
  }

  public override var isReadOnly: Bool { file.isReadOnly }

  // What another thread writes has its statements already: there is nothing to wait for.
  package override var statementCount: Int { file.database.activity.statements }

  public override var type: String { "SQLite" }

  public override var hasUnsavedMetadata: Bool { metadataHasChanged }

  public override var metadata: [String: Any] {
    get { file.storeMetadata.dictionary }
    set {
      file.storeMetadata.replaceOthers(by: newValue)
      metadataHasChanged = true
    }
  }

  // MARK: Rows

  public override func reservePrimaryKeys(
    _ count: Int, for entity: EntityDescription
  ) throws -> Int64 { try reserveKeys(count, for: entity) }

  public override func mayHaveRows(of entity: EntityDescription) -> Bool { hasRows(of: entity) }

  public override func row(for id: ManagedObjectID) throws -> StoreRow? { try readRow(id) }

  public override func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) throws -> [ManagedObjectID] { try readDestinations(of: relationship, from: id) }

  public override func rows(for ids: [ManagedObjectID]) throws -> [StoreRow] {
    try readRows(ids)
  }

  public override func destinations(
    of relationship: RelationshipDescription, fromEach ids: [ManagedObjectID]
  ) throws -> [ManagedObjectID: [ManagedObjectID]] {
    try readDestinations(of: relationship, fromEach: ids)
      ?? super.destinations(of: relationship, fromEach: ids)
  }

  public override func enumerate(
    _ table: TableQuery, _ body: ([Value]) throws -> Bool
  ) throws -> Bool { try streamTable(table, body) }

  public override func capability(for query: StoreQuery) -> QueryCapability {
    abilities(for: query)
  }

  public override func checkSupport(for query: StoreQuery) throws {
    try FetchSupport(query: query).check()
  }

  public override func enumerateRows(
    matching query: StoreQuery, _ body: (StoreRow) throws -> Bool
  ) throws { try streamRows(matching: query, body) }

  public override func count(of query: StoreQuery) throws -> Int {
    try spilledCount(of: query) ?? countRows(matching: query)
  }

  public override func owner(
    of key: [Value], under constraint: UniquenessConstraint
  ) throws -> ManagedObjectID? { try storedOwner(of: key, under: constraint) }

  public override func save(_ changes: SaveRequest) throws { try writeAll(changes) }

  /// While rows are gathered in bulk, derived values wait for its end.
  override var derivesLater: Bool { bulk != nil }

  public override var takesLinksToMissingRows: Bool { true }

  public override func apply(options: [AnyHashable: Any]) throws {
    try apply(pragmas: Self.pragmas(in: options))
  }

  override func rowsAhead(of query: StoreQuery) throws -> RowPrefetcher? {
    try prefetchedRows(query)
  }

  /// Starts to gather the following saves in one transaction, for filling a store fast.
  ///
  /// Until ``endBulk(durably:)`` nothing is durable. Indexes that only serve to find rows are made at the
  /// end, or when a relationship or predicate first needs them. End with ``endBulk(durably:)``, or give the
  /// store up with ``discard()``.
  ///
  /// - Parameter undoesSaves: Whether a save that fails can be undone by itself. For that each page that a
  ///   save changes is copied first; whoever gives the store up at the first failure can spare it.
  public override func beginBulk(undoesSaves: Bool = true) throws {
    try beginGathering(undoesSaves: undoesSaves)
  }

  /// Makes the indexes, commits and makes everything durable.
  /// - Parameter durably: False for a store that is thrown away again.
  /// - Throws: `CoreDataError`; call ``discard()`` then.
  public override func endBulk(durably: Bool = true) throws {
    try endGathering(durably: durably)
  }

  override func setTime(_ time: Date, of derivation: Derivation, _ ids: [ManagedObjectID]) throws {
    try writeTime(time, of: derivation, ids)
  }

  override func update(
    _ query: StoreQuery, setting assignments: [BatchAssignment], listsIDs: Bool
  ) throws -> BatchOutcome? { try updateByStatement(query, assignments, listsIDs: listsIDs) }

  override func delete(_ rows: BatchSelection, listsIDs: Bool) throws -> BatchOutcome? {
    try deleteByStatements(rows, listsIDs: listsIDs)
  }

  override func rewrite(_ derivation: Derivation, of ids: [ManagedObjectID]) throws {
    try rewriteRows(derivation, of: ids)
  }

  package override var isFilledBySQL: Bool { true }

  package override func fill(
    from source: PersistentStore, by plan: MigrationPlan, listsKeys: Bool
  ) throws -> TransferResult {
    guard let source = source as? SQLiteStore else {
      throw PlanUnsupported("the stores are of different types")
    }
    return try fillBySQL(from: source, by: plan, listsKeys: listsKeys)
  }

  package override func sqlDifference(of query: StoreQuery) throws -> SQLDifference? {
    try differenceFromMemory(of: query)
  }

  public override func close() throws { try checkpointAndClose() }
}

// MARK: - Opening

extension SQLiteStore {
  /// Makes a new, empty store.
  /// - Parameters:
  ///   - identifier: The store's UUID; give the source's to keep it through a migration.
  ///   - metadata: What an app keeps there; keys that describe the model are left out.
  /// - Throws: `CoreDataError` when a file is there already, it can't be written, or the model has
  ///   something that an SQLite store can't hold.
  public static func create(
    at url: URL, model: ManagedObjectModel, identifier: String = UUID().uuidString,
    metadata: [String: Any] = [:]
  ) throws -> SQLiteStore {
    try create(
      at: url, configuration: StoreConfiguration(model: model), identifier: identifier,
      metadata: metadata)
  }

  /// Makes a new, empty store for one configuration of a model.
  /// - Throws: As ``create(at:model:identifier:metadata:)``.
  public static func create(
    at url: URL, configuration: StoreConfiguration, identifier: String = UUID().uuidString,
    metadata: [String: Any] = [:]
  ) throws -> SQLiteStore {
    try create(
      at: url, configuration: configuration, identifier: identifier, metadata: metadata,
      isForBulk: false)
  }

  /// Makes a new, empty store in which a bulk has begun, as by ``beginBulk(undoesSaves:)``.
  /// - Throws: As ``create(at:model:identifier:metadata:)``.
  package static func createForBulk(
    at url: URL, model: ManagedObjectModel, identifier: String, metadata: [String: Any]
  ) throws -> SQLiteStore {
    let store = try create(
      at: url, configuration: StoreConfiguration(model: model), identifier: identifier,
      metadata: metadata, isForBulk: true)
    try store.beginFirstGathering()
    return store
  }

  private static func create(
    at url: URL, configuration: StoreConfiguration, identifier: String,
    metadata: [String: Any], isForBulk: Bool
  ) throws -> SQLiteStore {
    if let names = configuration.entities.rootsOfOneTable.first {
      throw CoreDataError.sharedTable(names, in: url)
    }
    let schema = try StoreSchema.fresh(for: configuration)
    let values = StoreMetadata(for: configuration, identifier: identifier, adding: metadata)
    let file = try StoreFile(
      creating: url, schema: schema, metadata: values, isForBulk: isForBulk)
    let store = SQLiteStore(file: file, schema: schema, isNew: true)
    if !isForBulk, !schema.rTrees.isEmpty { try store.followRTrees() }
    return store
  }

  /// Keeps the R-trees of the file as its rows are, from now on.
  private func followRTrees() throws {
    for index in try RTreeIndex.all(in: database) {
      for statement in index.notingStatements { try database.execute(statement) }
      database.dueBeforeCommit.append(index.renewingStatements)
    }
  }

  /// Opens an existing store for reading and writing.
  /// - Throws: As ``init(_:model:)`` and ``StoreFile/init(updating:)``.
  public static func open(at url: URL, model: ManagedObjectModel) throws -> SQLiteStore {
    try SQLiteStore(StoreFile(updating: url), model: model)
  }

  /// Opens an existing store for reading, which changes nothing on disk.
  /// - Throws: As ``init(_:model:)`` and ``StoreFile/init(readingFrom:)``.
  public static func openReadOnly(at url: URL, model: ManagedObjectModel) throws -> SQLiteStore {
    try SQLiteStore(StoreFile(readingFrom: url), model: model)
  }

  /// The metadata of the store at `url`, without its model and without changing anything.
  public static func metadata(at url: URL) throws -> [String: Any] {
    try StoreFile(readingFrom: url).metadata
  }

  /// The model kept in the store at `url`, read without changing anything; nil in stores of old
  /// frameworks, which have none.
  public static func cachedModel(at url: URL) throws -> ManagedObjectModel? {
    try StoreFile(readingFrom: url).cachedModel()
  }

  func requireWritable() throws {
    guard isReadOnly else { return }
    throw CoreDataError.isReadOnly(file.url)
  }
}

// MARK: - Closing and looking after the file

extension SQLiteStore {
  /// Merges the write-ahead log into the database, makes all of it durable and releases the files.
  /// Afterwards the store is the one file at ``url``, and the folder of large values if it has any.
  /// A bulk that wasn't ended is undone.
  public func checkpointAndClose() throws {
    try abandonBulk()
    if !isReadOnly, database.handle != nil {
      try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    forgetStatements()
    database.close()
  }

  /// Gives up a store that this object created: releases and removes all its files. A store that
  /// existed before is only closed, without what wasn't saved.
  public func discard() throws {
    try abandonBulk()
    forgetStatements()
    database.close()
    if isNew { try file.discardFiles() }
  }

  private func forgetStatements() {
    spill.forgetStatements()
    writers = [:]
    linkReaders = [:]
    linkWriters = [:]
  }

  /// What SQLite finds wrong with the file's structure; empty when it is sound.
  public func integrityCheck() throws -> [String] {
    try database.texts("PRAGMA integrity_check").filter { $0 != "ok" }
  }
}

// MARK: - An app's pragmas

extension SQLiteStore {
  static func pragmas(in options: [AnyHashable: Any]) -> [String: String] {
    let given = options[PersistentStore.Option.sqlitePragmas] as? [AnyHashable: Any] ?? [:]
    return Dictionary(given.map { ("\($0.key)", "\($0.value)") }) { first, _ in first }
  }

  /// Sets SQLite's own options, as an app gives them under `NSSQLitePragmasOption`. Those that
  /// SQLite doesn't know have no effect, as on a device.
  /// - Throws: `CoreDataError` `.persistentStoreOpen` for a name or value that is more than one word.
  func apply(pragmas: [String: String]) throws {
    if isReadOnly { return }
    for (name, value) in pragmas.sorted(by: { $0.key < $1.key }) {
      guard [name, value].allSatisfy({ $0.wholeMatch(of: #/-?[A-Za-z0-9_]+/#) != nil }) else {
        throw CoreDataError.pragma(name, cannotBe: value, url)
      }
      _ = try database.texts("PRAGMA \(name) = \(value)")
    }
  }
}
