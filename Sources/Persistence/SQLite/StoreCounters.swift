import CSQLite
import Synchronization

/// What was asked of SQLite in this process, over all stores: numbers that don't depend on the machine
/// or on what else it does, so that equal work gives equal numbers.
public struct StoreCounters: Hashable, Sendable, Codable {
  /// How often a statement ran, whatever it was.
  public var statements = 0
  /// Rows that SQLite gave; those that stay inside an `INSERT … SELECT` aren't given.
  public var rowsRead = 0
  /// Rows that were inserted, changed or deleted.
  public var rowsWritten = 0
  /// Pages handed to the file or its log.
  public var pagesWritten = 0
  /// Operations of SQLite's virtual machine; another version of SQLite may need others for the same.
  public var operations = 0

  public init() {}

  public static func - (later: StoreCounters, earlier: StoreCounters) -> StoreCounters {
    var difference = later
    difference.statements -= earlier.statements
    difference.rowsRead -= earlier.rowsRead
    difference.rowsWritten -= earlier.rowsWritten
    difference.pagesWritten -= earlier.pagesWritten
    difference.operations -= earlier.operations
    return difference
  }

  /// Of all statements that are done with, and of all connections that are closed.
  public static var ofProcess: StoreCounters { total.withLock { $0 } }

  private static let total = Mutex(StoreCounters())

  /// The version of SQLite that they were counted with.
  public static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
}

// MARK: - Counting

extension StoreCounters {
  /// Takes over what SQLite counted for a statement, which is about to be finalized. SQLite counts
  /// anyway: nothing is done per row.
  static func add(statement: OpaquePointer) {
    let runs = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0))
    let operations = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 0))
    total.withLock {
      $0.statements += runs
      $0.operations += operations
    }
  }

  /// Takes over what SQLite counted for a connection, which is about to be closed.
  static func add(connection: OpaquePointer, rowsRead: Int) {
    let changes = Int(sqlite3_total_changes64(connection))
    var (pages, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 0)
    total.withLock {
      $0.rowsRead += rowsRead
      $0.rowsWritten += changes
      $0.pagesWritten += Int(pages)
    }
  }
}
