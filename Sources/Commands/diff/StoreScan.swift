import Migration

/// Reads all rows of one entity in one store, once.
struct StoreScan {
  private(set) var rows: ComparedRows
  /// By candidate.
  private(set) var columns: [CandidateColumn]
  private let pair: EntityPair
  private let candidates: [IdentityBasis]
  private let identity: ObjectIdentity

  init(_ pair: EntityPair, _ identity: ObjectIdentity, candidates: [IdentityBasis]) throws {
    self.pair = pair
    self.identity = identity
    self.candidates = candidates
    rows = ComparedRows(of: pair, identity.side)
    columns = candidates.map { _ in CandidateColumn() }
    let entity = pair.entity[identity.side]
    if entity.isAbstract || !identity.store.configuration.contains(entity) { return }
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    try identity.store.enumerateRows(matching: query) { row in
      try add(row)
      return true
    }
  }

  private mutating func add(_ row: StoreRow) throws {
    let side = identity.side
    rows.keys.append(row.objectID.primaryKey)
    rows.content.append(identity.contentHash(of: row, pair))
    for (place, relationship) in pair.relationships.enumerated()
    where !relationship.relationship[side].isToMany {
      rows.toOnes[place].append(LinkEnd(row.values[relationship.relationship[side].slot]))
    }
    for (place, property) in pair.unpaired[side].enumerated()
    where !row.values[property.slot].isNull {
      rows.unpairedValues[place] += 1
    }
    for (place, basis) in candidates.enumerated() {
      let (hash, isComplete) = try identity.hash(of: row, pair, by: basis)
      columns[place].hashes.append(hash)
      columns[place].isComplete.append(isComplete)
    }
  }

  /// The rows with the identity that a basis gives them; an object that lacks one of its values goes
  /// by its content.
  func identified(by basis: IdentityBasis, candidate: Int?) -> ComparedRows {
    var rows = rows
    switch (basis.kind, candidate) {
    case (.rowKey, _): rows.identity = ContiguousArray(rows.keys.map(ObjectIdentity.hash(ofKey:)))
    case (.values, let candidate?):
      rows.identity = columns[candidate].hashes
      if basis.origin == .rule { break }
      for (place, isComplete) in columns[candidate].isComplete.enumerated() where !isComplete {
        rows.identity[place] = rows.content[place]
      }
    default: rows.identity = rows.content
    }
    return rows
  }
}
