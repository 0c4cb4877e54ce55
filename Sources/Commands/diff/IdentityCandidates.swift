import Migration

/// What may identify an entity's objects when nobody says what does.
enum IdentityCandidates {
  /// The bases to try, the best first: uniqueness constraints, then attributes that look like an
  /// identifier.
  static func all(for pair: EntityPair, in pairing: ModelPairing) -> [IdentityBasis] {
    constraints(of: pair, in: pairing).map { IdentityBasis(kind: .values($0), origin: .constraint) }
      + identifiers(of: pair).map {
        IdentityBasis(kind: .values([IdentityPath($0)]), origin: .identifier)
      }
  }

  /// The constraints, inherited ones included, whose properties both models have.
  private static func constraints(
    of pair: EntityPair, in pairing: ModelPairing
  ) -> [[IdentityPath]] {
    var found: [[IdentityPath]] = []
    var seen: Set<String> = []
    for side in StoreSide.allCases {
      for entity in sequence(first: pair.entity[side], next: \.superentity) {
        for names in entity.uniquenessConstraints where !names.isEmpty {
          // A path that one of the stores doesn't have identifies nothing.
          let paths = names.compactMap { try? IdentityPath($0, from: pair, in: pairing) }
          let key = paths.map(\.name).sorted().joined(separator: ",")
          guard paths.count == names.count, seen.insert(key).inserted else { continue }
          found.append(paths)
        }
      }
    }
    return found
  }

  /// At most so many attributes are tried.
  private static let most = 4

  private static func identifiers(of pair: EntityPair) -> [AttributePair] {
    let ranked = pair.attributes.compactMap { attribute in
      rank(of: attribute, entity: pair.entity.a.name).map { (rank: $0, attribute: attribute) }
    }
    return ranked.sorted { ($0.rank, $0.attribute.name) < ($1.rank, $1.attribute.name) }
      .prefix(most).map(\.attribute)
  }

  private static let types: Set<AttributeType> = [
    .string, .integer16, .integer32, .integer64, .uuid, .binaryData, .uri,
  ]
  private static let words = ["id", "identifier", "uuid", "guid"]

  /// How much an attribute looks like its entity's identifier; less is more.
  private static func rank(of pair: AttributePair, entity: String) -> Int? {
    guard types.contains(pair.attribute.a.attributeType) else { return nil }
    let name = pair.attribute.a.name
    let plain = name.lowercased().replacing("_", with: "")
    if words.contains(plain) { return 0 }
    if words.contains(where: { plain == entity.lowercased() + $0 }) { return 1 }
    // `remoteIdentifier_data`, `serverID`, `order_id`, but not `paid`.
    let stems = [name, name.replacing("_data", with: "")]
    let endings = ["ID", "Id", "_id", "Identifier", "identifier", "UUID", "uuid", "GUID", "Uuid"]
    return stems.contains { stem in endings.contains { stem.hasSuffix($0) } } ? 2 : nil
  }
}
