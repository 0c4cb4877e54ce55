internal import CSQLite

/// Updates of rows that set nothing but keys of to-one relationships: what the second pass of a
/// migration does with most rows.
struct KeyUpdates {
  /// Those that set the same columns.
  struct Group {
    let update: PartialUpdate
    let columns: KeyColumns
    /// The keys of the rows, in the order in which they changed.
    fileprivate(set) var rows: ContiguousArray<Int64> = []
    /// What is set, row by row, ``KeyColumns/count`` of each.
    fileprivate(set) var keys: ContiguousArray<Int64> = []

    /// - Returns: False for a value that is no key of a row.
    @inline(__always)
    fileprivate mutating func add(_ value: Value, _ field: KeyColumns.Field) -> Bool {
      if value.isNull {
        keys.append(KeyArgument.none)
        if field.numbers != nil { keys.append(KeyArgument.none) }
        return true
      }
      guard let id = value.unmanagedIdentifier else { return false }
      return id.use { id in
        if !id.hasRowKey { return false }
        keys.append(id.primaryKey)
        if let numbers = field.numbers { keys.append(numbers[id.entity]) }
        return true
      }
    }
  }
  private var groups: ContiguousArray<Group> = []
  /// How many rows change.
  private(set) var count = 0

  mutating func removeAll() {
    count = 0
    for index in groups.indices {
      groups[index].rows.removeAll(keepingCapacity: true)
      groups[index].keys.removeAll(keepingCapacity: true)
    }
  }

  /// - Returns: False where a value is no key of a row, without having added anything.
  mutating func add(_ object: ManagedObject, _ update: PartialUpdate) -> Bool {
    guard let place = group(of: update) else { return false }
    let start = groups[place].keys.count
    let areKeys = withoutRetaining(groups[place].columns) { columns in
      columns.fields.withUnsafeBufferPointer { fields in
        fields.allSatisfy { groups[place].add(object.values[$0.slot], $0) }
      }
    }
    if !areKeys {
      groups[place].keys.removeSubrange(start...)
      return false
    }
    groups[place].rows.append(object.objectID.primaryKey)
    count += 1
    return true
  }

  private mutating func group(of update: PartialUpdate) -> Int? {
    for index in groups.indices where groups[index].update === update { return index }
    guard let columns = update.keyColumns else { return nil }
    groups.append(Group(update: update, columns: columns))
    return groups.count - 1
  }

  func forEachGroup(_ body: (Group) throws -> Void) rethrows {
    for group in groups where !group.rows.isEmpty { try body(group) }
  }
}

extension Value {
  /// The identifier that a to-one relationship has as its value.
  @inline(__always)
  fileprivate var unmanagedIdentifier: Unmanaged<ManagedObjectID>? {
    guard case .object(let reference) = self else { return nil }
    return .passUnretained(unsafeDowncast(reference, to: ManagedObjectID.self))
  }
}

/// The columns of an update that sets nothing but keys, and a statement for rows that follow each other.
final class KeyColumns {
  struct Field {
    let slot: Int
    /// The numbers of entities, where the row has them, too.
    let numbers: EntityNumbers?
  }
  let fields: ContiguousArray<Field>
  /// How many columns there are.
  let count: Int
  /// Parameters 1 and 2 are the keys of the first row and the last.
  let run: Statement
  let given: KeyArgument

  /// - Returns: Nil where other fields are among them.
  init?(
    _ columns: [String], of fields: [RowWriter.Field], in table: String, _ schema: StoreSchema,
    _ database: Database
  ) throws {
    if fields.isEmpty { return nil }
    var own: ContiguousArray<Field> = []
    for field in fields {
      guard case .toOne(let hasEntityColumn) = field.kind else { return nil }
      own.append(Field(slot: field.slot, numbers: hasEntityColumn ? schema.numbers : nil))
    }
    self.fields = own
    count = columns.count
    given = try database.keyArgument()
    let assignments = columns.enumerated().map {
      "\($0.element) = \(KeyArgument.functionName)(Z_PK, \($0.offset))"
    }
    run = try database.statement(
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE Z_PK BETWEEN ?1 AND ?2")
  }
}

/// The keys that a statement takes, by row and column: it asks for them by a function.
final class KeyArgument {
  /// Row by row; ``none`` for NULL.
  fileprivate var keys: ContiguousArray<Int64> = []
  /// How many belong to a row.
  fileprivate var width = 1
  /// Where those of the first row begin.
  fileprivate var start = 0
  fileprivate var firstRow: Int64 = 0

  /// No row has this key.
  static let none = Int64.min
  static let functionName = "hw_given"

  /// The key for a column of a row; nil for none.
  fileprivate func key(row: Int64, column: Int64) -> Int64? {
    let index = start + Int(row &- firstRow) &* width + Int(column)
    guard index >= 0, index < keys.count, keys[index] != Self.none else { return nil }
    return keys[index]
  }
}

extension Database {
  /// What the connection's function gives, made known when it is first asked for.
  fileprivate func keyArgument() throws -> KeyArgument {
    if let known = ownKeyArgument { return known }
    let given = KeyArgument()
    // The connection has a reference of its own.
    let code = sqlite3_create_function_v2(
      handle, KeyArgument.functionName, 2, SQLITE_UTF8, Unmanaged.passRetained(given).toOpaque(),
      { context, _, arguments in
        guard let pointer = sqlite3_user_data(context), let arguments else { return }
        let key = Unmanaged<KeyArgument>.fromOpaque(pointer).use {
          $0.key(
            row: sqlite3_value_int64(arguments[0]), column: sqlite3_value_int64(arguments[1]))
        }
        if let key { sqlite3_result_int64(context, key) } else { sqlite3_result_null(context) }
      }, nil, nil,
      { if let pointer = $0 { Unmanaged<KeyArgument>.fromOpaque(pointer).release() } })
    guard code == SQLITE_OK else { throw error(code, sql: KeyArgument.functionName) }
    ownKeyArgument = given
    return given
  }
}

// MARK: - Writing

extension SQLiteStore {
  /// Rows that follow each other, as they do where objects are linked in order, take one statement.
  func write(_ group: KeyUpdates.Group) throws {
    var start = 0
    while start < group.rows.count {
      var end = start + 1
      while end < group.rows.count, group.rows[end] == group.rows[end - 1] + 1 { end += 1 }
      if end - start < Self.shortestRun {
        for index in start..<end { try write(group, at: index) }
      } else {
        try write(group, start..<end)
      }
      start = end
    }
  }

  private static var shortestRun: Int { 3 }

  private func write(_ group: KeyUpdates.Group, at index: Int) throws {
    let (statement, width) = (group.update.statement, group.columns.count)
    statement.bind(group.rows[index], at: 1)
    for column in 0..<width {
      let key = group.keys[index * width + column]
      statement.bind(orNull: key == KeyArgument.none ? nil : key, at: Int32(column) + 2)
    }
    try statement.run()
  }

  private func write(_ group: KeyUpdates.Group, _ run: Range<Int>) throws {
    let (given, statement) = (group.columns.given, group.columns.run)
    given.keys = group.keys
    // Else the batch's own would be copied when it is filled again.
    defer { given.keys = [] }
    given.width = group.columns.count
    given.start = run.lowerBound * given.width
    given.firstRow = group.rows[run.lowerBound]
    statement.bind(group.rows[run.lowerBound], at: 1)
    statement.bind(group.rows[run.upperBound - 1], at: 2)
    try statement.run(changing: run.count)
  }
}
