import CSQLite
import Predicates
import TestSupport

/// A kennel with random inhabitants, in memory as objects and in SQLite as rows.
final class KennelDatabase {
  let kennel: Kennel
  private(set) var rows: [String: [KennelRow]] = [:]
  private var random: RandomSource
  private var handle: OpaquePointer?
  private let functions = SQLTextFunctions()

  init(seed: UInt64) throws {
    kennel = try Kennel()
    random = RandomSource(seed: seed)
    sqlite3_open(":memory:", &handle)
    registerFunctions()
    try populate()
    for table in rows.keys.sorted() { try write(table) }
    try writeJoins()
  }

  deinit { sqlite3_close(handle) }

  // MARK: Inhabitants

  static let texts = ["", "Anna", "anna", "ANN", "Ännä", "na", "a*a", "[n]", "x?", "💡 n"]

  private func populate() throws {
    for (name, count) in [("City", 4), ("Tag", 4), ("Owner", 30), ("Pet", 40)] {
      let entity = kennel.entity(name)
      rows[name] = (1...count).map { KennelRow(entity, Int64($0)) }
      for row in rows[name] ?? [] {
        for attribute in entity.attributes { row.values[attribute.name] = value(of: attribute) }
      }
    }
    for owner in rows["Owner"] ?? [] {
      if Int.random(in: 0..<4, using: &random) > 0, let city = pick(rows["City"] ?? []) {
        owner.values["city"] = .object(city)
      }
      for tag in rows["Tag"] ?? [] where Int.random(in: 0..<4, using: &random) == 0 {
        try owner.add(tag, to: "tags")
      }
    }
    for pet in rows["Pet"] ?? [] where Int.random(in: 0..<6, using: &random) > 0 {
      guard let owner = pick(rows["Owner"] ?? []) else { continue }
      pet.values["owner"] = .object(owner)
      try owner.add(pet, to: "pets")
    }
  }

  private func value(of attribute: AttributeDescription) -> Value {
    if Int.random(in: 0..<4, using: &random) == 0 { return .null }
    let small = Int64.random(in: -2...5, using: &random)
    return switch attribute.attributeType {
    case .integer16, .integer32: .integer(small)
    case .integer64: .integer(small == 5 ? .max : small)
    case .boolean: .integer(small > 1 ? 1 : 0)
    case .double: .double(Double(small) / 2)
    case .decimal: .decimal(Decimal(small) / 2)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(small)))
    case .uuid: .uuid(UUID(uuid: (UInt8(small + 2), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200)))
    case .uri: URL(string: "http://a.b/\(small)").map { .uri($0) } ?? .null
    case .binaryData: .data(Data([UInt8(small + 2)]))
    default: .string(pick(Self.texts) ?? "")
    }
  }

  func pick<T>(_ choices: [T]) -> T? { choices.randomElement(using: &random) }

  // MARK: Rows

  private func write(_ name: String) throws {
    let entity = kennel.entity(name)
    let toOne = entity.relationships.filter { !$0.isToMany }
    let columns =
      entity.attributes.map { "Z\($0.name.uppercased()) \(Self.declaredType($0))" }
      + toOne.map { "Z\($0.name.uppercased()) INTEGER" }
    try run(
      "CREATE TABLE Z\(name.uppercased()) (Z_PK INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))"
    )
    for row in rows[name] ?? [] {
      let values = (entity.attributes.map(\.name) + toOne.map(\.name)).map {
        row.values[$0] ?? .null
      }
      let parameters = values.map { _ in "?" }.joined(separator: ", ")
      try run("INSERT INTO Z\(name.uppercased()) VALUES (\(row.key), \(parameters))", values)
    }
  }

  private static func declaredType(_ attribute: AttributeDescription) -> String {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .uuid, .binaryData: "BLOB"
    default: "VARCHAR"
    }
  }

  private func writeJoins() throws {
    try run("CREATE TABLE Z_1TAGS (Z_1OWNERS INTEGER, Z_2TAGS INTEGER)")
    for owner in rows["Owner"] ?? [] {
      guard case .collection(let tags)? = owner.values["tags"] else { continue }
      for tag in tags.elements {
        try run("INSERT INTO Z_1TAGS VALUES (\(owner.key), ?)", [tag])
      }
    }
  }

  // MARK: SQLite

  struct Failure: Error { let message: String }

  /// The keys of the owners that meet the condition.
  func keys(meeting condition: SQLFragment) throws -> [Int64] {
    try run("SELECT Z_PK FROM ZOWNER AS t0 WHERE \(condition.sql) ORDER BY 1", condition.bindings)
  }

  @discardableResult
  private func run(_ sql: String, _ values: [Value] = []) throws -> [Int64] {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw failure(sql)
    }
    for (index, value) in values.enumerated() { bind(value, to: statement, at: Int32(index + 1)) }
    var keys: [Int64] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: keys.append(sqlite3_column_int64(statement, 0))
      case SQLITE_DONE: return keys
      default: throw failure(sql)
      }
    }
  }

  private func failure(_ sql: String) -> Failure {
    Failure(message: String(cString: sqlite3_errmsg(handle)) + ": " + sql)
  }

  private func bind(_ value: Value, to statement: OpaquePointer?, at index: Int32) {
    switch value {
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .double(let number): sqlite3_bind_double(statement, index, number)
    case .decimal: sqlite3_bind_double(statement, index, value.doubleValue ?? 0)
    case .date(let date): sqlite3_bind_double(statement, index, date.timeIntervalSinceReferenceDate)
    case .string(let text): sqlite3_bind_text(statement, index, text, -1, Self.transient)
    case .uri(let url): sqlite3_bind_text(statement, index, url.absoluteString, -1, Self.transient)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { bind($0, to: statement, at: index) }
    case .data(let data): data.withUnsafeBytes { bind($0, to: statement, at: index) }
    case .object(let row as KennelRow): sqlite3_bind_int64(statement, index, row.key)
    default: sqlite3_bind_null(statement, index)
    }
  }

  private func bind(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer?, at index: Int32)
  {
    sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), Self.transient)
  }

  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  private func registerFunctions() {
    let context = Unmanaged.passUnretained(functions).toOpaque()
    sqlite3_create_function(
      handle, SQLTextFunctions.foldName, 2, SQLITE_UTF8, context,
      { call, _, arguments in
        guard let arguments, let text = KennelDatabase.text(arguments[0]) else { return }
        let folded = KennelDatabase.functions(call).fold(
          text, letters: KennelDatabase.text(arguments[1]) ?? "")
        sqlite3_result_text(call, folded, -1, KennelDatabase.transient)
      }, nil, nil)
    sqlite3_create_function(
      handle, SQLTextFunctions.matchesName, 3, SQLITE_UTF8, context,
      { call, _, arguments in
        guard let arguments, let text = KennelDatabase.text(arguments[0]) else { return }
        let matches = try? KennelDatabase.functions(call).matches(
          text, pattern: KennelDatabase.text(arguments[1]) ?? "",
          letters: KennelDatabase.text(arguments[2]) ?? "")
        sqlite3_result_int(call, matches == true ? 1 : 0)
      }, nil, nil)
  }

  private static func text(_ value: OpaquePointer?) -> String? {
    sqlite3_value_text(value).map { String(cString: $0) }
  }

  private static func functions(_ call: OpaquePointer?) -> SQLTextFunctions {
    Unmanaged<SQLTextFunctions>.fromOpaque(sqlite3_user_data(call)).takeUnretainedValue()
  }
}
