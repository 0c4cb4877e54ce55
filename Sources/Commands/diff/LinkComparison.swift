import Migration

/// Which relationships are compared on which end: every link is told once, with the object that
/// holds it.
enum LinkTelling {
  /// Its destination is compared as a value is.
  case toOne
  /// The members and, if there is one, their order. A link to an object that only one store has is
  /// told with that object.
  case members
  /// Only the order: each member tells for itself where it belongs.
  case order
  case nothing

  init(_ pair: RelationshipPair, in pairing: ModelPairing) {
    if pair.isToOne {
      self = .toOne
    } else if let inverse = Self.inverse(of: pair, in: pairing) {
      self = Self.telling(of: pair, inverse)
    } else {
      self = .members
    }
  }

  private static func telling(
    of pair: RelationshipPair, _ inverse: RelationshipPair
  ) -> LinkTelling {
    let keys = [pair, inverse].map { ($0.relationship.a.entity.storeIndex, $0.name) }
    if !inverse.isToOne, keys[0] <= keys[1] { return .members }
    return pair.isOrdered ? .order : .nothing
  }

  /// The pair that both inverses are in, if it is compared.
  private static func inverse(
    of pair: RelationshipPair, in pairing: ModelPairing
  ) -> RelationshipPair? {
    guard let a = pair.relationship.a.inverseRelationship,
      let b = pair.relationship.b.inverseRelationship
    else { return nil }
    return pairing.pair(of: a.entity)?.relationships.first {
      $0.relationship.a === a && $0.relationship.b === b
    }
  }
}

/// How the members of a to-many relationship differ between the stores.
struct MemberDifference {
  /// The members, known to both stores, that only one of them links.
  var only = Both<[ManagedObjectID]>([], [])
  /// The members that both have but at other places, as first store's identifiers.
  var moved: [(id: ManagedObjectID, places: Both<Int>)] = []

  var isEmpty: Bool { only.a.isEmpty && only.b.isEmpty && moved.isEmpty }

  init(
    _ ids: Both<[ManagedObjectID]>, _ matching: ObjectMatching, telling: LinkTelling,
    isOrdered: Bool
  ) {
    let numbers = Both(
      ids.a.map { matching.number(of: LinkEnd($0), .a) ?? 0 },
      ids.b.map { matching.number(of: LinkEnd($0), .b) ?? 0 })
    if numbers.a == numbers.b { return }
    let sets = numbers.map { Set($0) }
    if telling == .members {
      for side in StoreSide.allCases {
        only[side] = zip(ids[side], numbers[side]).filter { id, number in
          !sets[side.other].contains(number) && matching.isMatched(LinkEnd(id), side)
        }.map(\.0)
      }
    }
    if isOrdered { findMoved(ids, numbers: numbers, sets: sets) }
  }

  private mutating func findMoved(
    _ ids: Both<[ManagedObjectID]>, numbers: Both<[Int]>, sets: Both<Set<Int>>
  ) {
    let common = Both(
      zip(ids.a, numbers.a).filter { sets.b.contains($0.1) },
      zip(ids.b, numbers.b).filter { sets.a.contains($0.1) })
    let places = Dictionary(firstOf: common.b.enumerated().map { ($0.element.1, $0.offset) })
    for (place, member) in common.a.enumerated() {
      guard let other = places[member.1], other != place else { continue }
      moved.append((member.0, Both(place, other)))
    }
  }
}
