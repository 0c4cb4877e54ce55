/// Finds what fills the columns that hold keys of other rows: to-one relationships, and to-many ones
/// without inverse, whose key is with their members.
struct ReferencePlan {
  let plan: TransferPlan

  init(_ plan: TransferPlan) { self.plan = plan }

  /// A key in the rows of a source entity.
  struct Key {
    /// The column of the source table.
    let column: String
    /// The column with the sort key that goes with it.
    let order: String?
    /// What the key leads to, in the source.
    let target: EntityDescription
  }

  /// Columns and expressions for the rows of one entity.
  func columns(of entity: TransferEntity) throws -> [(name: String, value: SQLFragment)] {
    var columns: [(String, SQLFragment)] = []
    for relationship in entity.destination.relationships {
      guard case .toOne(let toOne) = plan.destination.storage(of: relationship),
        let key = try key(of: relationship, in: entity)
      else { continue }
      columns.append((toOne.key, try value("Z_PK", of: key, for: relationship.destinationEntity)))
      if let column = toOne.entity {
        columns.append((column, try value("Z_ENT", of: key, for: relationship.destinationEntity)))
      }
      if let column = toOne.order, let order = key.order {
        columns.append((column, "own.\(raw: order)"))
      }
    }
    return columns + (try columnsWithoutInverse(of: entity))
  }

  private func columnsWithoutInverse(
    of entity: TransferEntity
  ) throws -> [(name: String, value: SQLFragment)] {
    var columns: [(String, SQLFragment)] = []
    for (relationship, foreignKey) in plan.keysWithoutInverse
    where entity.destination.isKindOf(entity: relationship.destinationEntity) {
      guard let key = try ownerKey(of: relationship, in: entity) else { continue }
      columns.append((foreignKey.column, try value("Z_PK", of: key, for: relationship.entity)))
      if let column = foreignKey.orderColumn, let order = key.order {
        columns.append((column, "own.\(raw: order)"))
      }
    }
    return columns
  }

  // MARK: Keys

  /// The key that a to-one relationship of the destination takes over.
  func key(
    of relationship: RelationshipDescription, in entity: TransferEntity
  ) throws -> Key? {
    if let old = entity.origin(of: relationship) {
      guard case .toOne(let columns) = plan.source.storage(of: old) else {
        throw PlanUnsupported(relationship, "'\(old.name)' has no key of its own")
      }
      try checkInverse(of: relationship, filledFrom: old)
      return Key(column: columns.key, order: columns.order, target: old.destinationEntity)
    }
    guard let inverse = relationship.inverseRelationship, inverse !== relationship else {
      return nil
    }
    return try ownerKey(of: inverse, in: entity)
  }

  /// Both sides of a relationship must tell the same: then one column says it all.
  private func checkInverse(
    of relationship: RelationshipDescription, filledFrom old: RelationshipDescription
  ) throws {
    guard let inverse = relationship.inverseRelationship else { return }
    let others = try plan.origins(of: inverse)
    guard others.allSatisfy({ $0.inverseRelationship === old }) else {
      throw PlanUnsupported(relationship, "it and its inverse were two relationships")
    }
    if others.isEmpty, !inverse.isToMany, old.inverseRelationship?.isToMany != false {
      throw PlanUnsupported(relationship, "several objects may lead to one, which has one to-one")
    }
  }

  /// The key, in the rows of the members of a relationship, of the object that has it.
  private func ownerKey(
    of relationship: RelationshipDescription, in entity: TransferEntity
  ) throws -> Key? {
    let olds = try plan.origins(of: relationship)
    guard let old = olds.first else { return nil }
    if olds.count > 1 {
      throw PlanUnsupported(relationship, "it was several relationships")
    }
    guard entity.source.isKindOf(entity: old.destinationEntity) else { return nil }
    if let inverse = old.inverseRelationship {
      guard case .toOne(let columns) = plan.source.storage(of: inverse) else {
        throw PlanUnsupported(relationship, "its members may have several owners")
      }
      guard entity.source.isKindOf(entity: inverse.entity) else { return nil }
      return Key(column: columns.key, order: columns.order, target: old.entity)
    }
    guard case .children(let key) = plan.source.storage(of: old) else {
      throw PlanUnsupported(relationship, "its members may have several owners")
    }
    return Key(column: key.column, order: key.orderColumn, target: old.entity)
  }

  // MARK: Values

  /// The key or entity number of the row that a key leads to; NULL where that row doesn't come along
  /// or can't be at the relationship's new end.
  private func value(
    _ part: String, of key: Key, for end: EntityDescription
  ) throws -> SQLFragment {
    let arriving = plan.arriving(from: key.target, at: end)
    if arriving.isEmpty { return "NULL" }
    let value: String
    if part == "Z_PK" {
      value = TransferPlan.moved(
        "other.Z_PK", by: plan.offsets.offset(from: key.target, to: end))
    } else {
      value = plan.newNumber(of: "other", among: arriving)
    }
    let table = TransferPlan.sourceTable(plan.source.table(of: key.target))
    let arrives = try plan.arrival(of: "other", among: arriving)
    return """
      (SELECT \(raw: value) FROM \(raw: table) AS other \
      WHERE other.Z_PK = own.\(raw: key.column) AND \(arrives))
      """
  }
}

extension TransferPlan {
  /// A source entity whose rows come along, by its number in the source, and the entity's mapping.
  typealias Arrival = (number: Int64, entity: TransferEntity)

  /// The source entities under `origin` whose rows become rows of `end` or its subentities.
  func arriving(from origin: EntityDescription, at end: EntityDescription) -> [Arrival] {
    entities.filter {
      $0.source.isKindOf(entity: origin) && $0.destination.isKindOf(entity: end)
    }.map { (source.numbers[$0.source], $0) }
  }

  /// Whether a source row comes along, as one of `arriving`.
  func arrival(of row: String, among arriving: [Arrival]) throws -> SQLFragment {
    let whole = arriving.filter { $0.entity.takesAllRows }.map { "\($0.number)" }
    var arrival: SQLFragment = "\(raw: row).Z_ENT IN (\(raw: whole.joined(separator: ", ")))"
    for (number, entity) in arriving {
      guard let condition = try entity.condition?.sql(of: row) else { continue }
      arrival = "\(arrival) OR (\(raw: row).Z_ENT = \(raw: "\(number)") AND (\(condition)))"
    }
    return "(\(arrival))"
  }

  /// The destination's number for the entity of a source row.
  func newNumber(of row: String, among arriving: [Arrival]) -> String {
    let cases = arriving.map {
      "WHEN \($0.number) THEN \(destination.numbers[$0.entity.destination])"
    }
    return "CASE \(row).Z_ENT \(cases.joined(separator: " ")) END"
  }

  static func keysWithoutInverse(
    in schema: StoreSchema
  ) -> [(relationship: RelationshipDescription, key: ForeignKey)] {
    schema.model.entities.flatMap(\.ownProperties).compactMap { property in
      guard let relationship = property as? RelationshipDescription,
        case .children(let key) = schema.storage(of: relationship), key.hasNoInverse
      else { return nil }
      return (relationship, key)
    }
  }
}
