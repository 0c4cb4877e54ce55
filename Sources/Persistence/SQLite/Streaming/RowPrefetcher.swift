/// The rows that answer a query, read on another thread from a connection of their own while those
/// before them are worked on.
///
/// For files that nobody changes: whoever works may ask the store for other rows meanwhile.
final class RowPrefetcher {
  private let store: SQLiteStore
  private let query: StoreQuery
  private let database: Database
  private let statement: Statement
  private let reader: RowBatchReader
  private let pump: RowPump
  private var batch = RowBatch()
  /// What comes behind the batch.
  private var end: Result<Void, any Error>?
  private var position = 0
  /// The plan of the row that was given last; the reader keeps it.
  private var plan: Unmanaged<RowPlan>?
  private var planNumber: Int64 = -1
  private var isRunning = true

  /// One row, until the next is asked for.
  struct Row {
    fileprivate let plan: Unmanaged<RowPlan>
    let key: Int64
    let version: Int64
    /// Where its values begin in the batch.
    fileprivate let start: Int

    /// What a context finds its object by, apart from the key.
    fileprivate var hierarchyID: ObjectIdentifier? {
      plan.takeUnretainedValue().entity.hierarchyID
    }
  }

  init(
    _ selection: SQLFragment, reader: RowBatchReader, query: StoreQuery, of store: SQLiteStore
  ) throws {
    self.store = store
    self.query = query
    self.reader = reader
    let own = store.database
    database = try Database(at: own.fileURL, access: own.access, shownAs: own.url)
    statement = try database.statement(selection.sql)
    for (index, value) in selection.bindings.enumerated() {
      try ColumnCodec.bind(constant: value, to: statement, at: Int32(index + 1))
    }
    pump = RowPump(statement, reader)
    store.isReadingAhead = true
  }

  deinit { stop() }

  /// Ends the reading. Once all rows were given, or no more are wanted.
  func stop() {
    guard isRunning else { return }
    isRunning = false
    pump.stop()
    database.release(statement)
    store.database.activity.add(database.activity)
    store.isReadingAhead = false
  }

  /// The next row; nil behind the last.
  func next() throws -> Row? {
    while position == batch.count {
      if let end {
        try end.get()
        return nil
      }
      end = pump.advance(&batch)
      position = 0
    }
    return try row(position)
  }

  private func row(_ index: Int) throws -> Row {
    let (key, number) = (batch.keys[index], batch.numbers[index])
    if number != planNumber {
      plan = reader.plan(forNumber: number).map { .passUnretained($0) }
      planNumber = number
    }
    guard let plan else { throw store.strangeRow(key, number: number, in: query) }
    if reader.isForeign(number) { store.reportForeignNumber(of: query.entity) }
    if index == batch.count - 1, case .failure(let column as UnreadableColumn) = end {
      let id = ManagedObjectID(
        entity: plan.takeUnretainedValue().entity, primaryKey: key, anchor: store.anchor)
      throw store.located(column.error, slot: column.slot, of: id)
    }
    position = index + 1
    return Row(
      plan: plan, key: key, version: batch.versions[index], start: index * batch.width)
  }

  /// Moves the values of the row that was given last into an array for them.
  func move(_ row: Row, to values: inout ContiguousArray<Value>) throws {
    try batch.moveRow(at: row.start, to: &values, row.plan.takeUnretainedValue(), in: store)
  }

  func storeRow(_ row: Row) throws -> StoreRow {
    var values = ContiguousArray<Value>(repeating: .null, count: entity(of: row).slotCount)
    try move(row, to: &values)
    return StoreRow(objectID: identifier(of: row), version: row.version, values: values)
  }

  func identifier(of row: Row) -> ManagedObjectID {
    ManagedObjectID(entity: entity(of: row), primaryKey: row.key, anchor: store.anchor)
  }

  private func entity(of row: Row) -> EntityDescription { row.plan.takeUnretainedValue().entity }

  /// What a context finds the row's object by.
  func key(of row: Row) -> ManagedObjectID.Key {
    ManagedObjectID.Key(
      primaryKey: row.key, hierarchy: row.hierarchyID, store: store.number)
  }
}

extension SQLiteStore {
  /// The rows of a query, read ahead; nil where that isn't possible or doesn't pay.
  func prefetchedRows(_ query: StoreQuery) throws -> RowPrefetcher? {
    guard case .immutable = database.access, !isReadingAhead, query.includesValues,
      abilities(for: query) == .all, try isWorthReadingAhead(query.entity)
    else { return nil }
    let reader = try reader(for: query.entity, includesSubentities: query.includesSubentities)
    guard let batches = RowBatchReader(reader) else { return nil }
    return try RowPrefetcher(
      selection(reader.columnList, for: query), reader: batches, query: query, of: self)
  }

  private func isWorthReadingAhead(_ entity: EntityDescription) throws -> Bool {
    let least = SecondThread.current.leastRows
    if least == 0 || least == .max { return least == 0 }
    let number = entity.rootEntity.map { schema.numbers[$0] } ?? 0
    let rows = try database.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", number)
    return rows ?? 0 >= least
  }
}
