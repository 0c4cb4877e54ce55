// What the store answers by itself.

extension SQLiteStore {
  func abilities(for query: StoreQuery) -> QueryCapability {
    var capability: QueryCapability = []
    if query.predicate == nil { capability.insert(.predicate) }
    if query.sortDescriptors.isEmpty { capability.insert(.sort) }
    return capability
  }

  func countRows(matching query: StoreQuery) throws -> Int {
    let sql = try selection("1", for: query)
    return Int(try database.integer("SELECT count(*) FROM (\(sql))") ?? 0)
  }

  /// Whether a family has rows. Asks SQLite until there are some.
  func hasRows(of entity: EntityDescription) -> Bool {
    guard let root = entity.rootEntity else { return true }
    if populated.contains(ObjectIdentifier(root)) { return true }
    let first = try? database.integer("SELECT 1 FROM \(schema.table(of: root)) LIMIT 1")
    if first == .some(nil) { return false }
    populated.insert(ObjectIdentifier(root))
    return true
  }

  /// The SELECT statement for what the store can do of `query`.
  func selection(_ columns: String, for query: StoreQuery) throws -> String {
    var sql = "SELECT \(columns) FROM \(schema.table(of: query.entity))"
    let condition = schema.condition(
      for: query.entity, withSubentities: query.includesSubentities)
    if let condition { sql += " WHERE \(condition)" }
    sql += " ORDER BY Z_PK"
    if abilities(for: query) == .all, query.limit > 0 || query.offset > 0 {
      sql += " LIMIT \(query.limit > 0 ? query.limit : -1) OFFSET \(max(query.offset, 0))"
    }
    return sql
  }
}
