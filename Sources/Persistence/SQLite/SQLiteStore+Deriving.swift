// Derived attributes in SQL: one UPDATE for many rows, where SQLite gives what memory gives.

extension SQLiteStore {
  func rewriteRows(_ derivation: Derivation, of ids: [ManagedObjectID]) throws {
    if ids.isEmpty { return }
    if let update = update(by: derivation) {
      let keys = Value.string(Self.list(of: ids))
      let some: SQLFragment = "\(update) AND t0.Z_PK IN (SELECT value FROM json_each(\(keys)))"
      // Where SQLite can't do it, row by row says why.
      if (try? run(some)) != nil { return }
    }
    try rewriteOneByOne(derivation, of: ids)
  }

  /// Writes the derived values of all rows.
  /// - Parameter includingOwn: Whether those too that a row's own values decide. Rows without a time
  ///   of their last save get the present one.
  func deriveAll(includingOwn: Bool) throws {
    try derivations.check()
    for derivation in (includingOwn ? derivations.own : []) + derivations.related {
      if derivation.isTime {
        try fillTimes(derivation)
      } else {
        try rewriteAll(derivation)
      }
    }
  }

  private func rewriteAll(_ derivation: Derivation) throws {
    for relationship in derivation.route {
      try needIndexes(of: schema.table(of: relationship.destinationEntity))
    }
    // Where SQLite can't do it, row by row says why.
    if let update = update(by: derivation), (try? run(update)) != nil { return }
    try rewriteOneByOne(derivation, of: try identifiers(StoreQuery(entity: derivation.entity)))
  }

  func writeTime(_ time: Date, of derivation: Derivation, _ ids: [ManagedObjectID]) throws {
    guard !ids.isEmpty,
      case .attribute(let column, _) = schema.storage(of: derivation.attribute)
    else { return }
    let keys = Value.string(Self.list(of: ids))
    try run(
      """
      UPDATE main.\(raw: schema.table(of: derivation.entity))
      SET \(raw: column) = \(Value.date(time)) WHERE Z_PK IN (SELECT value FROM json_each(\(keys)))
      """)
  }

  private func fillTimes(_ derivation: Derivation) throws {
    guard case .attribute(let column, _) = schema.storage(of: derivation.attribute) else { return }
    let table = "main.\(schema.table(of: derivation.entity))"
    try run(
      """
      UPDATE \(raw: table) SET \(raw: column) = \(Value.date(Surroundings.now))
      WHERE \(raw: column) IS NULL AND \(raw: rows(of: derivation))
      """)
  }

  // MARK: Statements

  /// The UPDATE for all rows, its condition left open for more; nil when memory has to compute.
  private func update(by derivation: Derivation) -> SQLFragment? {
    // Which objects count is decided in memory.
    guard derivation.filter == nil, case .expression(let expression) = derivation.form,
      case .attribute(let column, let codec) = schema.storage(of: derivation.attribute)
    else { return nil }
    let translator = SQLTranslator(schema: PredicateSchema(store: self))
    // Of what has no statement the value is computed in memory.
    guard let value = try? translator.column(expression, entity: derivation.entity),
      codec.takesUnchanged(value.type, derivation.operand?.attributeType)
    else { return nil }
    let table = "main.\(schema.table(of: derivation.entity))"
    var term = value.fragment
    // A sum that takes more than 64 bits is a real, which memory makes nil.
    if value.type == .integer64, derivation.operand != nil {
      term = "(SELECT CASE typeof(v) WHEN 'integer' THEN v END FROM (SELECT \(term) AS v))"
    }
    return """
      UPDATE \(raw: table) AS t0 SET \(raw: column) = \(term)
      WHERE \(raw: rows(of: derivation))
      """
  }

  private func rows(of derivation: Derivation) -> String {
    schema.condition(for: derivation.entity, withSubentities: true) ?? "1"
  }

  @discardableResult
  func run(_ sql: SQLFragment) throws -> Int {
    try database.with(sql) { statement in
      try statement.run()
      return database.changes
    }
  }

  private func rewriteOneByOne(_ derivation: Derivation, of ids: [ManagedObjectID]) throws {
    guard case .attribute(let column, let codec) = schema.storage(of: derivation.attribute) else {
      return
    }
    let sql = "UPDATE \(schema.table(of: derivation.entity)) SET \(column) = ? WHERE Z_PK = ?"
    let time = Surroundings.now
    for id in ids {
      guard let row = try readRow(id) else { continue }
      let value = derivation.value(for: StoredObject(row, in: self), at: time)
      try database.with(sql) { statement in
        if try !codec.bind(value, to: statement, at: 1) { statement.bindNull(at: 1) }
        statement.bind(id.primaryKey, at: 2)
        try statement.run()
      }
    }
  }
}

extension ColumnCodec {
  /// Whether SQL's values of a type are what the column would hold of them.
  /// - Parameter operand: The type of the attribute that is read; nil where rows are counted.
  func takesUnchanged(_ type: AttributeType, _ operand: AttributeType?) -> Bool {
    switch (self, type) {
    case (.integer, .integer64), (.double, .double), (.date, .date), (.string, .string),
      (.uuid, .uuid), (.uri, .uri):
      true
    case (.float, .double): operand == .float
    default: false
    }
  }
}
