internal import CSQLite

/// Takes the values of columns: a statement for its parameters, or what a virtual table gives.
protocol ColumnTarget {
  func bindNull(at index: Int32)
  func bind(_ value: Int64, at index: Int32)
  func bind(_ value: Double, at index: Int32)
  func bind(_ value: String, at index: Int32)
  func bind(_ value: Data, at index: Int32)
  /// Takes the 16 bytes of a UUID.
  func bind(_ value: UUID, at index: Int32)
}

extension Statement: ColumnTarget {}

/// The one value that SQLite asks for, of which it keeps a copy. The index says nothing.
struct ResultTarget: ColumnTarget {
  private let context: OpaquePointer?

  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ context: OpaquePointer?) { self.context = context }

  @inline(__always)
  func bindNull(at index: Int32) { sqlite3_result_null(context) }

  @inline(__always)
  func bind(_ value: Int64, at index: Int32) { sqlite3_result_int64(context, value) }

  @inline(__always)
  func bind(_ value: Double, at index: Int32) { sqlite3_result_double(context, value) }

  @inline(__always)
  func bind(_ value: String, at index: Int32) {
    var value = value
    value.withUTF8 { bytes in
      // SQLite takes a nil pointer for NULL, so that an empty text needs some address.
      bytes.withMemoryRebound(to: CChar.self) { characters in
        if let start = characters.baseAddress {
          sqlite3_result_text64(
            context, start, UInt64(characters.count), Self.transient, UInt8(SQLITE_UTF8))
        } else {
          sqlite3_result_text64(context, "", 0, Self.transient, UInt8(SQLITE_UTF8))
        }
      }
    }
  }

  @inline(__always)
  func bind(_ value: Data, at index: Int32) {
    if value.isEmpty {
      _ = sqlite3_result_zeroblob64(context, 0)
    } else {
      value.withUnsafeBytes {
        sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), Self.transient)
      }
    }
  }

  @inline(__always)
  func bind(_ value: UUID, at index: Int32) {
    withUnsafeBytes(of: value.uuid) {
      sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), Self.transient)
    }
  }
}
