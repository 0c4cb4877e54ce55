// Join tables.

extension SchemaBuilder {
  mutating func addJoins() throws {
    let names = joinColumnNames()
    var seen: Set<ObjectIdentifier> = []
    for entity in inNumberOrder(entities) {
      for case let relationship as RelationshipDescription in entity.ownProperties
      where relationship.isManyToMany {
        guard let inverse = relationship.inverseRelationship, holds(inverse.entity),
          seen.insert(ObjectIdentifier(relationship)).inserted
        else { continue }
        seen.insert(ObjectIdentifier(inverse))
        try addJoin(relationship, inverse, names)
      }
    }
  }

  /// A join column holds the keys of one entity and is named after the relationship that leads
  /// there. Where two of one name lead to an entity, the second, in the order of that entity's own
  /// relationships, gets a digit.
  private func joinColumnNames() -> [ObjectIdentifier: String] {
    var names: [ObjectIdentifier: String] = [:]
    for entity in entities {
      var used: Set<String> = []
      let own = entity.ownProperties.compactMap { $0 as? RelationshipDescription }
      for relationship in own.sorted(by: { $0.name < $1.name }) where relationship.isManyToMany {
        guard let inverse = relationship.inverseRelationship else { continue }
        let base = "Z_\(numbers[entity])\(inverse.name.uppercased())"
        let name = used.firstUnused(base)
        used.insert(name)
        names[ObjectIdentifier(relationship)] = name
      }
    }
    return names
  }

  /// Adds the join table of a pair. Its first side, whose relationship names the table, is the one
  /// with the lower entity number; within one entity Core Data takes either, this takes the first
  /// by name.
  private mutating func addJoin(
    _ a: RelationshipDescription, _ b: RelationshipDescription, _ names: [ObjectIdentifier: String]
  ) throws {
    let keys = [a, b].map { (numbers[$0.entity], $0.name) }
    let (first, second) = keys[0] <= keys[1] ? (a, b) : (b, a)
    let table = try joinTableName(first, second)
    let isReflexive = first === second
    let predicted = (
      first: names[ObjectIdentifier(first)] ?? "",
      second: isReflexive ? "REFLEXIVE" : names[ObjectIdentifier(second)] ?? ""
    )
    let firstColumn = try actual(predicted.first, in: table)
    let secondColumn = try actual(predicted.second, in: table)
    let firstOrder = try orderColumn(
      for: firstColumn, when: second.isOrdered && !isReflexive, in: table)
    let secondOrder = try orderColumn(for: secondColumn, when: first.isOrdered, in: table)
    storage[ObjectIdentifier(second)] = .join(
      JoinSide(
        table: table, ownColumn: secondColumn, destinationColumn: firstColumn,
        orderColumn: firstOrder, writesLinks: false, isReflexive: false))
    storage[ObjectIdentifier(first)] = .join(
      JoinSide(
        table: table, ownColumn: firstColumn, destinationColumn: secondColumn,
        orderColumn: secondOrder, writesLinks: true, isReflexive: isReflexive))
    joins.append(
      JoinTable(
        name: table, firstColumn: firstColumn, secondColumn: secondColumn,
        orderColumns: [firstOrder, secondOrder].compactMap { $0 }))
  }

  private func orderColumn(for column: String, when ordered: Bool, in table: String) throws
    -> String?
  {
    guard ordered else { return nil }
    let name = column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column
    return try actual("Z_FOK_\(name)", in: table)
  }

  private func joinTableName(
    _ first: RelationshipDescription, _ second: RelationshipDescription
  ) throws -> String {
    let names = [first, second].map { "Z_\(numbers[$0.entity])\($0.name.uppercased())" }
    guard let catalog else { return StoreNames.quoted(names[0]) }
    return try catalog.table(named: names)
  }

  private func actual(_ predicted: String, in table: String) throws -> String {
    guard let catalog else { return StoreNames.quoted(predicted) }
    return try catalog.column(like: predicted, in: table)
  }
}

extension RelationshipDescription {
  fileprivate var isManyToMany: Bool {
    isToMany && !isTransient && inverseRelationship?.isToMany == true
  }
}
