extension RelationshipDescription {
  /// What a version's model has against so many links, if anything.
  func mistake(ofLinks count: Int, in version: String) -> String? {
    if allows(count: count) { return nil }
    let limit = count < minCount ? "wants at least \(minCount)" : "allows at most \(maxCount)"
    return "'\(name)' leads to \(count), and \(version) \(limit)"
  }
}

extension RelationshipDescription {
  /// Whether only one object may lead to another by it: where the inverse is to-one, and of a to-many relationship
  /// without an inverse, whose members each have a place for one owner in the store.
  package var isExclusive: Bool { inverseRelationship.map { !$0.isToMany } ?? isToMany }

  /// What leads back: the inverse's name, or the relationship's own path where it has none and members have one owner.
  package var inverseKey: String? { inverseRelationship?.name ?? (isExclusive ? path : nil) }

  /// With the entity that declares it.
  package var path: String { "\(entity.name).\(name)" }
}

/// Which rows lead to which, from both sides.
struct LinkedRows {
  /// The numbers of rows, by that of the row that leads to them and the relationship's name, or what leads back.
  private var partners: [Int: [String: Set<Int>]] = [:]
  private let entities: [EntityDescription]

  init(_ rows: [ResolvedRow]) {
    entities = rows.map(\.entity)
    for (number, row) in rows.enumerated() {
      for (relationship, targets) in row.links {
        for target in targets {
          add(target, to: number, relationship.name)
          if let inverse = relationship.inverseKey { add(number, to: target, inverse) }
        }
      }
    }
  }

  private mutating func add(_ target: Int, to row: Int, _ key: String) {
    partners[row, default: [:]][key, default: []].insert(target)
  }

  /// The paths of relationships without an inverse by which several rows lead to this one, and how many.
  func shared(_ row: Int) -> [(path: String, count: Int)] {
    (partners[row] ?? [:]).filter { $0.key.contains(".") && $0.value.count > 1 }
      .map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 }
  }

  func count(of row: Int, by relationship: RelationshipDescription) -> Int {
    partners[row]?[relationship.name]?.count ?? 0
  }

  /// How many each row of an entity leads to, in the order of the rows.
  func counts(
    among entity: EntityDescription, by key: String
  ) -> [Int] {
    entities.indices.filter { entities[$0].isKindOf(entity: entity) }
      .map { partners[$0]?[key]?.count ?? 0 }
  }
}
