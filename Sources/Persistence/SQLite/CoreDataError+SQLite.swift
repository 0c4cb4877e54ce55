internal import CSQLite

extension CoreDataError {
  /// The error for a file that can't be opened as an SQLite database.
  static func opening(_ file: URL, code: Int32, message: String) -> CoreDataError {
    var error = CoreDataError(
      SQLiteResult(code).isNoDatabase ? .fileReadCorruptFile : .persistentStoreOpen,
      "The store can't be opened: \(message) (SQLite \(SQLiteResult(code).description))",
      advice: SQLiteResult(code).advice
    ).at(file: file.path)
    error.sqliteCode = code
    return error
  }

  /// The error for a statement that failed.
  ///
  /// A file that turns out not to be a database only when it is first read counts as one that
  /// can't be opened.
  static func sqlite(
    _ code: Int32, message: String, sql: String, file: URL
  ) -> CoreDataError {
    let result = SQLiteResult(code)
    if result.isUnreadableFile { return opening(file, code: code, message: message) }
    var error = CoreDataError(
      .sqlite, "SQLite refused a statement: \(message) (\(result.description))",
      advice: result.advice
    ).at(file: file.path)
    error.sqliteCode = code
    error.underlying = SQLiteError(code: code, message: message, sql: sql)
    return error
  }

  /// The error for a file that is a database, but not one that Core Data wrote, or a damaged one.
  static func notAStore(_ file: URL, _ reason: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "The file isn't a complete Core Data store: \(reason)",
      advice: "check that this is the app's store, copied together with its -wal file"
    ).at(file: file.path)
  }

  /// The error for a store whose tables don't fit its model.
  static func incompatibleSchema(_ file: URL, _ reason: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleSchema, "The store's tables don't fit the model: \(reason)",
      advice: "check that the model is the version that wrote the store"
    ).at(file: file.path)
  }

  /// The error for a value that the store holds in a form its attribute can't have.
  static func unreadableValue(_ reason: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "A stored value can't be read: \(reason)",
      advice: "look at the row with sqlite3; the store may be damaged")
  }
}

/// What SQLite itself said; the error behind a `CoreDataError` of code `.sqlite`.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite's extended result code.
  public let code: Int32
  public let message: String
  public let sql: String

  /// Whether a unique index refused a row (`SQLITE_CONSTRAINT_UNIQUE`).
  var isUniqueViolation: Bool { code == SQLITE_CONSTRAINT | (8 << 8) }

  public var description: String {
    let shown = sql.count > 400 ? "\(sql.prefix(400))…" : sql
    return "\(SQLiteResult(code).description): \(message)\nin: \(shown)"
  }
}

/// SQLite's result codes in words.
struct SQLiteResult {
  let code: Int32
  init(_ code: Int32) { self.code = code }

  private var primary: Int32 { code & 0xff }

  var isNoDatabase: Bool { primary == SQLITE_NOTADB }
  var isUnreadableFile: Bool { isNoDatabase || primary == SQLITE_CANTOPEN }

  var description: String { "code \(code), \(String(cString: sqlite3_errstr(code)))" }

  /// What to do about it.
  var advice: String {
    switch primary {
    case SQLITE_NOTADB: "check that the file is an SQLite database and isn't encrypted"
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: "check the path and its permissions"
    case SQLITE_CORRUPT:
      "the file is damaged; take another copy, or recover it with `sqlite3 FILE .recover`"
    case SQLITE_FULL: "free some disk space"
    case SQLITE_READONLY: "open the store for writing, or make the file writable"
    case SQLITE_BUSY, SQLITE_LOCKED: "close the other program that has the store open"
    case SQLITE_IOERR: "check the disk"
    case SQLITE_NOMEM: "make more memory available"
    case SQLITE_TOOBIG: "a value is larger than SQLite allows (1 GB); store it in a file"
    case SQLITE_CONSTRAINT: "look for rows with equal values in a unique index"
    case SQLITE_SCHEMA, SQLITE_ERROR: "check that the store's tables fit the model"
    default: "see https://sqlite.org/rescode.html"
    }
  }
}
