/// The tables and columns that a file really has.
///
/// Everything is found by name: a store that was migrated in place has its columns in another order
/// and leftovers of older versions beside them.
struct StoreCatalog {
  private let url: URL
  /// Column names by table, both in capitals as Core Data writes them.
  private let columns: [String: Set<String>]

  init(of database: Database) throws {
    url = database.url
    var columns: [String: Set<String>] = [:]
    for table in try database.texts("SELECT name FROM sqlite_master WHERE type = 'table'") {
      let names = try database.texts("SELECT name FROM pragma_table_info(\(Self.literal(table)))")
      columns[table] = Set(names)
    }
    self.columns = columns
  }

  private static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  func hasTable(_ name: String) -> Bool { columns[Self.plain(name)] != nil }

  /// The first of `candidates` that exists.
  func table(named candidates: [String]) throws -> String {
    guard let found = candidates.first(where: { hasTable($0) }) else {
      let names = candidates.map { Self.plain($0) }.joined(separator: " or ")
      throw CoreDataError.incompatibleSchema(url, "there is no table \(names)")
    }
    return StoreNames.quoted(Self.plain(found))
  }

  /// The column that goes by `predicted`: exactly, or with other digits at the end.
  func column(like predicted: String, in table: String) throws -> String {
    let existing = columns[Self.plain(table)] ?? []
    if existing.contains(predicted) { return StoreNames.quoted(predicted) }
    let base = predicted.reversed().drop { $0.isASCII && $0.isNumber }.reversed()
    let alike = existing.filter { Self.isName($0, String(base), withDigits: predicted) }
    guard alike.count == 1, let column = alike.first else {
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

  private static func plain(_ name: String) -> String {
    guard name.hasPrefix("\"") else { return name }
    return String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }
}
