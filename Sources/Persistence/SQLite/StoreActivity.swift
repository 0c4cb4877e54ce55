/// What a store asked of SQLite so far, to be compared before and after something.
public struct StoreActivity: Hashable, Sendable {
  /// Statements that were run.
  public var statements = 0
  /// Rows that SQLite gave.
  public var rows = 0

  public init(statements: Int = 0, rows: Int = 0) {
    self.statements = statements
    self.rows = rows
  }

  mutating func add(_ other: StoreActivity) {
    statements += other.statements
    rows += other.rows
  }

  public static func - (later: StoreActivity, earlier: StoreActivity) -> StoreActivity {
    StoreActivity(
      statements: later.statements - earlier.statements, rows: later.rows - earlier.rows)
  }
}

extension SQLiteStore {
  /// What was asked of SQLite since the store was opened.
  public var activity: StoreActivity { database.activity }
}
