import Migration

/// Objects that share their identity with others of their store.
struct LookAlikes {
  private typealias Group = ObjectMatching.AmbiguousGroup

  private let groups: [ObjectMatching.AmbiguousGroup]
  private let matching: ObjectMatching
  /// The place in the list of look-alikes, by side, pair and row.
  private var indexes: [Object: Int] = [:]
  private var own: [Int] = []
  /// By look-alike and relationship: its neighbours.
  private var links: [[Neighbours]] = []

  private struct Object: Hashable {
    let side: StoreSide
    let pair: Int
    let place: Int
  }

  private enum Neighbour {
    case lookAlike(Int)
    case number(Int)
  }

  private struct Neighbours {
    let members: [Neighbour]
    let isOrdered: Bool
  }

  init(
    _ groups: [ObjectMatching.AmbiguousGroup], in matching: ObjectMatching,
    _ identities: Both<ObjectIdentity>
  ) throws {
    self.groups = groups
    self.matching = matching
    var objects: [Object] = []
    for group in groups {
      for side in StoreSide.allCases {
        for place in group.places[side] {
          let object = Object(side: side, pair: group.pair, place: place)
          indexes[object] = objects.count
          objects.append(object)
        }
      }
    }
    own = objects.map(ownSignature)
    links = try objects.map { object in
      let pair = matching.pairing.pairs[object.pair]
      return try pair.relationships.indices.map {
        try neighbours(of: object, in: pair, at: $0, within: identities[object.side].store)
      }
    }
  }

  /// For each group, the signatures of its rows.
  func signatures() -> [Both<[Int: Int]>] {
    let all = Refinement.signatures(own: own) { index, current, hasher in
      for neighbours in links[index] {
        let hashes = neighbours.members.map { neighbour in
          switch neighbour {
          case .lookAlike(let index): current[index]
          case .number(let number): number
          }
        }
        hasher.combine(neighbours.isOrdered ? hashes : hashes.sorted())
      }
    }
    return groups.map { group in
      func signatures(_ side: StoreSide) -> [Int: Int] {
        var found: [Int: Int] = [:]
        for place in group.places[side] {
          let object = Object(side: side, pair: group.pair, place: place)
          found[place] = indexes[object].map { all[$0] }
        }
        return found
      }
      return Both(signatures(.a), signatures(.b))
    }
  }

  private func ownSignature(_ object: Object) -> Int {
    let rows = matching.rows[object.pair][object.side]
    var hasher = Hasher()
    hasher.combine(object.pair)
    hasher.combine(rows.identity[object.place])
    hasher.combine(rows.content[object.place])
    return hasher.finalize()
  }

  private func neighbours(
    of object: Object, in pair: EntityPair, at place: Int, within store: PersistentStore
  ) throws -> Neighbours {
    let relationship = pair.relationships[place].relationship[object.side]
    let rows = matching.rows[object.pair][object.side]
    let ends: [LinkEnd]
    if relationship.isToMany {
      let id = ManagedObjectID(
        entity: pair.entity[object.side], primaryKey: rows.keys[object.place], store: store)
      ends = try store.destinations(of: relationship, from: id).map(LinkEnd.init)
    } else {
      ends = [rows.toOnes[place][object.place]]
    }
    return Neighbours(
      members: ends.compactMap { neighbour($0, object.side) },
      isOrdered: pair.relationships[place].isOrdered)
  }

  private func neighbour(_ end: LinkEnd, _ side: StoreSide) -> Neighbour? {
    if end.entity < 0 { return nil }
    if let (pair, place) = matching.locate(end.key, entity: Int(end.entity), side),
      let index = indexes[Object(side: side, pair: pair, place: place)]
    {
      return .lookAlike(index)
    }
    return matching.number(of: end, side).map { .number($0) }
  }
}
