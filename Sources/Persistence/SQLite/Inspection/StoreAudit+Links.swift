// Join tables, and how many destinations a relationship has.

extension StoreAudit {
  func checkLinks(in schema: StoreSchema) {
    for entity in entities {
      for relationship in entity.ownRelationships {
        guard case .join(let side) = schema.storage(of: relationship),
          catalog.hasColumn(side.ownColumn, in: side.table),
          catalog.hasColumn(side.destinationColumn, in: side.table)
        else { continue }
        checkDestinations(of: relationship, side, in: schema)
        if side.isReflexive { checkSymmetry(of: relationship, side, in: schema) }
        checkOrder(of: relationship, side)
      }
    }
  }

  /// Each side looks at the column of its destinations, so that both columns are looked at.
  private func checkDestinations(
    of relationship: RelationshipDescription, _ side: JoinSide, in schema: StoreSchema
  ) {
    guard let destination = relationship.destinationEntity, hasTable(destination) else { return }
    let owner: EntityDescription = relationship.entity
    gather(
      IntegrityFinding(
        .orphanLink, of: relationship, table: StoreCatalog.plain(side.table),
        detail: destination.name),
      """
      SELECT link.\(side.ownColumn), NULL, link.\(side.destinationColumn)
      FROM \(side.table) AS link LEFT JOIN \(schema.table(of: destination)) AS other
        ON other.Z_PK = link.\(side.destinationColumn) AND \(hierarchy(destination, schema: schema, alias: "other"))
      WHERE other.Z_PK IS NULL ORDER BY link.\(side.ownColumn), link.\(side.destinationColumn)
      """, example: { self.link($0, from: owner, to: destination) })
  }

  private func link(
    _ statement: Statement, from owner: EntityDescription, to destination: EntityDescription
  ) -> IntegrityFinding.Row {
    let key = statement.optionalInteger(2)
    return IntegrityFinding.Row(
      entity: owner.name, key: statement.integer(0),
      target: key.map { text(ofKey: $0, number: nil, else: destination) } ?? "NULL")
  }

  /// A relationship that is its own inverse keeps each link in both directions.
  private func checkSymmetry(
    of relationship: RelationshipDescription, _ side: JoinSide, in schema: StoreSchema
  ) {
    let entity: EntityDescription = relationship.entity
    gather(
      IntegrityFinding(.oneSidedInverse, of: relationship, detail: relationship.name),
      """
      SELECT link.\(side.ownColumn), NULL, link.\(side.destinationColumn) FROM \(side.table) AS link
      WHERE NOT EXISTS (
        SELECT 1 FROM \(side.table) AS back WHERE back.\(side.ownColumn) = link.\(side.destinationColumn)
          AND back.\(side.destinationColumn) = link.\(side.ownColumn))
      ORDER BY 1, 3
      """, example: { self.link($0, from: entity, to: entity) })
  }

  private func checkOrder(of relationship: RelationshipDescription, _ side: JoinSide) {
    guard let order = side.orderColumn, catalog.hasColumn(order, in: side.table) else { return }
    let owner: EntityDescription = relationship.entity
    let isTwice = Self.isTwice([side.ownColumn, order], in: side.table)
    for (kind, condition) in [
      (IntegrityFinding.Kind.missingOrder, "\(order) IS NULL"), (.equalOrder, isTwice),
    ] {
      gather(
        IntegrityFinding(kind, of: relationship, detail: StoreCatalog.plain(order)),
        """
        SELECT \(side.ownColumn), NULL, \(side.destinationColumn) FROM \(side.table)
        WHERE \(condition) ORDER BY 1, 3
        """, example: { self.link($0, from: owner, to: relationship.destinationEntity) })
    }
  }
}

// MARK: - How many

extension StoreAudit {
  /// Checks the bounds of to-many relationships. An optional one may be empty all the same, and a
  /// required one without a minimum is in many sound stores.
  func checkCounts(of entity: EntityDescription, in schema: StoreSchema) {
    for relationship in entity.ownRelationships
    where relationship.isToMany && relationship.hasBounds {
      guard let count = destinationCount(of: relationship, in: schema) else { continue }
      let table = schema.table(of: entity)
      let least = relationship.minCount
      let most = relationship.maxCount > 0 ? " OR n > \(relationship.maxCount)" : ""
      let mayBeEmpty = relationship.isOptional ? " AND n > 0" : ""
      gather(
        IntegrityFinding(.wrongCount, of: relationship, detail: relationship.boundsText),
        """
        SELECT Z_PK, Z_ENT, n FROM (
          SELECT own.Z_PK, own.Z_ENT, (\(count)) AS n FROM \(table) AS own
          WHERE \(hierarchy(entity, schema: schema, alias: "own")))
        WHERE (n < \(least)\(most))\(mayBeEmpty) ORDER BY Z_PK
        """, detail: { "has \($0.integer(2))" })
    }
  }

  private func destinationCount(
    of relationship: RelationshipDescription, in schema: StoreSchema
  ) -> String? {
    switch schema.storage(of: relationship) {
    case .children(let key):
      guard catalog.hasColumn(key.column, in: key.table) else { return nil }
      return "SELECT count(*) FROM \(key.table) AS child WHERE child.\(key.column) = own.Z_PK"
    case .join(let side):
      guard catalog.hasColumn(side.ownColumn, in: side.table) else { return nil }
      return "SELECT count(*) FROM \(side.table) AS link WHERE link.\(side.ownColumn) = own.Z_PK"
    default: return nil
    }
  }
}

extension RelationshipDescription {
  fileprivate var hasBounds: Bool { minCount > 0 || maxCount > 1 }

  /// `at least 1, at most 3`.
  package var boundsText: String {
    let least = minCount > 0 ? "at least \(minCount)" : nil
    let most = maxCount > 0 ? "at most \(maxCount)" : nil
    return [least, most].compactMap { $0 }.joined(separator: ", ")
  }
}

// MARK: - References

extension StoreAudit {
  /// Checks the keys that an entity declares: its to-one relationships, and those of to-many ones
  /// without inverse, which lie in the destination's table.
  func checkReferences(of entity: EntityDescription, in schema: StoreSchema) {
    for relationship in entity.ownRelationships {
      guard let destination = relationship.destinationEntity, hasTable(destination) else {
        continue
      }
      switch schema.storage(of: relationship) {
      case .toOne(let columns) where catalog.hasColumn(columns.key, in: schema.table(of: entity)):
        let check = ToOneCheck(
          relationship: relationship, destination: destination, columns: columns, schema: schema)
        checkExistence(check)
        checkEntityColumn(check)
        checkInverse(check)
      case .children(let key)
      where key.hasNoInverse && catalog.hasColumn(key.column, in: key.table):
        checkOwners(of: relationship, key, in: schema)
      default: continue
      }
    }
  }

  /// A to-one relationship with the parts of the queries about it.
  private struct ToOneCheck {
    let relationship: RelationshipDescription
    let destination: EntityDescription
    let columns: ToOneColumns
    let schema: StoreSchema

    func finding(_ kind: IntegrityFinding.Kind, _ detail: String) -> IntegrityFinding {
      IntegrityFinding(kind, of: relationship, detail: detail)
    }
  }

  /// Rows with their destination, and none where there is none; for a condition to follow.
  private func selection(_ check: ToOneCheck) -> String {
    let own = check.schema.table(of: check.relationship.entity)
    let other = check.schema.table(of: check.destination)
    let key = check.columns.key
    return """
      SELECT own.Z_PK, own.Z_ENT, own.\(key), other.Z_ENT
      FROM \(own) AS own LEFT JOIN \(other) AS other ON other.Z_PK = own.\(key)
      WHERE \(hierarchy(check.relationship.entity, schema: check.schema, alias: "own")) AND own.\(key) IS NOT NULL
      """
  }

  private func checkExistence(_ check: ToOneCheck) {
    let destination = check.destination
    func leadsTo(_ row: Statement) -> String {
      text(ofKey: row.integer(2), number: row.optionalInteger(3), else: destination)
    }
    gather(
      check.finding(.danglingReference, destination.name),
      selection(check) + " AND other.Z_PK IS NULL ORDER BY own.Z_PK", target: leadsTo)
    guard check.schema.condition(for: destination, withSubentities: true) != nil else { return }
    gather(
      check.finding(.wrongDestination, destination.name),
      selection(check) + " AND other.Z_PK IS NOT NULL AND NOT "
        + "(\(hierarchy(destination, schema: check.schema, alias: "other"))) ORDER BY own.Z_PK",
      target: leadsTo)
  }

  /// Core Data looks for the destination under the entity that the second column names.
  private func checkEntityColumn(_ check: ToOneCheck) {
    guard let column = check.columns.entity,
      catalog.hasColumn(column, in: check.schema.table(of: check.relationship.entity))
    else { return }
    gather(
      check.finding(.wrongEntityColumn, StoreCatalog.plain(column)),
      selection(check) + " AND other.Z_PK IS NOT NULL AND own.\(column) IS NOT other.Z_ENT "
        + "AND \(hierarchy(check.destination, schema: check.schema, alias: "other")) ORDER BY own.Z_PK",
      target: { text(ofKey: $0.integer(2), number: $0.integer(3), else: check.destination) })
  }

  /// Of two to-one relationships that are each other's inverse, each has a key of its own.
  private func checkInverse(_ check: ToOneCheck) {
    guard let inverse = check.relationship.inverseRelationship,
      inverse.inverseRelationship === check.relationship,
      case .toOne(let back) = check.schema.storage(of: inverse),
      catalog.hasColumn(back.key, in: check.schema.table(of: check.destination))
    else { return }
    gather(
      check.finding(.oneSidedInverse, inverse.name),
      selection(check) + " AND other.Z_PK IS NOT NULL AND other.\(back.key) IS NOT own.Z_PK "
        + "ORDER BY own.Z_PK",
      target: { text(ofKey: $0.integer(2), number: $0.integer(3), else: check.destination) })
  }

  private func checkOwners(
    of relationship: RelationshipDescription, _ key: ForeignKey, in schema: StoreSchema
  ) {
    let owner: EntityDescription = relationship.entity
    guard hasTable(owner) else { return }
    gather(
      IntegrityFinding(.danglingReference, of: relationship, detail: owner.name),
      """
      SELECT own.Z_PK, own.Z_ENT, own.\(key.column) FROM \(key.table) AS own
      WHERE own.\(key.column) IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM \(schema.table(of: owner)) AS other
        WHERE other.Z_PK = own.\(key.column) AND \(hierarchy(owner, schema: schema, alias: "other")))
      ORDER BY own.Z_PK
      """, target: { text(ofKey: $0.integer(2), number: nil, else: owner) })
  }
}
