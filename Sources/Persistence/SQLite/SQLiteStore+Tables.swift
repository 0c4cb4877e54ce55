// Tables of values and of groups, made by one SELECT.

/// A table query as SQL.
private struct TableStatement {
  /// How a column is read.
  enum Reading {
    case attribute(ColumnCodec)
    /// Integers that are computed, and Doubles where the result takes more than 64 bits.
    case wholeNumber
    /// A primary key; the entity number is the next column where the destination has subentities.
    case key(of: EntityDescription, hasNumber: Bool)
    case null

    init(_ codec: ColumnCodec) {
      if case .integer = codec { self = .wholeNumber } else { self = .attribute(codec) }
    }
  }
  var readings: [Reading] = []
  var terms: [SQLFragment] = []
  /// The ordinal of each column in the SELECT, from 1.
  var ordinals: [Int] = []

  mutating func add(_ term: SQLFragment, _ reading: Reading) {
    terms.append(term)
    ordinals.append(terms.count)
    readings.append(reading)
  }
}

extension SQLiteStore {
  func streamTable(_ table: TableQuery, _ body: ([Value]) throws -> Bool) throws -> Bool {
    guard !table.hasUngroupedValues, abilities(for: table.query) == .all,
      let statement = statement(for: table)
    else { return false }
    try run(try selection(statement, of: table), of: table.query) { rows in
      while try rows.step() {
        guard try body(values(of: statement, in: rows)) else { return }
      }
    }
    return true
  }

  private func values(of statement: TableStatement, in row: Statement) throws -> [Value] {
    try zip(statement.readings, statement.ordinals).map { reading, ordinal in
      let column = Int32(ordinal - 1)
      switch reading {
      case .null: return .null
      case .attribute(let codec): return try codec.read(row, column)
      case .wholeNumber:
        let codec = row.isInteger(column) || row.isNull(column) ? ColumnCodec.integer : .double
        return try codec.read(row, column)
      case .key(let destination, let hasNumber):
        if row.isNull(column) { return .null }
        let number = hasNumber ? row.optionalInteger(column + 1) : nil
        let entity = number.flatMap { schema.numbers.entity(numbered: $0) } ?? destination
        return .object(
          ManagedObjectID(entity: entity, primaryKey: row.integer(column), store: self))
      }
    }
  }

  /// GROUP BY also gives distinct rows in the order of their first objects.
  private func selection(
    _ statement: TableStatement, of table: TableQuery
  ) throws -> SQLFragment {
    let columns = statement.terms.isEmpty ? ["1"] : statement.terms
    var sql: SQLFragment = "SELECT \(columns.joined(by: ", ")) \(try source(of: table.query))"
    let groups = table.isDistinct ? Array(table.columns.indices) : table.groupColumns
    if let groups, !groups.isEmpty {
      let ordinals = groups.map { String(statement.ordinals[$0]) }.joined(separator: ", ")
      sql = "\(sql) GROUP BY \(raw: ordinals)"
    }
    let first = groups == nil ? "t0.Z_PK" : "MIN(t0.Z_PK)"
    let sort = groups?.isEmpty == true ? [] : sortTerms(for: table.query) ?? []
    sql = "\(sql) ORDER BY \(raw: (sort + [first]).joined(separator: ", "))"
    return paged(sql, table.query)
  }

  /// nil when a column has to be computed in memory.
  private func statement(for table: TableQuery) -> TableStatement? {
    var statement = TableStatement()
    for column in table.columns {
      guard add(column, of: table.query.entity, to: &statement) else { return nil }
    }
    return statement
  }

  private func add(
    _ column: TableQuery.Column, of entity: EntityDescription, to statement: inout TableStatement
  ) -> Bool {
    guard let operand = column.operand else {
      statement.add("COUNT(*)", .attribute(.integer))
      return true
    }
    let translator = SQLTranslator(schema: PredicateSchema(store: self))
    // What can't be said in SQL is evaluated in memory.
    guard let value = try? translator.column(operand, entity: entity) else { return false }
    let codec = codec(of: operand, value, entity)
    switch column {
    case .value: return add(value, codec, to: &statement)
    case .aggregate(let aggregate):
      guard let (term, codec) = Self.term(aggregate.function, of: value.fragment, codec) else {
        return false
      }
      statement.add(term, .init(codec))
      return true
    }
  }

  private func add(
    _ value: SQLColumn, _ codec: ColumnCodec?, to statement: inout TableStatement
  ) -> Bool {
    if let codec {
      statement.add(value.fragment, .init(codec))
    } else if let hierarchy = value.destination {
      let hasNumber = !hierarchy.subentities.isEmpty
      statement.add(value.fragment, .key(of: hierarchy, hasNumber: hasNumber))
      if hasNumber {
        let table = schema.table(of: hierarchy)
        statement.terms.append(
          "(SELECT other.Z_ENT FROM \(raw: table) AS other WHERE other.Z_PK = \(value.fragment))")
      }
    } else {
      statement.add("NULL", .null)
    }
    return true
  }

  /// How a column's values are read: as the attribute's own, or by their type.
  private func codec(
    of expression: Expression, _ value: SQLColumn, _ entity: EntityDescription
  ) -> ColumnCodec? {
    if let property = entity.property(readBy: expression),
      case .attribute(_, let codec) = schema.storage(of: property)
    {
      return codec
    }
    return switch value.type {
    case .integer64: .integer
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    default: nil
    }
  }

  private static func term(
    _ function: GroupAggregate.Function, of value: SQLFragment, _ codec: ColumnCodec?
  ) -> (SQLFragment, ColumnCodec)? {
    switch (function, codec) {
    case (.count, _): ("COUNT(\(value))", .integer)
    case (.sum, .integer), (.sum, .boolean): ("COALESCE(SUM(\(value)), 0)", .integer)
    case (.sum, .double), (.sum, .float): ("TOTAL(\(value))", .double)
    case (.sum, .decimal): ("TOTAL(\(value))", .decimal)
    case (.average, .integer), (.average, .boolean), (.average, .double), (.average, .float):
      ("AVG(\(value))", .double)
    case (.average, .decimal): ("AVG(\(value))", .decimal)
    case (.minimum, let codec?): ("MIN(\(value))", codec)
    case (.maximum, let codec?): ("MAX(\(value))", codec)
    default: nil
    }
  }
}

// MARK: - Other tables

extension SQLiteStore {
  /// What the file has beside the model, and no migration here carries over: rows of other tables, and values in
  /// columns of no property.
  package func rowsBesideTheModel() throws -> [StoreInspection.TableRows] {
    try (tablesBesideTheModel() + columnsBesideTheModel()).filter { $0.rows ?? 0 > 0 }
  }

  /// The tables that nothing of the model is kept in, with their rows: persistent history,
  /// mirroring, an app's own.
  package func tablesBesideTheModel() throws -> [StoreInspection.TableRows] {
    let catalog = try StoreCatalog(of: database)
    let known = Set(
      ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
        + (schema.tables.map(\.name) + schema.joins.map(\.name)).map { StoreCatalog.plain($0) })
    return try catalog.tableNames.filter { !known.contains($0) }.map { table in
      let rows = try database.integer("SELECT count(*) FROM \(StoreNames.quoted(table))")
      return StoreInspection.TableRows(
        table: table, rows: rows.map { Int($0) }, relationship: nil)
    }
  }

  /// The columns that belong to no property, with the rows that have a value there.
  private func columnsBesideTheModel() throws -> [StoreInspection.TableRows] {
    let catalog = try StoreCatalog(of: database)
    return try schema.tables.sorted { $0.name < $1.name }.flatMap { table in
      try table.columnsOfNoProperty(in: catalog).map { column in
        let rows = try database.integer(
          "SELECT count(\(StoreNames.quoted(column))) FROM \(table.name)")
        return StoreInspection.TableRows(
          table: StoreCatalog.plain(table.name), column: column, rows: rows.map { Int($0) },
          relationship: nil)
      }
    }
  }
}
