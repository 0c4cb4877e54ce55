import CSQLite
import ObjectModel

/// Just enough of SQLite to take model caches and metadata out of real stores.
final class StoreFile {
  private var connection: OpaquePointer?

  init(_ url: URL, writable: Bool = false) throws {
    let path = writable ? url.path : "file:\(url.path)?immutable=1"
    let flags = writable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    try check(sqlite3_open_v2(path, &connection, flags, nil))
  }

  deinit { sqlite3_close(connection) }

  /// The model cache; nil where the store has none.
  var modelCache: Data? { get throws { try blob("SELECT Z_CONTENT FROM Z_MODELCACHE") } }

  /// The version hashes the store records.
  var versionHashes: [String: Data] {
    get throws {
      try metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    }
  }

  var metadata: [String: Any] {
    get throws {
      guard let plist = try blob("SELECT Z_PLIST FROM Z_METADATA") else { return [:] }
      return try PropertyListSerialization.propertyList(from: plist, format: nil)
        as? [String: Any] ?? [:]
    }
  }

  func setModelCache(_ data: Data) throws {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v2(connection, "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    try data.withUnsafeBytes { bytes in
      try check(sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(bytes.count), nil))
      try check(sqlite3_step(statement))
    }
  }

  /// The first column of the first row; nil for no row, and for a table that doesn't exist.
  private func blob(_ sql: String) throws -> Data? {
    var statement: OpaquePointer?
    if sqlite3_prepare_v2(connection, sql, -1, &statement, nil) != SQLITE_OK { return nil }
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
    else {
      return nil
    }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
  }

  private func check(_ status: Int32) throws {
    if ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(status) {
      throw Failure(message: String(cString: sqlite3_errmsg(connection)))
    }
  }

  struct Failure: Error {
    let message: String
  }
}
