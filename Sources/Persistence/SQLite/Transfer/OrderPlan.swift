/// Puts the members of ordered relationships in order where the source knew none, and takes the sort
/// keys from rows that lost their owner.
///
/// The order is that in which a migration manager would have added them: by primary key, and where
/// the ordered side is new, entity mapping by entity mapping.
struct OrderPlan {
  let plan: TransferPlan

  init(_ plan: TransferPlan) { self.plan = plan }

  func statements() throws -> [String] {
    var statements: [String] = []
    for relationship in plan.destination.model.ownRelationships {
      guard case .children(let key) = plan.destination.storage(of: relationship),
        let order = key.orderColumn
      else { continue }
      statements.append(
        try isInOrder(relationship, key)
          ? Self.clearing(order, in: key)
          : try numbering(order, of: relationship, in: key))
    }
    return statements
  }

  /// Whether the rows brought their sort keys along.
  private func isInOrder(
    _ relationship: RelationshipDescription, _ key: ForeignKey
  ) throws -> Bool {
    let olds = try plan.origins(of: relationship)
    if olds.allSatisfy({ $0.isOrdered && $0.isToMany }) { return !olds.isEmpty }
    if olds.contains(where: { $0.isOrdered && $0.isToMany }) {
      throw PlanUnsupported(relationship, "it was ordered in one entity only")
    }
    return false
  }

  private static func clearing(_ order: String, in key: ForeignKey) -> String {
    "UPDATE main.\(key.table) SET \(order) = NULL "
      + "WHERE \(key.column) IS NULL AND \(order) IS NOT NULL"
  }

  private func numbering(
    _ order: String, of relationship: RelationshipDescription, in key: ForeignKey
  ) throws -> String {
    let isNew = try plan.origins(of: relationship).isEmpty
    let rank = isNew ? "\(plan.rank(of: relationship.destinationEntity, in: "")), " : ""
    return "UPDATE main.\(key.table) SET \(order) = numbered.place FROM ("
      + "SELECT Z_PK AS member, \(Self.place(within: key.column, by: "\(rank)Z_PK")) AS place "
      + "FROM main.\(key.table) WHERE \(key.column) IS NOT NULL) AS numbered "
      + "WHERE numbered.member = Z_PK"
  }

  /// The sort key of a row among those of one owner.
  static func place(within owner: String, by order: String) -> String {
    let start = SortKeys.first - SortKeys.step
    return
      "row_number() OVER (PARTITION BY \(owner) ORDER BY \(order)) * \(SortKeys.step) + \(start)"
  }
}

extension TransferPlan {
  /// The place of a destination row's entity mapping among all. `row` ends in a dot, or is empty.
  func rank(of end: EntityDescription, in row: String) -> String {
    rank(of: end, in: row) { destination.numbers[$0.destination] }
  }

  /// The same of a source row.
  func rank(of end: EntityDescription, inSource row: String) -> String {
    rank(of: end, in: row) { source.numbers[$0.source] }
  }

  private func rank(
    of end: EntityDescription, in row: String, number: (TransferEntity) -> Int64
  ) -> String {
    let cases = entities.enumerated().filter { $0.element.destination.isKindOf(entity: end) }
      .map { "WHEN \(number($0.element)) THEN \($0.offset)" }
    return cases.isEmpty ? "0" : "CASE \(row)Z_ENT \(cases.joined(separator: " ")) END"
  }
}
