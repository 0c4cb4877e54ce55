// What a migration manager would validate, as far as columns tell.

extension SQLiteStore {
  /// Makes sure that validation would find nothing wrong.
  /// - Throws: ``TransferObstacle`` where it might.
  func checkEverything(_ plan: TransferPlan) throws {
    for transfer in plan.transfer.entities {
      let entity = transfer.destination
      let rules = TransferRules(entity: entity, schema: schema, computed: transfer.computed)
      guard let doubt = try rules.doubt() else { continue }
      let rows = BoundSQL(
        text: "SELECT 1 FROM main.\(schema.table(of: entity)) "
          + "WHERE Z_ENT = \(schema.numbers[entity]) AND (\(doubt.text)) LIMIT 1",
        bindings: doubt.bindings)
      if try hasRow(rows) { throw TransferObstacle("'\(entity.name)' has rows to be validated") }
    }
  }

  /// - Throws: ``TransferObstacle`` for a row without a value that it must have.
  func check(_ presumptions: [StoreTransfer.Presumption]) throws {
    for presumption in presumptions {
      let (entity, attribute) = (presumption.entity, presumption.attribute)
      guard case .attribute(let column, _) = schema.storage(of: attribute) else { continue }
      let rows = BoundSQL(
        text: "SELECT 1 FROM \(schema.table(of: entity)) "
          + "WHERE Z_ENT = \(schema.numbers[entity]) AND \(column) IS NULL LIMIT 1",
        bindings: [])
      if try hasRow(rows) { throw TransferObstacle(attribute, "it has no value everywhere") }
    }
  }

  private func hasRow(_ sql: BoundSQL) throws -> Bool {
    try database.with(sql.text) { statement in
      try sql.bind(to: statement)
      return try statement.step()
    }
  }
}

// MARK: - Expressions

extension SQLiteStore {
  /// What an expression gives for each row of an entity, for a transfer from this store.
  /// - Parameter variable: The variable that stands for the row, as SELF does.
  /// - Throws: `UntranslatablePredicate`.
  package func transferExpression(
    _ expression: Expression, of entity: EntityDescription, variable: String
  ) throws -> SQLColumn {
    try transferTranslator.column(expression, entity: entity, variable: variable)
  }

  /// The rows that a fetch gives, as a condition for a transfer from this store.
  /// - Throws: `UntranslatablePredicate`; `CoreDataError` for a fetch that is refused.
  package func transferCondition(
    _ predicate: Predicate, of entity: EntityDescription
  ) throws -> SQLFragment {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    query.predicate = predicate
    try checkSupport(for: query)
    return try transferTranslator.translate(predicate, entity: entity)
  }

  private var transferTranslator: SQLTranslator {
    SQLTranslator(
      schema: PredicateSchema(store: self, database: TransferPlan.sourceName),
      alias: TransferPlan.rowAlias)
  }
}
