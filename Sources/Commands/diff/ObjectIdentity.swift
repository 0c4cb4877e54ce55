import Migration

/// Works out what identifies objects of one store, by the bases that were chosen so far.
final class ObjectIdentity {
  let side: StoreSide
  let store: PersistentStore
  private let pairing: ModelPairing
  /// By the pair's index.
  var bases: [IdentityBasis?]

  init(_ side: StoreSide, of store: PersistentStore, by pairing: ModelPairing) {
    self.side = side
    self.store = store
    self.pairing = pairing
    bases = pairing.pairs.map { _ in nil }
  }

  /// Identities that contain each other's are followed so deep.
  private static let deepest = 16

  /// A hash over what identifies the object of a row.
  /// - Returns: The hash, and whether all values were there.
  func hash(
    of row: StoreRow, _ pair: EntityPair, by basis: IdentityBasis, depth: Int = 0
  ) throws -> (hash: Int, isComplete: Bool) {
    switch basis.kind {
    case .rowKey: return (Self.hash(ofKey: row.objectID.primaryKey), true)
    case .content: return (contentHash(of: row, pair), true)
    case .values(let paths):
      var hasher = Hasher()
      var isComplete = true
      for path in paths where try !combine(path, of: row, into: &hasher, depth: depth) {
        isComplete = false
      }
      return (hasher.finalize(), isComplete)
    }
  }

  static func hash(ofKey key: Int64) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    return hasher.finalize()
  }

  /// A hash over the values of all attributes that are compared.
  func contentHash(of row: StoreRow, _ pair: EntityPair) -> Int {
    var hasher = Hasher()
    for attribute in pair.attributes {
      attribute.value(in: row, side).combineContent(into: &hasher)
    }
    return hasher.finalize()
  }

  /// The row that a to-one relationship leads to; nil where it leads nowhere.
  func destination(of pair: RelationshipPair, from row: StoreRow) throws -> StoreRow? {
    let relationship = pair.relationship[side]
    guard row.objectID.entity.isKindOf(entity: relationship.entity),
      case .object(let object) = row.values[relationship.slot],
      let id = object as? ManagedObjectID
    else { return nil }
    return try store.row(for: id)
  }

  /// The row at the end of a path's steps.
  func follow(_ path: IdentityPath, from row: StoreRow) throws -> StoreRow? {
    var current = row
    for step in path.steps {
      guard let next = try destination(of: step, from: current) else { return nil }
      current = next
    }
    return current
  }

  // MARK: Parts

  /// - Returns: Whether there is a value.
  private func combine(
    _ path: IdentityPath, of row: StoreRow, into hasher: inout Hasher, depth: Int
  ) throws -> Bool {
    guard let end = try follow(path, from: row) else {
      hasher.combine(Value.null)
      return false
    }
    switch path.last {
    case .attribute(let pair):
      guard end.objectID.entity.isKindOf(entity: pair.attribute[side].entity) else { return false }
      let value = pair.value(in: end, side)
      value.combineContent(into: &hasher)
      return !value.isNull
    case .toOne(let pair):
      let destination = try destination(of: pair, from: end)
      hasher.combine(try destination.map { try identity(of: $0, depth: depth + 1) })
      return destination != nil
    }
  }

  /// The identity of a destination, by its own entity's basis.
  private func identity(of row: StoreRow, depth: Int) throws -> Int {
    guard depth < Self.deepest, let pair = pairing.pair(of: row.objectID.entity) else { return 0 }
    guard let basis = bases[pair.index] else { return contentHash(of: row, pair) }
    return try hash(of: row, pair, by: basis, depth: depth).hash
  }
}
