// Keys of other rows.

extension StoreAudit {
  /// Checks the keys that an entity declares: its to-one relationships, and those of to-many ones
  /// without inverse, which lie in the destination's table.
  func checkReferences(of entity: EntityDescription, in schema: StoreSchema) {
    for case let relationship as RelationshipDescription in entity.ownProperties {
      guard let destination = relationship.destinationEntity, hasTable(destination) else {
        continue
      }
      switch schema.storage(of: relationship) {
      case .toOne(let columns) where catalog.hasColumn(columns.key, in: schema.table(of: entity)):
        let check = ToOneCheck(relationship, destination, columns, schema)
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

    init(
      _ relationship: RelationshipDescription, _ destination: EntityDescription,
      _ columns: ToOneColumns, _ schema: StoreSchema
    ) {
      self.relationship = relationship
      self.destination = destination
      self.columns = columns
      self.schema = schema
    }

    func finding(
      _ kind: IntegrityFinding.Kind, _ detail: String
    ) -> IntegrityFinding {
      IntegrityFinding(
        kind, entity: relationship.entity.name, property: relationship.name, detail: detail)
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
      WHERE \(hierarchy(check.relationship.entity, check.schema, "own")) AND own.\(key) IS NOT NULL
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
        + "(\(hierarchy(destination, check.schema, "other"))) ORDER BY own.Z_PK", target: leadsTo)
  }

  /// Core Data looks for the destination under the entity that the second column names.
  private func checkEntityColumn(_ check: ToOneCheck) {
    guard let column = check.columns.entity,
      catalog.hasColumn(column, in: check.schema.table(of: check.relationship.entity))
    else { return }
    gather(
      check.finding(.wrongEntityColumn, StoreCatalog.plain(column)),
      selection(check) + " AND other.Z_PK IS NOT NULL AND own.\(column) IS NOT other.Z_ENT "
        + "AND \(hierarchy(check.destination, check.schema, "other")) ORDER BY own.Z_PK",
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
      IntegrityFinding(
        .danglingReference, entity: owner.name, property: relationship.name, detail: owner.name),
      """
      SELECT own.Z_PK, own.Z_ENT, own.\(key.column) FROM \(key.table) AS own
      WHERE own.\(key.column) IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM \(schema.table(of: owner)) AS other
        WHERE other.Z_PK = own.\(key.column) AND \(hierarchy(owner, schema, "other")))
      ORDER BY own.Z_PK
      """, target: { text(ofKey: $0.integer(2), number: nil, else: owner) })
  }
}
