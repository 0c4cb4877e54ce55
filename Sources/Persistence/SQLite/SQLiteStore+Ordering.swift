// The order of members: as their owners report it, and for those whose new owners say nothing of them.

extension SQLiteStore {
  /// A look at the order so far must not read the whole table for each owner.
  private func needIndexes(of storage: PropertyStorage) throws {
    switch storage {
    case .children(let key): try needIndexes(of: key.table)
    case .join(let side): try needIndexes(of: side.table)
    case .attribute, .composite, .toOne, .none: return
    }
  }

  func writeOrder(of change: SaveRequest.ObjectChange) throws {
    for toMany in change.toMany {
      guard let ordered = toMany.ordered else { continue }
      try needIndexes(of: schema.storage(of: toMany.relationship))
      try linkWriter(for: toMany.relationship)?
        .order(ordered.map(\.primaryKey), of: change.objectID.primaryKey)
    }
  }
}

// MARK: - Who joins

/// An object that gets another owner, by its key, in whose order it is the last.
struct JoiningMember {
  let member: ManagedObjectID
  let owner: OrderingOwner
  let columns: ToOneColumns
}

/// An object that has its members in an order.
struct OrderingOwner {
  let id: ManagedObjectID
  let relationship: RelationshipDescription
}

extension SQLiteStore {
  /// Those that a save is about to give another owner. Whoever reports both sides of all links reports
  /// the order, too.
  func joiningMembers(_ changes: SaveRequest) throws -> [JoiningMember] {
    guard changes.linksMayBeOneSided, bulk == nil else { return [] }
    var joining = changes.inserted.flatMap(ownersByKey)
    for change in changes.updated {
      joining += try ownersByKey(of: change).filter {
        try ownerKey(of: $0) != $0.owner.id.primaryKey
      }
    }
    // Who was there without a place in the order is before them.
    try giveSortKeys(toMembersOf: joining.map(\.owner))
    return joining
  }

  private func ownersByKey(of change: SaveRequest.ObjectChange) -> [JoiningMember] {
    change.objectID.entity.relationships.compactMap { relationship in
      guard !relationship.isToMany, let owner = change.values[relationship.slot].objectID,
        let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered,
        case .toOne(let columns) = schema.storage(of: relationship)
      else { return nil }
      return JoiningMember(
        member: change.objectID, owner: OrderingOwner(id: owner, relationship: inverse),
        columns: columns)
    }
  }

  /// The key of the owner so far.
  private func ownerKey(of joining: JoiningMember) throws -> Int64? {
    try database.integer(
      "SELECT \(joining.columns.key) FROM \(schema.table(of: joining.member.entity)) WHERE Z_PK = ?",
      joining.member.primaryKey)
  }

  /// To be called when rows and links are written, and no order.
  func putLast(_ joining: [JoiningMember], _ changes: SaveRequest) throws {
    guard changes.linksMayBeOneSided, bulk == nil else { return }
    for joining in joining {
      guard let column = joining.columns.order else { continue }
      try database.run(
        "UPDATE \(schema.table(of: joining.member.entity)) SET \(column) = NULL WHERE Z_PK = ?",
        joining.member.primaryKey)
    }
    let owners = (changes.updated + changes.inserted).flatMap(ownersByLink)
    try giveSortKeys(toMembersOf: joining.map(\.owner) + owners)
  }

  /// The other sides of an object's new links between many and many.
  private func ownersByLink(of change: SaveRequest.ObjectChange) -> [OrderingOwner] {
    change.toMany.flatMap { toMany -> [OrderingOwner] in
      guard let inverse = toMany.relationship.inverseRelationship, inverse.isToMany,
        inverse.isOrdered
      else { return [] }
      return toMany.added.map { OrderingOwner(id: $0, relationship: inverse) }
    }
  }

  /// Gives members without a place in their owner's order the last ones.
  private func giveSortKeys(toMembersOf owners: [OrderingOwner]) throws {
    var done: [ObjectIdentifier: Set<ManagedObjectID>] = [:]
    for owner in owners {
      let key = ObjectIdentifier(owner.relationship)
      guard done[key, default: []].insert(owner.id).inserted else { continue }
      try giveSortKeys(toMembersOf: owner)
    }
  }

  /// Gives members without a place in an owner's order the last ones.
  func giveSortKeys(toMembersOf owner: OrderingOwner) throws {
    try linkWriter(for: owner.relationship)?.order([], of: owner.id.primaryKey)
  }
}
