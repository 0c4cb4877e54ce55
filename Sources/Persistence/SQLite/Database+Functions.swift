internal import CSQLite

extension Database {
  /// Makes the functions known that statements may call: those that compare text as memory does.
  func registerFunctions() throws {
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
    return StoredText.string(UnsafeBufferPointer(start: start, count: count))
  }
}
