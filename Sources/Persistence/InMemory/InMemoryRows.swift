/// All rows that a query without a predicate is about, as they were when it was asked.
struct InMemoryRows {
  private let table: InMemoryTable
  private let anchor: StoreAnchor
  /// By kind of the table's rows, whether they are wanted.
  private let wanted: ContiguousArray<Bool>

  init(of query: StoreQuery, in store: InMemoryStore) {
    table = store.tables[query.entity.hierarchyIndex]
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

  func storeRow(_ row: Row, withValues: Bool) -> StoreRow {
    let id = ManagedObjectID(
      entity: table.rows.entity(row.number), primaryKey: row.key, anchor: anchor)
    return StoreRow(
      objectID: id, version: table.rows.version(row.number),
      values: withValues ? table.rows.values(row.number) : [])
  }
}
