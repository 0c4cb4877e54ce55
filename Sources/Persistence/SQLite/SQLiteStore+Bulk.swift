// Writing very many rows into a fresh store.

/// What a bulk keeps until it ends.
struct BulkState {
  /// Whether a save that fails leaves those before it as they were.
  let undoesSaves: Bool
  /// The statements of indexes to be made at the end, by table.
  var deferredIndexes: [String: [String]] = [:]
  /// The statements of unique indexes that are left out while rows are spilled; nil where they are
  /// there.
  var uniqueIndexes: [String]?
  /// How often an attribute was looked up, by column.
  var probeCounts: [String: Int] = [:]
  /// The indexes made for look-ups only, which no store of Core Data has.
  var probeIndexes: [String] = []
  /// The files of large values, those written not yet durable, those replaced still there.
  var files = ExternalFileChanges()
  /// The store's generation when all values were derived last; nil when they weren't.
  var derivedGeneration: Int?
  /// The highest key given out, by root entity.
  private var highestKeys: [ObjectIdentifier: Int64] = [:]

  init(undoesSaves: Bool) { self.undoesSaves = undoesSaves }

  mutating func reserve(
    _ count: Int, of root: EntityDescription, in store: SQLiteStore
  ) throws -> Int64 {
    let key = ObjectIdentifier(root)
    let highest = try highestKeys[key] ?? store.highestKey(of: root)
    highestKeys[key] = highest + Int64(count)
    return highest + 1
  }
}

extension BulkState {
  /// Notes the highest key that was given out.
  mutating func note(highestKey key: Int64, of root: EntityDescription) {
    highestKeys[ObjectIdentifier(root)] = key
  }
}

extension SQLiteStore {
  func beginGathering(undoesSaves: Bool) throws {
    try requireWritable()
    guard bulk == nil else { return }
    // An existing store's log is checkpointed before syncing is switched off; a new one has none.
    if !isNew { try database.keepJournalInMemory() }
    try database.execute("PRAGMA synchronous = OFF")
    if isNew { try database.keepJournalInMemory() }
    try database.execute(Self.bulkCacheSize)
    try database.execute("BEGIN IMMEDIATE")
    var state = BulkState(undoesSaves: undoesSaves)
    for root in schema.tables.map(\.root) where try isEmpty(schema.table(of: root)) {
      try takeIndexes(of: schema.table(of: root), into: &state)
    }
    for join in schema.joins where try isEmpty(join.name) {
      try takeIndexes(of: join.name, into: &state)
    }
    bulk = state
  }

  /// Gathers from the beginning: a new file without a log, whose indexes weren't made yet.
  func beginFirstGathering() throws {
    try database.execute(Self.bulkCacheSize)
    try database.execute("BEGIN IMMEDIATE")
    var state = BulkState(undoesSaves: true)
    for index in schema.indexes where !index.isUnique {
      state.deferredIndexes[index.table, default: []].append(index.statement)
    }
    for index in schema.rTrees {
      state.deferredIndexes[index.table, default: []] +=
        index.statements + [index.filling] + index.notingStatements
      database.dueBeforeCommit.append(index.renewingStatements)
    }
    bulk = state
  }

  func endGathering(durably: Bool) throws {
    guard let state = bulk else { return }
    for index in state.probeIndexes { try database.execute("DROP INDEX \(index)") }
    for table in state.deferredIndexes.keys.sorted() { try needIndexes(of: table) }
    if state.derivedGeneration != generation { try deriveAll(includingOwn: false) }
    try synchronizeExternal(state.files.written)
    try database.commit()
    bulk = nil
    for name in state.files.replaced { external.remove(name) }
    if durably { try database.startLogging() }
  }

  private static let bulkCacheSize = "PRAGMA cache_size = -32000"

  /// Undoes everything since ``beginBulk()``.
  func abandonBulk() throws {
    guard let state = bulk else { return }
    bulk = nil
    if database.isInTransaction { try database.execute("ROLLBACK") }
    for name in state.files.written { external.remove(name) }
    if !isNew { try database.startLogging() }
  }

  /// Makes the indexes of a table now that they are to be used.
  func needIndexes(of table: String) throws {
    guard let statements = bulk?.deferredIndexes.removeValue(forKey: table) else { return }
    // SQLite sorts runs of the cache's size. Runs of 4 MB fit the processor's own cache; larger ones, of
    // many equal values above all, are sorted more slowly than they are merged.
    try database.execute("PRAGMA cache_size = -4000")
    // SQLite sorts one run on a thread of its own while it gathers the next.
    if SecondThread.current != .never { try database.execute("PRAGMA threads = 1") }
    for statement in statements { try database.execute(statement) }
    try database.execute(Self.bulkCacheSize)
  }

  private func isEmpty(_ table: String) throws -> Bool {
    try database.integer("SELECT 1 FROM \(table) LIMIT 1") == nil
  }

  /// Drops a table's indexes for the time being; unique ones stay, since they refuse rows.
  private func takeIndexes(of table: String, into state: inout BulkState) throws {
    let plain = table.replacing("\"", with: "").replacing("'", with: "''")
    let indexes = try dropIndexes(
      where: "tbl_name = '\(plain)' AND sql IS NOT NULL AND sql NOT LIKE 'CREATE UNIQUE%'")
    if !indexes.isEmpty { state.deferredIndexes[table] = indexes }
  }

  /// - Returns: The statements that make them again.
  func dropIndexes(where condition: String) throws -> [String] {
    let indexes = try database.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND \(condition)"
    ) { (name: $0.text(0), sql: $0.text(1)) }
    for index in indexes { try database.execute("DROP INDEX \(StoreNames.quoted(index.name))") }
    return indexes.map(\.sql)
  }
}

// MARK: - Look-ups

extension SQLiteStore {
  /// From this look-up on, an attribute has an index while the bulk lasts.
  private static let probesWithoutIndex = 4

  /// A policy that looks up `name == %@` for each source object would otherwise read the whole table
  /// each time.
  func noteProbe(of query: StoreQuery) throws {
    guard let probe = query.predicate?.equalityProbe(),
      let column = schema.column(named: probe.key, of: query.entity)
    else { return }
    let table = schema.table(of: query.entity)
    let count = (bulk?.probeCounts["\(table).\(column)"] ?? 0) + 1
    bulk?.probeCounts["\(table).\(column)"] = count
    guard count == Self.probesWithoutIndex, !schema.hasIndex(on: column, of: table) else { return }
    try makeProbeIndex(on: column, of: table)
  }

  /// Makes an index that is dropped at the end.
  func makeProbeIndex(on column: String, of table: String) throws {
    let name = StoreNames.quoted("HW_\(table)_\(column)".replacing("\"", with: ""))
    if bulk?.probeIndexes.contains(name) != false { return }
    try database.execute("CREATE INDEX \(name) ON \(table) (\(column))")
    bulk?.probeIndexes.append(name)
  }
}
