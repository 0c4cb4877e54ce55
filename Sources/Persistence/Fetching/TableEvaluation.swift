/// Makes a table in memory, of what the stores hold.
struct TableEvaluation {
  let table: TableQuery
  let stores: [PersistentStore]
  let context: ManagedObjectContext

  /// Gives the rows of the table in order, page and all, until `body` returns false.
  func enumerate(_ body: ([Value]) throws -> Bool) throws {
    guard let groupColumns = table.groupColumns else {
      return try enumerateObjects(table.query) { try body(row(of: $0)) }
    }
    var whole = table.query
    (whole.limit, whole.offset) = (0, 0)
    var groups = Groups(table: table)
    try enumerateObjects(whole) { object in
      try groups.add(row(of: object), grouped: groupColumns)
      return true
    }
    let rows = try groups.rows().dropFirst(table.query.offset)
    for row in table.query.limit > 0 ? rows.prefix(table.query.limit) : rows[...] {
      guard try body(row) else { return }
    }
  }

  /// The operand of each column for one object.
  private func row(of object: StoredObject) throws -> [Value] {
    try table.columns.map { column in
      guard let operand = column.operand else { return .integer(1) }
      return try operand.value(inStore: object).asStoredReference
    }
  }

  private func enumerateObjects(
    _ query: StoreQuery, _ body: (StoredObject) throws -> Bool
  ) throws {
    if stores.count == 1 {
      return try StoredRows(query, in: stores[0], context: context).enumerate {
        try body(StoredObject($0, in: stores[0]))
      }
    }
    var whole = query
    (whole.limit, whole.offset) = (0, 0)
    var objects: [StoredObject] = []
    for store in stores {
      try StoredRows(whole, in: store, context: context).forEachRow {
        objects.append(StoredObject($0, in: store))
      }
    }
    let sorted = try ObjectSorting(query.sortDescriptors).sorted(objects) { $0 }
      .dropFirst(query.offset)
    for object in query.limit > 0 ? sorted.prefix(query.limit) : sorted {
      guard try body(object) else { return }
    }
  }
}

/// The groups of a table while objects are added, in the order of their first objects.
private struct Groups {
  let table: TableQuery
  private var places: [[Value]: Int] = [:]
  private var groups: [Group] = []

  private struct Group {
    var first: [Value]
    var states: [AggregateState]
  }

  init(table: TableQuery) {
    self.table = table
    // All objects make a group even if there are none.
    if table.groupColumns?.isEmpty == true {
      places[[]] = 0
      groups = [emptyGroup(table.columns.map { _ in .null })]
    }
  }

  private func emptyGroup(_ first: [Value]) -> Group {
    Group(
      first: first,
      states: table.columns.map { AggregateState($0, of: table.query.entity) })
  }

  mutating func add(_ row: [Value], grouped columns: [Int]) throws {
    let key = columns.map { row[$0] }
    let place = places[key] ?? groups.count
    if place == groups.count {
      places[key] = place
      groups.append(emptyGroup(row))
    }
    for column in row.indices { try groups[place].states[column].add(row[column]) }
  }

  func rows() throws -> [[Value]] {
    groups.map { group in
      group.states.indices.map { column in
        table.columns[column].isAggregate ? group.states[column].result : group.states[column].first
      }
    }
  }
}

extension Value {
  /// The value with an object replaced by its identifier, as stores refer to it.
  fileprivate var asStoredReference: Value {
    guard case .object(let object) = self else { return self }
    return (object as? any IdentifiedObject).map { .object($0.identity) } ?? self
  }
}
