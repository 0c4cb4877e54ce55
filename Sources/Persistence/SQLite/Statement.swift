import CSQLite

/// A prepared SQL statement: bind, step, read, reset.
///
/// Parameters count from 1, columns from 0, as in SQLite.
final class Statement {
  let sql: String
  private let handle: OpaquePointer
  /// Whether somebody is using the statement, so that the next one who asks gets another.
  var isInUse = true
  private unowned let database: Database
  /// The first binding that failed; reported by the next step.
  private var bindingCode = SQLITE_OK
  /// The rows given since the last reset.
  private var rowCount = 0

  init(sql: String, handle: OpaquePointer, database: Database) {
    self.sql = sql
    self.handle = handle
    self.database = database
  }

  deinit {
    StoreCounters.add(statement: handle)
    sqlite3_finalize(handle)
  }

  /// Advances to the next row.
  /// - Returns: Whether there is one.
  func step() throws -> Bool {
    guard bindingCode == SQLITE_OK else { throw database.error(bindingCode, sql: sql) }
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      rowCount += 1
      return true
    case SQLITE_DONE: return false
    case let code: throw database.error(code, sql: sql)
    }
  }

  /// Runs to the end, then makes the statement ready for other values.
  func run() throws {
    defer { reset() }
    while try step() {}
  }

  /// Makes the statement ready to run again. Bound values stay until replaced.
  func reset() {
    sqlite3_reset(handle)
    bindingCode = SQLITE_OK
    if rowCount == 0 { return }
    database.activity.rows += rowCount
    rowCount = 0
  }

  private func check(_ code: Int32) {
    if code != SQLITE_OK, bindingCode == SQLITE_OK { bindingCode = code }
  }
}

// MARK: - Binding

extension Statement {
  func bindNull(at index: Int32) { check(sqlite3_bind_null(handle, index)) }

  func bind(_ value: Int64, at index: Int32) { check(sqlite3_bind_int64(handle, index, value)) }

  func bind(_ value: Double, at index: Int32) { check(sqlite3_bind_double(handle, index, value)) }

  func bind(_ value: String, at index: Int32) {
    check(
      value.withSQLiteText {
        sqlite3_bind_text64(handle, index, $0, $1, sqliteTransient, UInt8(SQLITE_UTF8))
      })
  }

  func bind(_ value: Data, at index: Int32) {
    if value.isEmpty { return check(sqlite3_bind_zeroblob(handle, index, 0)) }
    value.withUnsafeBytes { bytes in
      check(
        sqlite3_bind_blob64(
          handle, index, bytes.baseAddress, UInt64(bytes.count), sqliteTransient))
    }
  }

  /// Binds the 16 bytes of a UUID.
  func bind(_ value: UUID, at index: Int32) {
    withUnsafeBytes(of: value.uuid) { bytes in
      check(sqlite3_bind_blob(handle, index, bytes.baseAddress, 16, sqliteTransient))
    }
  }
}

// MARK: - Reading the current row

extension Statement {
  @inline(__always)
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Whether the value is stored as an integer rather than as a real or text.
  @inline(__always)
  func isInteger(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_INTEGER }

  @inline(__always)
  func isText(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_TEXT }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  @inline(__always)
  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// A value of the current row, asked for once where several things are to be known of it.
  @inline(__always)
  func cell(_ column: Int32) -> Cell { Cell(handle: sqlite3_column_value(handle, column)) }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Gives the bytes of a text, without making a string of them.
  func withText<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_text(handle, column)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
    return body(UnsafeRawBufferPointer(start: start, count: count))
  }

  func data(_ column: Int32) -> Data {
    guard let start = sqlite3_column_blob(handle, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// How many bytes a text or blob has.
  func size(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  /// The blob as a UUID; nil unless it has 16 bytes.
  func uuid(_ column: Int32) -> UUID? {
    guard let start = sqlite3_column_blob(handle, column),
      sqlite3_column_bytes(handle, column) == 16
    else { return nil }
    return UUID(uuid: start.loadUnaligned(as: uuid_t.self))
  }
}

/// A value of a statement's current row, until the next step. Only where nobody else uses the
/// connection.
struct Cell {
  fileprivate let handle: OpaquePointer?

  @inline(__always)
  var isNull: Bool { sqlite3_value_type(handle) == SQLITE_NULL }
  @inline(__always)
  var integer: Int64 { sqlite3_value_int64(handle) }
  @inline(__always)
  var double: Double { sqlite3_value_double(handle) }

  @inline(__always)
  var text: String {
    guard let start = sqlite3_value_text(handle) else { return "" }
    let count = Int(sqlite3_value_bytes(handle))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  @inline(__always)
  var data: Data {
    guard let start = sqlite3_value_blob(handle) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_value_bytes(handle)))
  }
}
