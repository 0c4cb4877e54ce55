/// All rows that a query without a predicate is about, as they were when it was asked.
struct InMemoryRows {
  private let table: InMemoryTable
  private let anchor: StoreAnchor
  /// By kind of the table's rows, whether they are wanted.
  private let wanted: ContiguousArray<Bool>

  init(of query: StoreQuery, in store: InMemoryStore) {
    table = store.tables[query.entity.familyIndex]
    anchor = store.anchor
    wanted = table.rows.kinds(where: query.concerns)
  }

  /// Where a row is.
  struct Row {
    let key: Int64
    fileprivate let number: Int
  }

  /// Gives each row, in the order of their keys.
  /// - Parameter body: Returns false to stop.
  @inline(__always)
  func forEachRow(_ body: (Row) throws -> Bool) rethrows {
    try table.forEachRow { key, number in
      guard wanted[table.rows.kind(number)] else { return true }
      return try body(Row(key: key, number: number))
    }
  }

  func version(_ row: Row) -> Int64 { table.rows.version(row.number) }

  /// Copies a row's values into an array, which stays where it is if it is as long.
  func copyValues(of row: Row, to values: inout ContiguousArray<Value>) {
    table.rows.copyValues(row.number, to: &values)
  }

  func isOf(_ entity: EntityDescription, _ row: Row) -> Bool {
    table.rows.kind(of: entity) == table.rows.kind(row.number)
  }

  func identifier(of row: Row) -> ManagedObjectID {
    ManagedObjectID(
      entity: table.rows.entity(row.number), primaryKey: row.key, anchor: anchor)
  }

  /// Makes an identifier that of a row, which is another one where somebody else has it.
  func identify(_ row: Row, by id: inout ManagedObjectID) {
    if isKnownUniquelyReferenced(&id), uncounted(id, { isOf($0.entity, row) }) {
      uncounted(id) { $0.reuse(for: row.key) }
    } else {
      id = identifier(of: row)
    }
  }

  /// What a context finds the row's object by.
  func key(of row: Row) -> ManagedObjectID.Key {
    ManagedObjectID.Key(
      primaryKey: row.key, family: uncounted(table.rows.entity(row.number)) { $0.familyID },
      store: anchor.number)
  }

  func storeRow(_ row: Row) -> StoreRow {
    StoreRow(
      objectID: identifier(of: row), version: version(row), values: table.rows.values(row.number))
  }

  /// What a row was given with, which serves for the next one unless somebody has kept it.
  struct Lent {
    fileprivate var id: ManagedObjectID?
    fileprivate var values: ContiguousArray<Value> = []
  }

  func storeRow(_ row: Row, _ lent: inout Lent, withValues: Bool) -> StoreRow {
    if lent.id == nil { lent.id = identifier(of: row) } else { identify(row, by: &lent.id!) }
    if withValues { copyValues(of: row, to: &lent.values) }
    return StoreRow(objectID: lent.id!, version: version(row), values: lent.values)
  }
}
