import Migration

/// Reads both stores, and decides entity by entity what identifies objects.
struct IdentityChoice {
  let pairing: ModelPairing
  let identities: Both<ObjectIdentity>
  private(set) var rows: [Both<ComparedRows>] = []
  private let given: [Int: IdentityBasis]

  init(
    _ pairing: ModelPairing, _ stores: Both<PersistentStore>, rules: IdentityRules
  ) throws {
    self.pairing = pairing
    given = try rules.bases(for: pairing)
    identities = Both(
      ObjectIdentity(.a, of: stores.a, by: pairing), ObjectIdentity(.b, of: stores.b, by: pairing))
    let scanned = try scanAll()
    rows = pairing.pairs.map { pair in
      scanned[pair.index]
        ?? Both(ComparedRows(of: pair, .a), ComparedRows(of: pair, .b))
    }
  }

  func basis(of pair: EntityPair) -> IdentityBasis? { identities.a.bases[pair.index] }

  // MARK: Scanning

  /// Entities that others need for their identity come first.
  private func scanAll() throws -> [Int: Both<ComparedRows>] {
    var scanned: [Int: Both<ComparedRows>] = [:]
    var begun: Set<Int> = []
    func scan(_ pair: EntityPair) throws {
      guard begun.insert(pair.index).inserted else { return }
      let candidates =
        given[pair.index].map { [$0] } ?? IdentityCandidates.all(for: pair, in: pairing)
      // Until it is known to be right: identities may contain each other's.
      set(candidates.first, for: pair)
      for needed in candidates.flatMap(destinations(of:)) { try scan(needed) }
      scanned[pair.index] = try scanRows(of: pair, candidates)
    }
    for pair in pairing.pairs where pair.isConcrete { try scan(pair) }
    return scanned
  }

  private func set(_ basis: IdentityBasis?, for pair: EntityPair) {
    identities.a.bases[pair.index] = basis
    identities.b.bases[pair.index] = basis
  }

  /// The entities whose identity is part of a basis.
  private func destinations(of basis: IdentityBasis) -> [EntityPair] {
    (basis.paths ?? []).flatMap { path -> [EntityPair] in
      guard case .toOne(let relationship) = path.last else { return [] }
      return relationship.relationship.a.destinationEntity.selfAndDescendants
        .compactMap(pairing.pair(of:))
    }
  }

  private func scanRows(
    of pair: EntityPair, _ candidates: [IdentityBasis]
  ) throws -> Both<ComparedRows> {
    let scans = Both(
      try StoreScan(pair, identities.a, candidates: candidates),
      try StoreScan(pair, identities.b, candidates: candidates))
    let isGiven = given[pair.index] != nil
    let chosen = candidates.indices.first { place in
      isGiven || (scans.a.columns[place].isUsable && scans.b.columns[place].isUsable)
    }
    let basis = chosen.map { candidates[$0] } ?? fallback(scans)
    set(basis, for: pair)
    return scans.map { $0.identified(by: basis, candidate: chosen) }
  }

  // MARK: Without identifier

  /// Row numbers identify objects where rows that are equal in both stores mostly have equal
  /// numbers too, as in two states of one store; else content does.
  private func fallback(_ scans: Both<StoreScan>) -> IdentityBasis {
    let (a, b) = (scans.a.rows, scans.b.rows)
    let isOneStore = identities.a.store.identifier == identities.b.store.identifier
    let distinct = Set(a.content).count
    let isTelling = isOneStore || distinct * 2 > a.count
    let (alike, inPlace) = (Self.commonCount(a.content, b.content), Self.countInPlace(a, b))
    if isTelling, inPlace * 2 >= alike, isOneStore || inPlace > 0 {
      return IdentityBasis(kind: .rowKey, origin: .lineage)
    }
    return IdentityBasis(kind: .content, origin: .fallback)
  }

  /// How many rows have equal content, wherever they are.
  private static func commonCount(_ a: ContiguousArray<Int>, _ b: ContiguousArray<Int>) -> Int {
    var (i, j, count) = (0, 0, 0)
    let (a, b) = (a.sorted(), b.sorted())
    while i < a.count, j < b.count {
      if a[i] == b[j] { count += 1 }
      let (first, second) = (a[i], b[j])
      if first <= second { i += 1 }
      if second <= first { j += 1 }
    }
    return count
  }

  /// How many rows have equal content under one key.
  private static func countInPlace(_ a: ComparedRows, _ b: ComparedRows) -> Int {
    a.keys.indices.count { place in
      b.place(of: a.keys[place]).map { b.content[$0] == a.content[place] } ?? false
    }
  }
}
