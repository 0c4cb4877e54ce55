import Migration

/// Which object of one store is which of the other.
struct ObjectMatching {
  let pairing: ModelPairing
  let rows: [Both<ComparedRows>]
  /// By pair, then by place of the row: the place of the other store's row, or -1.
  private(set) var partners: [Both<ContiguousArray<Int32>>]
  /// How many objects were paired by chance, since nothing tells them apart, by pair.
  private(set) var guessed: [Int]
  /// The number of the first object of each pair; see ``number(of:_:_:)``.
  private var firstNumbers: [Int] = []
  /// The pair's index by ``EntityDescription/storeIndex``; -1 without pair.
  private let pairIndexes: Both<[Int]>

  /// Rows of one identity of which there is more than one in a store.
  struct AmbiguousGroup {
    let pair: Int
    let places: Both<[Int]>
  }
  private var groups: [AmbiguousGroup] = []

  init(_ choice: IdentityChoice, _ models: Both<ManagedObjectModel>) throws {
    pairing = choice.pairing
    rows = choice.rows
    partners = rows.map { $0.map { ContiguousArray(repeating: -1, count: $0.count) } }
    guessed = rows.map { _ in 0 }
    pairIndexes = models.map { model in
      model.entities.map { choice.pairing.pair(of: $0)?.index ?? -1 }
    }
    var next = 0
    for both in rows {
      firstNumbers.append(next)
      next += both.a.count + both.b.count
    }
    for index in rows.indices { merge(index) }
    if !groups.isEmpty { try resolveGroups(choice.identities) }
  }

  // MARK: By identity

  private mutating func merge(_ pair: Int) {
    let identity = rows[pair].map(\.identity)
    let order = identity.map { hashes in hashes.indices.sorted { hashes[$0] < hashes[$1] } }
    var (i, j) = (0, 0)
    while i < order.a.count, j < order.b.count {
      let (a, b) = (identity.a[order.a[i]], identity.b[order.b[j]])
      if a != b {
        if a < b { i += 1 } else { j += 1 }
        continue
      }
      let ends = (Self.end(of: i, order.a, identity.a), Self.end(of: j, order.b, identity.b))
      if ends.0 == i + 1, ends.1 == j + 1 {
        match(pair, first: order.a[i], second: order.b[j])
      } else {
        let places = Both(order.a[i..<ends.0].sorted(), order.b[j..<ends.1].sorted())
        groups.append(AmbiguousGroup(pair: pair, places: places))
      }
      (i, j) = ends
    }
  }

  /// The end of the run of equal hashes that begins at `start`.
  private static func end(of start: Int, _ order: [Int], _ hashes: ContiguousArray<Int>) -> Int {
    var end = start + 1
    while end < order.count, hashes[order[end]] == hashes[order[start]] { end += 1 }
    return end
  }

  private mutating func match(_ pair: Int, first a: Int, second b: Int) {
    partners[pair].a[a] = Int32(b)
    partners[pair].b[b] = Int32(a)
  }

  // MARK: Among look-alikes

  /// Objects that share their identity are told apart by their content and links.
  private mutating func resolveGroups(_ identities: Both<ObjectIdentity>) throws {
    let signatures = try LookAlikes(groups, in: self, identities).signatures()
    for (group, signatures) in zip(groups, signatures) {
      var rest = group.places
      let content = rows[group.pair].map(\.content)
      matchEqual(&rest, group.pair) { signatures[$0][$1] ?? 0 }
      // From here on it is chance, unless there is no choice.
      let left = min(rest.a.count, rest.b.count)
      if max(rest.a.count, rest.b.count) > 1 { guessed[group.pair] += left }
      matchEqual(&rest, group.pair) { content[$0][$1] }
      for (a, b) in zip(rest.a, rest.b) { match(group.pair, first: a, second: b) }
    }
  }

  private mutating func matchEqual(
    _ rest: inout Both<[Int]>, _ pair: Int, by hash: (StoreSide, Int) -> Int
  ) {
    var waiting = Dictionary(grouping: rest.b.reversed()) { hash(.b, $0) }
    var unmatched: [Int] = []
    for place in rest.a {
      if let partner = waiting[hash(.a, place)]?.popLast() {
        match(pair, first: place, second: partner)
      } else {
        unmatched.append(place)
      }
    }
    rest = Both(unmatched, waiting.values.flatMap { $0 }.sorted())
  }
}

// MARK: - Numbers

extension ObjectMatching {
  /// A number for an object that is equal in both stores exactly for the same object.
  @inline(__always)
  func number(of place: Int, _ pair: Int, _ side: StoreSide) -> Int {
    if side == .a { return firstNumbers[pair] + place }
    let partner = partners[pair].b[place]
    if partner >= 0 { return firstNumbers[pair] + Int(partner) }
    return firstNumbers[pair] + rows[pair].a.count + place
  }

  /// Where an object is; nil for one of an entity that only its own store has.
  @inline(__always)
  func locate(_ key: Int64, entity: Int, _ side: StoreSide) -> (pair: Int, place: Int)? {
    let pair = pairIndexes[side][entity]
    guard pair >= 0, let place = rows[pair][side].place(of: key) else { return nil }
    return (pair, place)
  }

  /// The number of the object a link leads to; nil for none. Objects that only one store can have
  /// have negative numbers.
  @inline(__always)
  func number(of end: LinkEnd, _ side: StoreSide) -> Int? {
    if end.entity < 0 { return nil }
    guard let (pair, place) = locate(end.key, entity: Int(end.entity), side) else {
      return strangerNumber(end, side)
    }
    return number(of: place, pair, side)
  }

  private func strangerNumber(_ end: LinkEnd, _ side: StoreSide) -> Int {
    var hasher = Hasher()
    hasher.combine(end.key)
    hasher.combine(end.entity)
    hasher.combine(side)
    return -Int(hasher.finalize().magnitude >> 2) - 1
  }

  /// Whether both stores have the object.
  func isMatched(_ end: LinkEnd, _ side: StoreSide) -> Bool {
    guard let (pair, place) = locate(end.key, entity: Int(end.entity), side) else { return false }
    return partners[pair][side][place] >= 0
  }
}

extension LinkEnd {
  init(_ id: ManagedObjectID) {
    self.init(key: id.primaryKey, entity: Int32(id.entity.storeIndex))
  }
}
