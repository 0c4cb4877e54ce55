// Batch updates as one statement.

extension SQLiteStore {
  /// - Returns: nil when one of the values has to be computed in memory, or takes more than 64 bits,
  ///   or might violate a uniqueness constraint, whose error names the objects.
  func updateByStatement(
    _ query: StoreQuery, _ assignments: [BatchAssignment], listsIDs: Bool
  ) throws -> BatchOutcome? {
    try requireWritable()
    guard bulk == nil, abilities(for: query).contains(.predicate),
      !mayViolateConstraints(assignments, of: query.entity)
    else { return nil }
    return try database.transaction {
      var terms: [SQLFragment] = []
      for assignment in assignments {
        guard let assigned = try self.terms(of: assignment, in: query.entity) else { return nil }
        terms += assigned
      }
      if try overflows(assignments, for: query) { return nil }
      generation += 1
      let needsIDs = listsIDs || !derivations.isEmpty
      let ids = needsIDs ? try identifiers(query) : []
      let earlier = try dependents(of: ids)
      var update: SQLFragment =
        "UPDATE \(raw: schema.table(of: query.entity)) AS t0 SET Z_OPT = Z_OPT + 1"
      for term in terms { update = "\(update), \(term)" }
      let count = try run("\(update)\(try condition(of: query))")
      if !derivations.isEmpty { try deriveAfterUpdate(of: ids, earlier: earlier) }
      return needsIDs ? BatchOutcome(ids) : BatchOutcome(count: count)
    }
  }

  private func mayViolateConstraints(
    _ assignments: [BatchAssignment], of entity: EntityDescription
  ) -> Bool {
    let constrained = schema.constraints.flatMap(\.properties)
    return !constrained.isEmpty
      && (!derivations.isEmpty
        || constrained.contains { property in assignments.contains { $0.concerns(property) } })
  }

  func identifiers(_ query: StoreQuery) throws -> [ManagedObjectID] {
    var ids: [ManagedObjectID] = []
    var bare = query
    bare.includesValues = false
    try streamRows(matching: bare) {
      ids.append($0.objectID)
      return true
    }
    return ids
  }

  /// Whether an integer that is computed on the way to a value takes more than 64 bits for some row.
  /// SQLite goes on with a real, and keeps it in the integer's column; in memory it is an error, or the
  /// next operation takes it for what it is.
  private func overflows(_ assignments: [BatchAssignment], for query: StoreQuery) throws -> Bool {
    let translator = SQLTranslator(schema: PredicateSchema(store: self))
    var terms: [SQLFragment] = []
    for assignment in assignments where assignment.expression.constant == nil {
      assignment.expression.forEachPart { part in
        // What can't be said in SQL isn't computed there.
        guard part.mayOverflow,
          let value = try? translator.column(part, entity: query.entity), value.type == .integer64
        else { return }
        terms.append("typeof(\(value.fragment)) = 'real'")
      }
    }
    if terms.isEmpty { return false }
    var overflows = false
    let found: SQLFragment =
      "SELECT 1 FROM (SELECT \(terms.joined(by: " OR ")) AS v \(try source(of: query))) WHERE v LIMIT 1"
    try run(found, of: query) { overflows = try $0.step() }
    return overflows
  }

  // MARK: Values

  /// The terms of SET for one property; nil when memory has to compute its values.
  private func terms(
    of assignment: BatchAssignment, in entity: EntityDescription
  ) throws -> [SQLFragment]? {
    switch schema.storage(of: assignment.property) {
    case .attribute(_, .externalBinary): return nil
    case .attribute(let column, let codec):
      return try value(of: assignment, codec, in: entity)
        .map { ["\(raw: column) = \($0)"] }
    case .composite(let columns):
      guard let constant = assignment.expression.constant else { return nil }
      return try terms(for: columns, columns.attribute.compositeValue(constant))
    case .toOne(let columns):
      guard let constant = assignment.expression.constant else { return nil }
      let table = schema.table(of: entity)
      try giveSortKeys(toMembersOf: constant.objectID, by: assignment.property, columns, in: table)
      return try terms(for: columns, constant.objectID, in: table)
    default: return nil
    }
  }

  private func value(
    of assignment: BatchAssignment, _ codec: ColumnCodec, in entity: EntityDescription
  ) throws -> SQLFragment? {
    guard let attribute = assignment.property as? AttributeDescription else { return nil }
    if let constant = assignment.expression.constant {
      let fitting = try Value(constant, for: attribute)
      if case .collection = fitting { return nil }
      return "\(fitting)"
    }
    let translator = SQLTranslator(schema: PredicateSchema(store: self))
    // What can't be said in SQL is computed in memory.
    guard let value = try? translator.column(assignment.expression, entity: entity),
      codec.takesUnchanged(
        value.type,
        (entity.property(readBy: assignment.expression) as? AttributeDescription)?.attributeType)
    else { return nil }
    return value.fragment
  }

  private func terms(for columns: CompositeColumns, _ composite: Value) throws -> [SQLFragment]? {
    let values = columns.values(of: composite).map(\.value)
    if values.contains(where: { if case .collection = $0 { true } else { false } }) { return nil }
    return zip(columns.leaves, values).map { "\(raw: $0.name) = \($1)" }
  }

  /// Members without a place in an owner's order come before those that get one now.
  private func giveSortKeys(
    toMembersOf owner: ManagedObjectID?, by property: PropertyDescription, _ columns: ToOneColumns,
    in table: String
  ) throws {
    guard let owner, let order = columns.order,
      let relationship = (property as? RelationshipDescription)?.inverseRelationship,
      try database.integer(
        "SELECT 1 FROM \(table) WHERE \(columns.key) = ? AND \(order) IS NULL LIMIT 1",
        owner.primaryKey) != nil
    else { return }
    try giveSortKeys(toMembersOf: OrderingOwner(id: owner, relationship: relationship))
  }

  /// Whoever leaves an ordered relationship has no place in its order any more; in another one it is
  /// the last.
  private func terms(
    for columns: ToOneColumns, _ id: ManagedObjectID?, in table: String
  ) throws -> [SQLFragment] {
    let key = id.map { String($0.primaryKey) } ?? "NULL"
    var terms: [SQLFragment] = ["\(raw: columns.key) = \(raw: key)"]
    if let column = columns.entity {
      let number = id.map { String(schema.numbers[$0.entity]) } ?? "NULL"
      terms.append("\(raw: column) = \(raw: number)")
    }
    if let order = columns.order {
      let last = try database.integer(
        "SELECT max(\(order)) FROM \(table) WHERE \(columns.key) = \(key)")
      let next = last.map { $0 + SortKeys.step } ?? SortKeys.first
      terms.append(
        id == nil
          ? "\(raw: order) = NULL"
          : "\(raw: order) = CASE WHEN \(raw: columns.key) = \(raw: key) THEN \(raw: order) ELSE \(raw: String(next)) END"
      )
    }
    return terms
  }
}

extension Expression {
  /// Whether it adds, multiplies or the like by itself, its parts apart.
  fileprivate var mayOverflow: Bool {
    switch expressionType {
    case .function: true
    case .keyPath: keyPath.contains("@sum")
    default: false
    }
  }
}
