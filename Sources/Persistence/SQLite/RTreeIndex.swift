/// An R-tree index: a virtual table, and three triggers that keep it as the rows are.
// Core Data: observed in 39 stores. The triggers are plain SQL; in four stores that were migrated in place
// they are gone, and nothing keeps the table any more.
struct RTreeIndex {
  let name: String
  let table: String
  let columns: [String]

  private var bounds: [String] { columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] } }

  private var tableStatement: String {
    "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, "
      + bounds.map { "\($0) FLOAT" }.joined(separator: ", ") + ")"
  }

  /// What is done after a row was inserted, updated or deleted.
  private var triggers: [(event: String, body: String)] {
    let values = columns.flatMap { ["NEW.\($0)", "NEW.\($0)"] }.joined(separator: ", ")
    let row = "\(name) (Z_PK, \(bounds.joined(separator: ", "))) VALUES (NEW.Z_PK, \(values))"
    let removal = "DELETE FROM \(name) WHERE Z_PK ="
    return [
      ("INSERT", "INSERT OR REPLACE INTO \(row)"),
      ("UPDATE", "\(removal) NEW.Z_PK ; INSERT INTO \(row)"),
      ("DELETE", "\(removal) OLD.Z_PK"),
    ]
  }

  private func triggerStatements(_ create: String, on table: String) -> [String] {
    triggers.map { event, body in
      "\(create) \(name)_\(event) AFTER \(event) ON \(table) FOR EACH ROW BEGIN \(body) ; END"
    }
  }

  /// What makes it in a file.
  var statements: [String] { [tableStatement] + triggerStatements("CREATE TRIGGER", on: table) }

  /// What makes it for rows that are there already, and keeps it from then on.
  var statementsForRows: [String] {
    let values = columns.flatMap { [$0, $0] }.joined(separator: ", ")
    return statements
      + ["INSERT INTO \(name) SELECT Z_PK, \(values) FROM \(table)"] + followingStatements
  }

  /// The same triggers for a connection alone: those of a file never run, since it may be anybody's.
  var followingStatements: [String] {
    triggerStatements("CREATE TEMP TRIGGER", on: "main.\(table)")
  }
}

extension RTreeIndex {
  /// The R-trees of a file that have all their triggers, word for word as Core Data writes them.
  static func all(in database: Database) throws -> [RTreeIndex] {
    let entries = try database.with(
      """
      SELECT name, tbl_name, sql FROM sqlite_master
      WHERE name LIKE 'Z\\_RT\\_%' ESCAPE '\\' AND sql IS NOT NULL ORDER BY name
      """
    ) { statement in
      var entries: [(name: String, table: String, sql: String)] = []
      while try statement.step() {
        entries.append((statement.text(0), statement.text(1), plain(statement.text(2))))
      }
      return entries
    }
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
    guard !names.isEmpty, ([name, table] + names).allSatisfy({ StoreNames.quoted($0) == $0 }) else {
      return nil
    }
    self.init(name: name, table: table, columns: names)
  }

  /// A statement without blanks and quotation marks, in which those of frameworks differ.
  private static func plain(_ sql: String) -> String {
    String(sql.filter { !$0.isWhitespace && $0 != "\"" && $0 != ";" })
  }

  /// Everything that belongs to it in a file's schema.
  var names: [String] { [name] + triggers.map { "\(name)_\($0.event)" } }
}
