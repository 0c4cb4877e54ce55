extension SQLiteStore {
  /// The tables that nothing of the model is kept in, with their rows: persistent history,
  /// mirroring, an app's own. A migration carries none of them over.
  package func tablesBesideTheModel() throws -> [StoreInspection.TableRows] {
    let catalog = try StoreCatalog(of: database)
    let known = Set(
      ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
        + (schema.tables.map(\.name) + schema.joins.map(\.name)).map { StoreCatalog.plain($0) })
    return try catalog.tableNames.filter { !known.contains($0) }.map { table in
      let rows = try database.integer("SELECT count(*) FROM \(StoreNames.quoted(table))")
      return StoreInspection.TableRows(
        table: table, rows: rows.map { Int($0) }, relationship: nil)
    }
  }
}
