internal import CSQLite

/// A connection to one SQLite file, with its prepared statements kept for reuse.
///
/// Like the store that owns it, a connection isn't used by two threads at a time.
final class Database {
  /// How a file is opened.
  enum Access {
    /// A new file; it must not exist.
    case create
    case readWrite
    /// Reading only, from a file that nobody changes meanwhile: no lock is taken and no file is
    /// created beside it.
    case immutable
  }

  /// The file that messages name. A copy in a temporary place goes by its original's name.
  let url: URL
  /// The file that is open.
  let fileURL: URL
  let access: Access
  private(set) var handle: OpaquePointer?
  /// What was asked of SQLite so far.
  var activity = StoreActivity()
  /// The statements kept for reuse, by their SQL.
  private var statements: [String: Statement] = [:]
  var ownGivenKeys: GivenKeys?

  /// Most statements kept; a store needs a handful for each entity.
  private static let statementLimit = 1000

  /// Opens the file at `url`.
  /// - Parameter shownAs: The file that messages name, when it isn't `url`.
  /// - Throws: `CoreDataError` `.fileReadNoSuchFile` (260) when there is no such file,
  ///   `.fileReadCorruptFile` (259) when it isn't an SQLite database, `.persistentStoreOpen` when it can't be
  ///   opened.
  init(at url: URL, access: Access, shownAs original: URL? = nil) throws {
    self.url = original ?? url
    fileURL = url
    self.access = access
    try Self.checkPresence(of: url, access: access)
    _ = Self.library
    let code = open(url)
    guard code == SQLITE_OK else {
      let message = lastMessage
      close()
      throw CoreDataError.opening(self.url, code: code, message: message)
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5000)
    // Those of Core Data's own stores call functions that exist only there. What they would compute,
    // derived attributes, is computed with each save.
    hw_enable_triggers(handle, 0)
    try distrustFile()
    try registerFunctions()
  }

  /// The library, set up once. Where somebody else has used it already, it stays as it is.
  private static let library: Int32 = hw_count_no_memory()

  /// A store may come from anybody: neither what its schema says runs, nor are its pages believed.
  private func distrustFile() throws {
    let code = hw_distrust_schema(handle)
    guard code == SQLITE_OK else { throw error(code, sql: "trusted_schema = OFF") }
    try execute("PRAGMA cell_size_check = ON")
    // The model's own rules are what counts, and Core Data's tables have no others.
    try execute("PRAGMA ignore_check_constraints = ON")
  }

  private func open(_ url: URL) -> Int32 {
    let location = Self.location(of: url, access: access)
    let flags = Self.flags(for: access)
    guard case .create = access else { return sqlite3_open_v2(location, &handle, flags, nil) }
    return TemporaryFiles.placing { sqlite3_open_v2(location, &handle, flags, nil) }
  }

  deinit { close() }

  /// Releases the connection. Where somebody still holds a statement, SQLite closes the file with
  /// the last of them. Closing twice does nothing.
  func close() {
    statements = [:]
    if let handle { StoreCounters.add(connection: handle, rowsRead: activity.rows) }
    sqlite3_close_v2(handle)
    handle = nil
  }
}

// MARK: - Opening

extension Database {
  private static func checkPresence(of url: URL, access: Access) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    if case .create = access {
      guard exists, !PersistentStoreFiles(url).areEmptyDatabase else { return }
      throw CoreDataError(
        .persistentStoreOpen, "A store can't be created where a file is already",
        advice: "remove the file or choose another place"
      ).at(file: url.path)
    }
    guard exists else { throw absence(of: url) }
    guard !isFolder.boolValue else {
      throw CoreDataError(.persistentStoreOpen, "The store is a folder", advice: pathAdvice)
        .at(file: url.path)
    }
    // Reading a pipe would never end.
    var facts = stat()
    guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw CoreDataError(
        .persistentStoreOpen, "The store is no ordinary file",
        advice: "give the path of the SQLite file itself"
      ).at(file: url.path)
    }
  }

  /// What is in a folder that may not be looked into isn't missing.
  private static func absence(of url: URL) -> CoreDataError {
    let isForbidden = faccessat(AT_FDCWD, url.path, F_OK, 0) != 0 && errno == EACCES
    let error =
      isForbidden
      ? CoreDataError(
        .persistentStoreOpen, "The store can't be reached: its folder may not be searched",
        advice: pathAdvice)
      : CoreDataError(.fileReadNoSuchFile, "The store doesn't exist", advice: pathAdvice)
    return error.at(file: url.path)
  }

  private static let pathAdvice =
    "check the path; an SQLite store is a single file, often named *.sqlite"

  private static func flags(for access: Access) -> Int32 {
    let common = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    return switch access {
    case .create: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readWrite: common | SQLITE_OPEN_READWRITE
    case .immutable: common | SQLITE_OPEN_READONLY
    }
  }

  static func location(of url: URL, access: Access) -> String {
    var unreserved = CharacterSet.urlPathAllowed
    unreserved.remove(charactersIn: "?#%")
    let path = url.path.addingPercentEncoding(withAllowedCharacters: unreserved) ?? url.path
    if case .immutable = access { return "file:\(path)?immutable=1" }
    return "file:\(path)"
  }
}

// MARK: - Statements

extension Database {
  /// A statement for `sql`, to be given back with ``release(_:)``: the kept one, or another where
  /// that is in use.
  func statement(_ sql: String) throws -> Statement {
    activity.statements += 1
    if let kept = statements[sql] {
      if kept.isInUse { return try prepare(sql) }
      kept.isInUse = true
      return kept
    }
    if statements.count >= Self.statementLimit { dropIdleStatements() }
    let statement = try prepare(sql)
    statements[sql] = statement
    return statement
  }

  private func prepare(_ sql: String) throws -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(code, sql: sql) }
    return Statement(sql: sql, handle: prepared, database: self)
  }

  func release(_ statement: Statement) {
    statement.reset()
    statement.isInUse = false
  }

  private func dropIdleStatements() {
    statements = statements.filter { $0.value.isInUse }
  }

  /// Runs `body` with a statement for `sql`, which is reset afterwards.
  func with<Result>(_ sql: String, _ body: (Statement) throws -> Result) throws -> Result {
    let statement = try statement(sql)
    defer { release(statement) }
    return try body(statement)
  }

  /// Runs a statement to its end with integers bound in order.
  /// - Returns: The number of rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: Int64?...) throws -> Int {
    try with(sql) { statement in
      for (index, argument) in arguments.enumerated() {
        statement.bind(orNull: argument, at: Int32(index + 1))
      }
      try statement.run()
      return changes
    }
  }

  /// Runs one or several statements without arguments or results.
  func execute(_ sql: String) throws {
    try sql.withCString { text in
      var rest: UnsafePointer<CChar>? = text
      while let next = rest, next.pointee != 0 {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, next, -1, &prepared, &rest)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
        // Nothing but spaces or a comment is no statement.
        if let prepared { try finish(prepared, sql) }
      }
    }
  }

  private func finish(_ prepared: OpaquePointer, _ sql: String) throws {
    defer {
      StoreCounters.add(statement: prepared)
      sqlite3_finalize(prepared)
    }
    var code = SQLITE_ROW
    while code == SQLITE_ROW { code = sqlite3_step(prepared) }
    guard code == SQLITE_DONE else { throw error(code, sql: sql) }
  }

  /// The first column of the first row as an integer; nil without rows or when it is NULL.
  func integer(_ sql: String, _ arguments: Int64?...) throws -> Int64? {
    try with(sql) { statement in
      for (index, argument) in arguments.enumerated() {
        statement.bind(orNull: argument, at: Int32(index + 1))
      }
      guard try statement.step(), !statement.isNull(0) else { return nil }
      return statement.integer(0)
    }
  }

  /// The first column of every row as text.
  func texts(_ sql: String) throws -> [String] {
    try with(sql) { statement in
      var texts: [String] = []
      while try statement.step() { texts.append(statement.text(0)) }
      return texts
    }
  }

  /// The number of rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  var lastMessage: String {
    guard let handle else { return "the store isn't open" }
    return String(cString: sqlite3_errmsg(handle))
  }

  func error(_ code: Int32, sql: String) -> CoreDataError {
    CoreDataError.sqlite(code, message: lastMessage, sql: sql, file: url)
  }
}

// MARK: - Transactions

extension Database {
  /// Makes all that was written durable and turns to a write-ahead log, which Core Data's stores
  /// have.
  func startLogging() throws {
    // The change of the journal mode is the first synchronous write: it takes all others along.
    try execute("PRAGMA synchronous = FULL")
    // The log and its index are new files beside the store, which may be one for a while.
    try TemporaryFiles.placing { try execute("PRAGMA journal_mode = WAL") }
    try execute("PRAGMA synchronous = NORMAL")
  }

  var isInTransaction: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` as one transaction, or as a part of the open one that can be undone by itself.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let isNested = isInTransaction
    try execute(isNested ? "SAVEPOINT part" : "BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute(isNested ? "RELEASE part" : "COMMIT")
      return result
    } catch {
      // SQLite itself rolls back after some errors (a full disk); undoing that again would fail.
      if isInTransaction {
        // The first error is the one to tell; what isn't undone is when the connection closes.
        try? execute(isNested ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK")
      }
      throw error
    }
  }
}
