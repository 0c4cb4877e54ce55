import CSQLite

/// Takes the values of columns: a statement for its parameters, or what a function of SQL gives.
protocol ColumnTarget {
  func bindNull(at index: Int32)
  func bind(_ value: Int64, at index: Int32)
  func bind(_ value: Double, at index: Int32)
  func bind(_ value: String, at index: Int32)
  func bind(_ value: Data, at index: Int32)
  /// Takes the 16 bytes of a UUID.
  func bind(_ value: UUID, at index: Int32)
}

extension ColumnTarget {
  @inline(__always)
  func bind(orNull value: Int64?, at index: Int32) {
    if let value { bind(value, at: index) } else { bindNull(at: index) }
  }

  /// Takes values for the first parameters, in order.
  func bind(orNull values: [Int64?]) {
    for (index, value) in values.enumerated() { bind(orNull: value, at: Int32(index + 1)) }
  }
}

extension Statement: ColumnTarget {}

/// Tells SQLite to copy what it is given.
let sqliteTransient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension String {
  /// Gives the bytes of a text as SQLite takes them, at some address also where there are none: a nil
  /// pointer stands for NULL.
  @inline(__always)
  func withSQLiteText<Result>(_ body: (UnsafePointer<CChar>, UInt64) -> Result) -> Result {
    var text = self
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        guard let start = characters.baseAddress else { return body("", 0) }
        return body(start, UInt64(characters.count))
      }
    }
  }
}

/// The one value that SQLite asks for, of which it keeps a copy. The index says nothing.
struct ResultTarget: ColumnTarget {
  private let context: OpaquePointer?

  init(_ context: OpaquePointer?) { self.context = context }

  @inline(__always)
  func bindNull(at index: Int32) { sqlite3_result_null(context) }

  @inline(__always)
  func bind(_ value: Int64, at index: Int32) { sqlite3_result_int64(context, value) }

  @inline(__always)
  func bind(_ value: Double, at index: Int32) { sqlite3_result_double(context, value) }

  @inline(__always)
  func bind(_ value: String, at index: Int32) {
    value.withSQLiteText {
      sqlite3_result_text64(context, $0, $1, sqliteTransient, UInt8(SQLITE_UTF8))
    }
  }

  @inline(__always)
  func bind(_ value: Data, at index: Int32) {
    if value.isEmpty {
      _ = sqlite3_result_zeroblob64(context, 0)
    } else {
      value.withUnsafeBytes {
        sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), sqliteTransient)
      }
    }
  }

  @inline(__always)
  func bind(_ value: UUID, at index: Int32) {
    withUnsafeBytes(of: value.uuid) {
      sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), sqliteTransient)
    }
  }
}
