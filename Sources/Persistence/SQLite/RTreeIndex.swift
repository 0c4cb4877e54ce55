/// An R-tree index: a virtual table, and three triggers that keep it as the rows are.
// Core Data: observed in 39 stores. The triggers are plain SQL; in four stores that were migrated in place
// they are gone, and nothing keeps the table any more.
struct RTreeIndex {
  let name: String
  /// As SQL takes it.
  let table: String
  let columns: [String]

  private var bounds: [String] {
    columns.flatMap { [StoreNames.quoted("\($0)_MIN"), StoreNames.quoted("\($0)_MAX")] }
  }

  private var tree: String { StoreNames.quoted(name) }

  private var values: String {
    columns.map(StoreNames.quoted).flatMap { [$0, $0] }.joined(separator: ", ")
  }

  private var tableStatement: String {
    "CREATE VIRTUAL TABLE \(tree) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
      + bounds.map { "\($0) FLOAT" }.joined(separator: ", ") + ")"
  }

  /// What is done after a row was inserted, updated or deleted.
  private var triggers: [(event: String, body: String)] {
    let values = columns.map { "NEW.\(StoreNames.quoted($0))" }.flatMap { [$0, $0] }
      .joined(separator: ", ")
    let row = "\(tree) (Z_PK, \(bounds.joined(separator: ", "))) VALUES (NEW.Z_PK, \(values))"
    let removal = "DELETE FROM \(tree) WHERE Z_PK ="
    return [
      ("INSERT", "INSERT OR REPLACE INTO \(row)"),
      ("UPDATE", "\(removal) NEW.Z_PK ; INSERT INTO \(row)"),
      ("DELETE", "\(removal) OLD.Z_PK"),
    ]
  }

  private func trigger(_ event: String) -> String { StoreNames.quoted("\(name)_\(event)") }

  /// What makes it in a file.
  var statements: [String] {
    [tableStatement]
      + triggers.map { event, body in
        "CREATE TRIGGER \(trigger(event)) AFTER \(event) ON \(table) FOR EACH ROW BEGIN \(body) ; END"
      }
  }

  /// What fills it with the rows that are there already.
  var filling: String { "INSERT INTO \(tree) SELECT Z_PK, \(values) FROM \(table)" }

  // MARK: Keeping it

  /// The rows that were written since it was last as the rows are.
  private var stale: String { StoreNames.quoted("\(name)_STALE") }

  /// What notes, in a connection alone, which rows are written: the triggers of a file never run, since it
  /// may be anybody's, and for the same reason SQLite lets no trigger write to a virtual table.
  var notingStatements: [String] {
    ["CREATE TEMP TABLE \(stale) (Z_PK INTEGER PRIMARY KEY)"]
      + [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")].map { event, row in
        "CREATE TEMP TRIGGER \(trigger(event)) AFTER \(event) ON main.\(table) FOR EACH ROW BEGIN "
          + "INSERT OR IGNORE INTO \(stale) VALUES (\(row).Z_PK) ; END"
      }
  }

  /// What then makes it as the triggers of the file would have.
  var renewingStatements: String {
    """
    DELETE FROM \(tree) WHERE Z_PK IN (SELECT Z_PK FROM \(stale));
    \(filling) WHERE Z_PK IN (SELECT Z_PK FROM \(stale));
    DELETE FROM \(stale)
    """
  }
}

extension RTreeIndex {
  /// The R-trees of a file that have all their triggers, word for word as Core Data writes them.
  static func all(in database: Database) throws -> [RTreeIndex] {
    let entries = try database.rows(
      """
      SELECT name, tbl_name, sql FROM sqlite_master
      WHERE name LIKE 'Z\\_RT\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY name
      """
    ) { (name: $0.text(0), table: $0.text(1), sql: plain($0.text(2))) }
    return entries.compactMap { entry in
      guard let insertion = entries.first(where: { $0.name == entry.name + "_INSERT" }),
        let index = RTreeIndex(name: entry.name, table: insertion.table, sql: entry.sql)
      else { return nil }
      let words = Set(entries.map(\.sql))
      return index.statements.allSatisfy { words.contains(plain($0)) } ? index : nil
    }
  }

  private init?(name: String, table: String, sql: String) {
    let names = sql.matches(of: #/[(,](\w+)_MINFLOAT\b/#).map { String($0.output.1) }
    if names.isEmpty { return nil }
    self.init(name: name, table: StoreNames.quoted(table), columns: names)
  }

  /// A statement without blanks and quotation marks, in which those of frameworks differ.
  private static func plain(_ sql: String) -> String {
    String(sql.filter { !$0.isWhitespace && $0 != "\"" && $0 != ";" })
  }

  /// Everything that belongs to it in a file's schema.
  var names: [String] { [name] + triggers.map { "\(name)_\($0.event)" } }
}
