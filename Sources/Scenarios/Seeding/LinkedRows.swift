extension RelationshipDescription {
  /// What a version's model has against so many links, if anything.
  func mistake(ofLinks count: Int, in version: String) -> String? {
    if allows(count: count) { return nil }
    let limit = count < minCount ? "wants at least \(minCount)" : "allows at most \(maxCount)"
    return "'\(name)' leads to \(count), and \(version) \(limit)"
  }
}

/// Which rows lead to which, from both sides.
struct LinkedRows {
  /// The numbers of rows, by that of the row that leads to them and the relationship's name.
  private var partners: [Int: [String: Set<Int>]] = [:]
  private let entities: [EntityDescription]

  init(_ rows: [ResolvedRow]) {
    entities = rows.map(\.entity)
    for (number, row) in rows.enumerated() {
      for (relationship, targets) in row.links {
        for target in targets {
          add(target, to: number, relationship)
          if let inverse = relationship.inverseRelationship { add(number, to: target, inverse) }
        }
      }
    }
  }

  private mutating func add(_ target: Int, to row: Int, _ relationship: RelationshipDescription) {
    partners[row, default: [:]][relationship.name, default: []].insert(target)
  }

  func count(of row: Int, by relationship: RelationshipDescription) -> Int {
    partners[row]?[relationship.name]?.count ?? 0
  }

  /// How many each row of an entity leads to, in the order of the rows.
  func counts(
    among entity: EntityDescription, by relationship: RelationshipDescription
  ) -> [Int] {
    entities.indices.filter { entities[$0].isKindOf(entity: entity) }
      .map { count(of: $0, by: relationship) }
  }
}
