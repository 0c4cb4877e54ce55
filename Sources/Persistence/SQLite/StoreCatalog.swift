/// The tables and columns that a file really has.
///
/// Everything is found by name: in a store that was migrated in place the columns are in another order,
/// with leftovers of older versions among them.
struct StoreCatalog {
  private let url: URL
  let tables: [Table]
  /// Declared types by column by table, in capitals as Core Data writes them.
  private let columns: [String: [String: String]]
  /// Set to gather what is missing instead of throwing.
  var gaps: SchemaGaps?

  init(of database: Database) throws {
    url = database.url
    let tables = try Self.tables(of: database)
    self.tables = tables
    columns = try Self.catalogs.value(of: tables) {
      var columns: [String: [String: String]] = [:]
      for table in tables { columns[table.name] = try Self.columns(of: table.name, in: database) }
      return columns
    }
  }

  /// A table with the statement that says what columns it has.
  struct Table: Hashable, Sendable {
    let name: String
    let statement: String
  }

  /// A migration opens each store several times, and asking for the columns of a table takes a statement.
  private static let catalogs = RecentValues<[Table], [String: [String: String]]>(most: 16)

  private static func tables(of database: Database) throws -> [Table] {
    // A virtual table may need a module that isn't there, and Core Data keeps no rows in one.
    // The tables in which an R-tree keeps its content are no tables of the file's own.
    return try database.rows(
      """
      SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
      AND name NOT IN (SELECT tree.name || part.value FROM sqlite_master AS tree,
        json_each('["_node", "_parent", "_rowid"]') AS part WHERE tree.sql LIKE 'CREATE VIRTUAL%')
      """
    ) { Table(name: $0.text(0), statement: $0.text(1)) }
  }

  private static func columns(of table: String, in database: Database) throws -> [String: String] {
    // Rows are number, name, type and more. To select from them, SQLite would make a virtual table for each
    // connection.
    var types: [String: String] = [:]
    try database.forEachRow("PRAGMA table_info(\(literal(table)))") {
      types[$0.text(1)] = $0.text(2)
    }
    return types
  }

  /// The tables of the file that aren't SQLite's own, sorted.
  var tableNames: [String] { columns.keys.filter { !$0.hasPrefix("sqlite_") }.sorted() }

  /// The columns of a table with their declared types; empty when there is no such table.
  func types(ofColumnsIn table: String) -> [String: String] { columns[Self.plain(table)] ?? [:] }

  func hasColumn(_ name: String, in table: String) -> Bool {
    columns[Self.plain(table)]?[Self.plain(name)] != nil
  }

  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  func hasTable(_ name: String) -> Bool { columns[Self.plain(name)] != nil }

  /// The first of `candidates` that exists.
  func table(named candidates: [String]) throws -> String {
    guard let found = candidates.first(where: { hasTable($0) }) else {
      let names = candidates.map { Self.plain($0) }.joined(separator: " or ")
      if let gaps {
        gaps.tables.append(names)
        return StoreNames.quoted(Self.plain(candidates.first ?? ""))
      }
      throw CoreDataError.incompatibleSchema(url, "there is no table \(names)")
    }
    return StoreNames.quoted(Self.plain(found))
  }

  /// The column that goes by `predicted`: exactly, or with other digits at the end.
  /// - Parameter taken: The columns that other properties have already.
  func column(
    like predicted: String, in table: String, besides taken: Set<String> = []
  ) throws -> String {
    let existing = columns[Self.plain(table)] ?? [:]
    if existing[predicted] != nil { return StoreNames.quoted(predicted) }
    let base = predicted.reversed().drop { $0.isASCII && $0.isNumber }.reversed()
    let alike = existing.keys.filter {
      !taken.contains($0) && Self.isName($0, String(base), withDigits: predicted)
    }
    guard alike.count == 1, let column = alike.first else {
      if let gaps {
        if hasTable(table) { gaps.columns.append((Self.plain(table), predicted)) }
        return StoreNames.quoted(predicted)
      }
      throw CoreDataError.incompatibleSchema(
        url, "table \(Self.plain(table)) has no column \(predicted)")
    }
    return StoreNames.quoted(column)
  }

  /// Whether `name` is `predicted` with digits added or replaced at its end.
  private static func isName(_ name: String, _ base: String, withDigits predicted: String) -> Bool {
    [base, predicted].contains { start in
      name.hasPrefix(start) && name.dropFirst(start.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
  }

  static func plain(_ name: String) -> String {
    guard name.hasPrefix("\"") else { return name }
    return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }
}

/// Tables and columns of the model that the file lacks.
final class SchemaGaps {
  /// Tables by name, or the names one of which there should be.
  var tables: [String] = []
  var columns: [(table: String, column: String)] = []
  var entities: [EntityDescription] = []
}
