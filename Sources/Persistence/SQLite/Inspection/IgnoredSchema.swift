/// Something that a file has beyond tables, columns, indexes and rows of the model's entities, and that no part of
/// this tool ever runs or reads: Core Data doesn't make it, but for triggers of its own that only its functions can run.
package struct IgnoredSchema: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case trigger
    case view
    case virtualTable = "virtual table"
    case generatedColumn = "generated column"
    case check = "CHECK"
    /// Of the app's own, on a table of the model.
    case index
    /// A number for the app's own use, in the file's header.
    case number
    /// Of no entity, in a table of several.
    case row
  }

  package let kind: Kind
  /// The table it is about, or itself.
  package let table: String
  package let names: [String]

  private static let mostNames = 5

  /// What is ignored, without the table.
  package var message: String {
    let shown = names.prefix(Self.mostNames).map { "'\($0)'" }.joined(separator: ", ")
    let more = names.count > Self.mostNames ? ", and \(names.count - Self.mostNames) more" : ""
    switch kind {
    case .trigger:
      return "its triggers never run here, and a migration doesn't take them along: \(shown)\(more)"
    case .index:
      return "a migration doesn't take along indexes that Core Data doesn't make: \(shown)\(more)"
    case .number: return "it is \(names.joined()), and a migration doesn't take it along"
    case .view: return "it is a view, which is never read"
    case .virtualTable: return "it is a virtual table, whose module is never called"
    case .generatedColumn: return "its generated columns are never read: \(shown)\(more)"
    case .row:
      return
        "rows of none of its entities, or an abstract one, come along in no step: \(shown)\(more)"
    case .check: return "its CHECKs never reject a row: the model's own rules apply"
    }
  }
}

extension IgnoredSchema: CustomStringConvertible {
  package var description: String { "\(table): \(message)" }
}

// MARK: - Finding it

extension IgnoredSchema {
  /// What the schema of a file has of it, in the order of tables and kinds.
  /// - Throws: `CoreDataError` when the schema can't be read.
  static func all(in database: Database) throws -> [IgnoredSchema] {
    // What keeps an R-tree is done with each change here, too.
    let rTrees = Set(try RTreeIndex.all(in: database).flatMap(\.names))
    var found = try named(.trigger, where: "type = 'trigger'", in: database, besides: rTrees)
    // The names of all that Core Data makes, and of what a migration in place leaves behind, begin with Z.
    found += try named(
      .index, where: "type = 'index' AND sql > '' AND tbl_name LIKE 'Z%' AND name NOT LIKE 'Z%'",
      in: database)
    for name in ["application_id", "user_version"] {
      let number = try database.integer("PRAGMA \(name)") ?? 0
      if number != 0 { found.append(.init(kind: .number, table: name, names: ["\(number)"])) }
    }
    for (name, type, sql) in try entries(in: database) where !rTrees.contains(name) {
      if type == "view" {
        found.append(IgnoredSchema(kind: .view, table: name, names: [name]))
      } else if sql.uppercased().hasPrefix("CREATE VIRTUAL") {
        found.append(IgnoredSchema(kind: .virtualTable, table: name, names: [name]))
      } else {
        found += try rules(of: name, sql, in: database)
      }
    }
    return found.sorted {
      ($0.table, Kind.allCases.firstIndex(of: $0.kind) ?? 0)
        < ($1.table, Kind.allCases.firstIndex(of: $1.kind) ?? 0)
    }
  }

  /// What the schema has by name, such as triggers, for each table.
  private static func named(
    _ kind: Kind, where condition: String, in database: Database, besides known: Set<String> = []
  ) throws -> [IgnoredSchema] {
    var names: [String: [String]] = [:]
    try database.forEachRow(
      "SELECT tbl_name, name FROM sqlite_master WHERE \(condition) ORDER BY name"
    ) { row in
      if !known.contains(row.text(1)) { names[row.text(0), default: []].append(row.text(1)) }
    }
    return names.map { IgnoredSchema(kind: kind, table: $0, names: $1) }
  }

  private static func entries(
    in database: Database
  ) throws -> [(name: String, type: String, sql: String)] {
    try database.rows(
      "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name"
    ) { ($0.text(0), $0.text(1), $0.text(2)) }
  }

  private static func rules(
    of table: String, _ sql: String, in database: Database
  ) throws -> [IgnoredSchema] {
    let generated = try generatedColumns(of: table, in: database)
    return
      (generated.isEmpty ? [] : [.init(kind: .generatedColumn, table: table, names: generated)])
      + (hasCheck(sql) ? [.init(kind: .check, table: table, names: [])] : [])
  }

  private static func generatedColumns(of table: String, in database: Database) throws -> [String] {
    // The second column is the name, the last one is 2 or 3 for a generated column.
    try database.rows("PRAGMA table_xinfo(\(StoreCatalog.literal(table)))") { row in
      [2, 3].contains(row.integer(6)) ? row.text(1) : nil
    }.compactMap(\.self)
  }

  /// Whether a table's definition has the word CHECK outside of names, texts and remarks.
  private static func hasCheck(_ sql: String) -> Bool {
    // Hardly any has it even there, and every store of every run is looked at.
    guard sql.range(of: "CHECK", options: .caseInsensitive) != nil else { return false }
    let others = #/'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\//#
    return sql.replacing(others, with: " ").uppercased().contains(#/\bCHECK\s*\(/#)
  }
}

extension StoreFile {
  /// What the file has beyond what the engine reads, and what comes of it.
  package func ignoredSchema() throws -> [IgnoredSchema] { try IgnoredSchema.all(in: database) }
}

extension SQLiteStore {
  /// What the file has beyond what the engine reads, and what comes of it.
  package func ignoredSchema() throws -> [IgnoredSchema] {
    try file.ignoredSchema() + rowsOfNoEntity()
  }

  /// In a table of several entities only the number says what a row is; nothing makes objects of an abstract one.
  private func rowsOfNoEntity() throws -> [IgnoredSchema] {
    try model.entities.filter {
      $0.superentity == nil && !$0.isAloneInItsTable && schema.numbers[$0] > 0
    }.compactMap { root in
      let table = schema.table(of: root)
      let isStrange = schema.numbers.conditionOfStrangeRows(under: root)
      let rows = try database.texts(
        "SELECT 'p' || Z_PK FROM \(table) WHERE \(isStrange) ORDER BY Z_PK")
      return rows.isEmpty
        ? nil : IgnoredSchema(kind: .row, table: StoreCatalog.plain(table), names: rows)
    }
  }
}
