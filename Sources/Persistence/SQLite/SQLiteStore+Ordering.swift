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

/// An object that gets another owner, in whose order it is the last.
struct JoiningMember {
  let member: ManagedObjectID
  let owner: ManagedObjectID
  /// The owner's relationship.
  let relationship: RelationshipDescription
  let columns: ToOneColumns
}

extension SQLiteStore {
  /// Those that a save is about to give another owner. Whoever reports both sides of all links reports
  /// the order, too.
  func joiningMembers(_ changes: SaveRequest) throws -> [JoiningMember] {
    guard changes.linksMayBeOneSided, bulk == nil else { return [] }
    var joining = changes.inserted.flatMap(ownersWithOrder)
    for change in changes.updated {
      joining += try ownersWithOrder(change).filter { try owner(of: $0) != $0.owner.primaryKey }
    }
    // Who was there without a place in the order is before them.
    try giveSortKeys(toMembersOfOwnersIn: joining)
    return joining
  }

  private func ownersWithOrder(_ change: SaveRequest.ObjectChange) -> [JoiningMember] {
    change.objectID.entity.relationships.compactMap { relationship in
      guard !relationship.isToMany, let owner = change.values[relationship.slot].objectID,
        let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered,
        case .toOne(let columns) = schema.storage(of: relationship)
      else { return nil }
      return JoiningMember(
        member: change.objectID, owner: owner, relationship: inverse, columns: columns)
    }
  }

  /// The key of the owner so far.
  private func owner(of joining: JoiningMember) throws -> Int64? {
    try database.integer(
      "SELECT \(joining.columns.key) FROM \(schema.table(of: joining.member.entity)) WHERE Z_PK = ?",
      joining.member.primaryKey)
  }

  /// To be called when the rows are written, and no order.
  func putLast(_ joining: [JoiningMember]) throws {
    for joining in joining {
      guard let column = joining.columns.order else { continue }
      try database.run(
        "UPDATE \(schema.table(of: joining.member.entity)) SET \(column) = NULL WHERE Z_PK = ?",
        joining.member.primaryKey)
    }
    try giveSortKeys(toMembersOfOwnersIn: joining)
  }

  private func giveSortKeys(toMembersOfOwnersIn joining: [JoiningMember]) throws {
    var done: [ObjectIdentifier: Set<ManagedObjectID>] = [:]
    for joining in joining {
      let isFirst = done[ObjectIdentifier(joining.relationship), default: []]
        .insert(joining.owner).inserted
      if isFirst { try giveSortKeys(toMembersOf: joining.owner, by: joining.relationship) }
    }
  }

  /// Gives members without a place in an owner's order the last ones.
  func giveSortKeys(
    toMembersOf owner: ManagedObjectID, by relationship: RelationshipDescription
  ) throws {
    try linkWriter(for: relationship)?.order([], of: owner.primaryKey)
  }
}
