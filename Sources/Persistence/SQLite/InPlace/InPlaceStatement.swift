/// A statement by which Core Data would do a part of a lightweight step inside the store's own file. Nothing
/// here ever runs one: they are told, and looked at against the file's schema.
package enum InPlaceStatement: Sendable {
  case makesTable(String, by: String)
  case makesIndex(String, by: String)
  case renamesTable(String, to: String)
  case addsColumn(String, type: String, to: String)
  case renamesColumn(String, to: String, in: String)
  /// Makes nothing with a name of its own.
  case other(String)

  package var sql: String {
    switch self {
    case .makesTable(_, let sql), .makesIndex(_, let sql), .other(let sql): sql
    case .renamesTable(let table, let name): "ALTER TABLE \(table) RENAME TO \(name)"
    case .addsColumn(let column, let type, let table):
      "ALTER TABLE \(table) ADD COLUMN \(column) \(type)"
    case .renamesColumn(let column, let name, let table):
      "ALTER TABLE \(table) RENAME COLUMN \(column) TO \(name)"
    }
  }

  /// How well it is known.
  package enum Basis: String, Sendable {
    /// Files that Core Data migrated show that it does this.
    case observed
    /// Something must do it; by which statement isn't known.
    case assumed
  }

  // Core Data: observed in 41 stores whose tables end with added columns, and 37 whose tables are in quotation
  // marks since they were renamed; assumed for columns, which older systems can't rename by one statement.
  package var basis: Basis {
    switch self {
    case .makesTable, .makesIndex, .renamesTable, .addsColumn: .observed
    case .renamesColumn, .other: .assumed
    }
  }
}
