// What a migration manager would validate, as far as columns tell.

extension SQLiteStore {
  /// Makes sure that validation would find nothing wrong.
  /// - Throws: ``PlanUnsupported`` where it might.
  func checkEverything(_ plan: TransferPlan) throws {
    for transfer in plan.entities {
      let entity = transfer.destination
      let rules = TransferRules(entity: entity, schema: schema, computed: transfer.computed)
      guard let doubt = try rules.doubt() else { continue }
      let rows = BoundSQL(
        text: "SELECT 1 FROM main.\(schema.table(of: entity)) "
          + "WHERE Z_ENT = \(schema.numbers[entity]) AND (\(doubt.text)) LIMIT 1",
        bindings: doubt.bindings)
      if try hasRow(rows) { throw PlanUnsupported("'\(entity.name)' has rows to be validated") }
    }
    try checkOneToOnes(of: plan)
  }

  /// Of a damaged store one side of a one-to-one relationship may lead somewhere and the other not.
  /// Columns are copied as they are; objects set one side after the other, and the last one counts.
  private func checkOneToOnes(of plan: TransferPlan) throws {
    // Entities of one hierarchy have their inherited relationships in the same column.
    var checked: Set<ObjectIdentifier> = []
    for entity in plan.entities.map(\.destination) {
      for relationship in entity.relationships
      where !relationship.isToMany && checked.insert(ObjectIdentifier(relationship)).inserted {
        guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
          case .toOne(let there) = schema.storage(of: relationship),
          case .toOne(let back) = schema.storage(of: inverse)
        else { continue }
        let rows = BoundSQL(
          text: "SELECT 1 FROM main.\(schema.table(of: entity)) AS own WHERE own.\(there.key) "
            + "IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
            + "main.\(schema.table(of: inverse.entity)) AS other "
            + "WHERE other.Z_PK = own.\(there.key) AND other.\(back.key) = own.Z_PK) LIMIT 1",
          bindings: [])
        if try hasRow(rows) {
          throw PlanUnsupported("'\(entity.name).\(relationship.name)' is set on one side only")
        }
      }
    }
  }

  /// - Throws: ``PlanUnsupported`` for a row without a value that it must have.
  func check(_ presumptions: [MigrationPlan.Presumption]) throws {
    for presumption in presumptions {
      let (entity, attribute) = (presumption.entity, presumption.attribute)
      guard case .attribute(let column, _) = schema.storage(of: attribute) else { continue }
      let rows = BoundSQL(
        text: "SELECT 1 FROM \(schema.table(of: entity)) "
          + "WHERE Z_ENT = \(schema.numbers[entity]) AND \(column) IS NULL LIMIT 1",
        bindings: [])
      if try hasRow(rows) { throw PlanUnsupported(attribute, "it has no value everywhere") }
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
  /// What an expression gives for each row of an entity, for a transfer from this store. `$source` stands
  /// for the row, as SELF does.
  /// - Throws: `UntranslatablePredicate`.
  func transferExpression(
    _ expression: Expression, of entity: EntityDescription
  ) throws -> SQLColumn {
    try transferTranslator(row: TransferPlan.rowAlias).column(
      expression, entity: entity, variable: "source")
  }

  /// Value expressions are evaluated in memory on a device, source predicates are SQL.
  fileprivate func transferTranslator(
    row: String, logic: SQLLogic = .nullSafe
  ) -> SQLTranslator {
    SQLTranslator(
      schema: PredicateSchema(store: self, database: TransferPlan.sourceName), alias: row,
      logic: logic)
  }
}

/// The rows of an entity that a fetch gives, for a transfer from their store.
struct RowSelection: @unchecked Sendable {
  private let predicate: Predicate
  private let entity: EntityDescription
  // Used only while the store is read, by whoever reads it.
  private let store: SQLiteStore

  /// - Throws: `UntranslatablePredicate`; `CoreDataError` for a fetch that is refused.
  init(
    _ predicate: Predicate, of entity: EntityDescription, in store: SQLiteStore
  ) throws {
    self.predicate = predicate
    self.entity = entity
    self.store = store
    try store.checkSupport(for: query)
    // Now, and not when half of the rows have come along.
    _ = try sql(of: TransferPlan.rowAlias)
  }

  private var query: StoreQuery {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    query.predicate = predicate
    return query
  }

  /// The rows for which memory would choose otherwise.
  func sqlDifference() throws -> SQLDifference? { try store.sqlDifference(of: query) }

  /// The condition on a row, by the name that it has in a statement.
  func sql(of row: String) throws -> SQLFragment {
    try store.transferTranslator(row: row, logic: .threeValued)
      .translate(predicate, entity: entity)
  }
}
