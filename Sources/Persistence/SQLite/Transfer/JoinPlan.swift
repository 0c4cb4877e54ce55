/// Fills join tables.
struct JoinPlan {
  let plan: TransferPlan

  init(_ plan: TransferPlan) { self.plan = plan }

  func statements() throws -> [BoundSQL] {
    try plan.destination.writingSides.flatMap { try statements(for: $0.relationship, $0.side) }
  }

  private func statements(
    for relationship: RelationshipDescription, _ side: JoinSide
  ) throws -> [BoundSQL] {
    guard let inverse = relationship.inverseRelationship else { return [] }
    let olds = try plan.origins(of: relationship)
    let others = try plan.origins(of: inverse)
    try check(relationship, inverse: inverse, olds: olds, others: others)
    let isReversed = olds.isEmpty
    let sources = isReversed ? others : olds
    if sources.count > 1, relationship.isOrdered || inverse.isOrdered {
      throw PlanUnsupported(relationship, "it was several relationships and is ordered")
    }
    return try sources.map { old in
      let links = try links(of: old)
      return try statement(
        for: relationship, side: side, inverse: inverse, from: old,
        links: isReversed ? links.reversed : links,
        isReversed: isReversed, isMapped: !olds.isEmpty, inverseIsMapped: !others.isEmpty)
    }
  }

  /// Both sides must have been filled from the two sides of one relationship, or only one of them
  /// from any.
  private func check(
    _ relationship: RelationshipDescription, inverse: RelationshipDescription,
    olds: [RelationshipDescription], others: [RelationshipDescription]
  ) throws {
    let isOwnInverse = relationship === inverse
    if isOwnInverse ? olds.isEmpty : olds.isEmpty || others.isEmpty { return }
    let agree =
      olds.count == others.count
      && olds.allSatisfy { old in others.contains { $0 === old.inverseRelationship } }
    if !agree { throw PlanUnsupported(relationship, "it and its inverse were two relationships") }
  }

  // MARK: SQL

  private func statement(
    for relationship: RelationshipDescription, side: JoinSide,
    inverse: RelationshipDescription, from old: RelationshipDescription, links: StoredLinks,
    isReversed: Bool, isMapped: Bool, inverseIsMapped: Bool
  ) throws -> BoundSQL {
    let owner: EntityDescription = isReversed ? old.destinationEntity : old.entity
    let member: EntityDescription = isReversed ? old.entity : old.destinationEntity
    let owners = try end("x", origin: owner, end: relationship.entity)
    let members = try end("y", origin: member, end: relationship.destinationEntity)
    var columns = [side.ownColumn, side.destinationColumn]
    var values = [owners.key, members.key]
    if let column = side.orderColumn {
      columns.append(column)
      let rank =
        isMapped ? "" : "\(plan.rank(of: relationship.destinationEntity, inSource: "y.")), "
      values.append(
        (isMapped ? links.order : nil).map { "link.\($0)" }
          ?? OrderPlan.place(within: "x.Z_PK", by: "\(rank)y.Z_PK"))
    }
    if !side.isReflexive, case .join(let other) = plan.destination.storage(of: inverse),
      let column = other.orderColumn
    {
      columns.append(column)
      let rank = inverseIsMapped ? "" : "\(plan.rank(of: relationship.entity, inSource: "x.")), "
      values.append(
        (inverseIsMapped ? links.inverseOrder : nil).map { "link.\($0)" }
          ?? OrderPlan.place(within: "y.Z_PK", by: "\(rank)x.Z_PK"))
    }
    let sql: SQLFragment = """
      INSERT OR IGNORE INTO main.\(raw: side.table) (\(raw: columns.joined(separator: ", "))) \
      SELECT \(raw: values.joined(separator: ", ")) FROM (\(raw: links.sql)) AS link \
      JOIN \(raw: owners.table) ON x.Z_PK = link.owner AND \(owners.arrival) \
      JOIN \(raw: members.table) ON y.Z_PK = link.member AND \(members.arrival)
      """
    return BoundSQL(sql)
  }

  /// One end of the links: the rows that come along and may be there.
  private struct End {
    let table: String
    let key: String
    let arrival: SQLFragment
  }

  private func end(
    _ name: String, origin: EntityDescription, end: EntityDescription
  ) throws -> End {
    End(
      table: "\(TransferPlan.sourceTable(plan.source.table(of: origin))) AS \(name)",
      key: TransferPlan.moved(
        "\(name).Z_PK", by: plan.offsets.offset(from: origin, to: end)),
      arrival: try plan.arrival(of: name, among: plan.arriving(from: origin, at: end)))
  }

  private func links(of old: RelationshipDescription) throws -> StoredLinks {
    switch plan.source.storage(of: old) {
    case .toOne(let columns):
      return StoredLinks(
        table: plan.source.table(of: old.entity), owner: "Z_PK", member: columns.key, order: nil,
        inverseOrder: columns.order)
    case .children(let key):
      return StoredLinks(
        table: key.table, owner: key.column, member: "Z_PK", order: key.orderColumn,
        inverseOrder: nil)
    case .join(let side):
      var inverseOrder: String?
      if let inverse = old.inverseRelationship, !side.isReflexive,
        case .join(let other) = plan.source.storage(of: inverse)
      {
        inverseOrder = other.orderColumn
      }
      let links = StoredLinks(
        table: side.table, owner: side.ownColumn, member: side.destinationColumn,
        order: side.orderColumn, inverseOrder: inverseOrder)
      return side.isReflexive && side.orderColumn == nil ? links.inBothDirections : links
    default: throw PlanUnsupported(old, "its links aren't stored")
    }
  }
}
