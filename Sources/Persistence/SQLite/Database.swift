import CSQLite

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
  /// What is done at the end of each transaction, which belongs to it.
  var dueBeforeCommit: [String] = []
  private var hasFunctions = false
  /// The statements kept for reuse, by their SQL.
  private var statements: [String: Statement] = [:]

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
      let error = CoreDataError.opening(
        self.url, code: code, message: lastMessage, system: systemCode)
      close()
      MachineFaultWatch.note(error)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, 5000)
    // Those of Core Data's own stores call functions that exist only there. What they would compute,
    // derived attributes, is computed with each save.
    hw_enable_triggers(handle, 0)
    try distrustFile()
    if case .readWrite = access { readFirst() }
  }

  /// The first read makes the log's files. What it finds wrong is told by the next one, for whoever asked.
  private func readFirst() {
    TemporaryFiles.placing { _ = try? integer("PRAGMA user_version") }
  }

  /// The library, set up once. Where somebody else has used it already, it stays as it is.
  private static let library: Void = {
    _ = hw_count_no_memory()
    SystemCallWatch.install()
  }()

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
    var facts = stat()
    let exists = stat(url.path, &facts) == 0
    if case .create = access {
      guard exists, !PersistentStoreFiles(url).areEmptyDatabase else { return }
      throw CoreDataError.placeIsTaken(url)
    }
    guard exists else { throw absence(of: url) }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw CoreDataError.isFolder(url)
    // Reading a pipe would never end.
    default: throw CoreDataError.isNoFile(url)
    }
  }

  /// What is in a folder that may not be looked into isn't missing.
  private static func absence(of url: URL) -> CoreDataError {
    let isForbidden = faccessat(AT_FDCWD, url.path, F_OK, 0) != 0 && errno == EACCES
    return isForbidden ? .isOutOfReach(url) : .doesNotExist(url)
  }

  private static func flags(for access: Access) -> Int32 {
    let common = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    return switch access {
    case .create: common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readWrite: common | SQLITE_OPEN_READWRITE
    case .immutable: common | SQLITE_OPEN_READONLY
    }
  }

  /// What needs no escape in the path of a location.
  private static let unreserved: CharacterSet = {
    var characters = CharacterSet.urlPathAllowed
    characters.remove(charactersIn: "?#%")
    return characters
  }()

  static func location(of url: URL, access: Access) -> String {
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
    try registerFunctions(for: sql)
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

  /// The same with the values of a fragment bound.
  func with<Result>(_ sql: SQLFragment, _ body: (Statement) throws -> Result) throws -> Result {
    try with(sql.sql) { statement in
      for (index, value) in sql.bindings.enumerated() {
        try ColumnCodec.bind(constant: value, to: statement, at: Int32(index + 1))
      }
      return try body(statement)
    }
  }

  /// Runs a statement to its end with integers bound in order.
  /// - Returns: The number of rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: Int64?...) throws -> Int {
    try with(sql) { statement in
      statement.bind(orNull: arguments)
      try statement.run()
      return changes
    }
  }

  /// Runs one or several statements without arguments or results.
  func execute(_ sql: String) throws {
    try registerFunctions(for: sql)
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
      statement.bind(orNull: arguments)
      guard try statement.step(), !statement.isNull(0) else { return nil }
      return statement.integer(0)
    }
  }

  /// The first column of every row as text.
  func texts(_ sql: String) throws -> [String] { try rows(sql) { $0.text(0) } }

  /// What `read` makes of every row.
  func rows<Row>(_ sql: String, _ read: (Statement) throws -> Row) throws -> [Row] {
    var rows: [Row] = []
    try forEachRow(sql) { rows.append(try read($0)) }
    return rows
  }

  func forEachRow(_ sql: String, _ body: (Statement) throws -> Void) throws {
    try with(sql) { statement in
      while try statement.step() { try body(statement) }
    }
  }

  /// The number of rows the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  var lastMessage: String {
    guard let handle else { return "the store isn't open" }
    return String(cString: sqlite3_errmsg(handle))
  }

  /// The system's number behind the last error.
  private var systemCode: Int32 { SystemCallWatch.takeLast() ?? sqlite3_system_errno(handle) }

  func error(_ code: Int32, sql: String) -> CoreDataError {
    let error = CoreDataError.sqlite(
      code, message: lastMessage, sql: sql, file: url, system: systemCode)
    MachineFaultWatch.note(error)
    return error
  }
}

// MARK: - Transactions

extension Database {
  /// Makes all that was written durable and turns to a write-ahead log, which Core Data's stores
  /// have.
  func startLogging() throws {
    // The change of the journal mode is the first synchronous write: it takes all others along.
    try execute("PRAGMA synchronous = FULL")
    try change(journalMode: "WAL")
    try execute("PRAGMA synchronous = NORMAL")
  }

  /// Keeps what could be undone in memory, and makes no file for it.
  func keepJournalInMemory() throws { try change(journalMode: "MEMORY") }

  /// The change writes to the file by a journal of its own, and the first statement afterwards makes a log
  /// and its index: files beside the store, which may be one for a while.
  private func change(journalMode mode: String) throws {
    try TemporaryFiles.placing {
      try execute("PRAGMA journal_mode = \(mode)")
      _ = try integer("PRAGMA user_version")
    }
  }

  var isInTransaction: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }

  func commit() throws {
    for statements in dueBeforeCommit { try execute(statements) }
    try execute("COMMIT")
  }

  /// Runs `body` as one transaction, or as a part of the open one that can be undone by itself.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    let isNested = isInTransaction
    try execute(isNested ? "SAVEPOINT part" : "BEGIN IMMEDIATE")
    do {
      let result = try body()
      if isNested { try execute("RELEASE part") } else { try commit() }
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

// MARK: - Functions

extension Database {
  /// Makes the functions and collations known that statements may use, those that compare text as memory does,
  /// as soon as one does: few connections need them.
  private func registerFunctions(for sql: String) throws {
    if hasFunctions || Self.functionPrefixes.allSatisfy({ strstr(sql, $0) == nil }) { return }
    hasFunctions = true
    try registerCollations()
    try register(SQLTextFunctions.foldName, argumentCount: 2) { context, _, arguments in
      FunctionCall(context, arguments).fold()
    }
    try register(SQLTextFunctions.matchesName, argumentCount: 3) { context, _, arguments in
      FunctionCall(context, arguments).match()
    }
    try register(Self.convertName, argumentCount: 3) { context, _, arguments in
      FunctionCall(context, arguments).convert()
    }
    try register(Self.strangeName, argumentCount: 0) { context, _, _ in
      sqlite3_result_error(context, "a row of an entity that doesn't belong there", -1)
    }
  }

  /// What the names of functions and collations begin with.
  private static let functionPrefixes = ["hw_", "HW_"]

  /// The function that fails, for rows that mustn't be there.
  static let strangeName = "hw_strange"

  /// The function that converts a number from one attribute type to another, as raw values of
  /// ``AttributeType``: for what SQL's own conversions would round differently.
  static let convertName = "hw_convert"
  /// What it says to a number that its new type can't hold.
  static let unfitNumber = "the number doesn't fit its new type"

  private func register(
    _ name: String, argumentCount: Int32,
    _ function:
      @escaping @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void
  ) throws {
    // Each function has its own reference, which SQLite gives back when the connection closes.
    let functions = Unmanaged.passRetained(SQLTextFunctions())
    let code = sqlite3_create_function_v2(
      handle, name, argumentCount, Self.flags(of: name), functions.toOpaque(),
      function, nil, nil,
      { pointer in
        if let pointer { Unmanaged<SQLTextFunctions>.fromOpaque(pointer).release() }
      })
    guard code == SQLITE_OK else { throw error(code, sql: name) }
  }
}

extension Database {
  /// A function that only fails isn't deterministic: SQLite would call it once, before the first row.
  private static func flags(of name: String) -> Int32 {
    name == strangeName ? SQLITE_UTF8 : SQLITE_UTF8 | SQLITE_DETERMINISTIC
  }
}

/// One call of a function from SQL.
private struct FunctionCall {
  private let context: OpaquePointer?
  private let arguments: UnsafeMutablePointer<OpaquePointer?>?

  init(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    self.context = context
    self.arguments = arguments
  }

  /// `hw_fold(text, letters)`.
  func fold() {
    guard let functions, let text = self.text(0), let letters = self.text(1) else {
      return sqlite3_result_null(context)
    }
    ResultTarget(context).bind(functions.fold(text, letters: letters), at: 0)
  }

  /// `hw_matches(text, pattern, letters)`.
  func match() {
    guard let functions, let text = self.text(0), let pattern = self.text(1),
      let letters = self.text(2)
    else {
      return sqlite3_result_null(context)
    }
    do {
      let matches = try functions.matches(text, pattern: pattern, letters: letters)
      sqlite3_result_int(context, matches ? 1 : 0)
    } catch {
      sqlite3_result_error(context, "\(error)", -1)
    }
  }

  /// `hw_convert(number, from, to)`.
  func convert() {
    guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL,
      let from = type(at: 1), let to = type(at: 2)
    else { return sqlite3_result_null(context) }
    switch number(of: from).coerced(to: to) {
    case .integer(let value)?: sqlite3_result_int64(context, value)
    case .double(let value)?: sqlite3_result_double(context, value)
    case .decimal(let value)?: ColumnCodec.bind(value, to: ResultTarget(context), at: 0)
    default: sqlite3_result_error(context, Database.unfitNumber, -1)
    }
  }

  private func type(at index: Int) -> AttributeType? {
    AttributeType(rawValue: UInt(sqlite3_value_int64(arguments?[index])))
  }

  /// The number as its column's reader gives it.
  private func number(of type: AttributeType) -> Value {
    let argument = arguments?[0]
    let isInteger = sqlite3_value_type(argument) == SQLITE_INTEGER
    switch type {
    case .decimal where isInteger: return .decimal(Decimal(sqlite3_value_int64(argument)))
    // A Decimal column has a text for "not a number" alone.
    case .decimal where sqlite3_value_type(argument) == SQLITE_TEXT: return .decimal(.nan)
    case .decimal: return .decimal(ColumnCodec.decimal(sqlite3_value_double(argument)))
    case .double, .float: return .double(sqlite3_value_double(argument))
    default: return .integer(sqlite3_value_int64(argument))
    }
  }

  private var functions: SQLTextFunctions? {
    sqlite3_user_data(context).map {
      Unmanaged<SQLTextFunctions>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func text(_ index: Int) -> String? {
    guard let value = arguments?[index], let start = sqlite3_value_text(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}

// MARK: - Collations

extension SortDescriptor.TextOrder {
  /// The name of the order in SQL.
  var collation: String {
    switch self {
    case .binary: "BINARY"
    case .caseInsensitive: "HW_CASE_INSENSITIVE"
    case .localized: "HW_LOCALIZED"
    case .localizedCaseInsensitive: "HW_LOCALIZED_CASE_INSENSITIVE"
    case .localizedStandard: "HW_LOCALIZED_STANDARD"
    }
  }
}

extension Database {
  /// Makes the orders of texts known that sort descriptors name.
  func registerCollations() throws {
    for order in SortDescriptor.TextOrder.allCases where order != .binary {
      let code = sqlite3_create_collation_v2(
        handle, order.collation, SQLITE_UTF8, Self.place(of: order),
        { place, countA, a, countB, b in
          let order = Database.order(at: place)
          return Int32(
            order.compare(Database.text(a, countA), Database.text(b, countB)).rawValue)
        }, nil)
      guard code == SQLITE_OK else { throw error(code, sql: order.collation) }
    }
  }

  /// Which order a collation stands for, as the pointer that SQLite hands back.
  private static func place(of order: SortDescriptor.TextOrder) -> UnsafeMutableRawPointer? {
    let index = SortDescriptor.TextOrder.allCases.firstIndex(of: order) ?? 0
    return UnsafeMutableRawPointer(bitPattern: index + 1)
  }

  private static func order(at place: UnsafeMutableRawPointer?) -> SortDescriptor.TextOrder {
    SortDescriptor.TextOrder.allCases[Int(bitPattern: place) - 1]
  }

  private static func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
    guard let start else { return "" }
    return String(
      decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
