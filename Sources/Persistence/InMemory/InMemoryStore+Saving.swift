import OrderedCollections

extension InMemoryStore {
  /// The members that relationships lose and gain in one save.
  struct Moves {
    fileprivate var leaving: [ObjectRelationship: Set<Int64>] = [:]
    fileprivate var joining: [(member: Int64, owner: ObjectRelationship)] = []
  }

  func write(_ changes: SaveRequest) throws {
    try checkVersions(changes)
    try uniqueness.check(changes) { self[$0]?.values }
    var moves = Moves()
    for deletion in changes.deleted { leaveLinks(deletion.objectID, &moves) }
    for (hierarchy, deleted) in Dictionary(
      grouping: changes.deleted.map(\.objectID), by: \.entity.hierarchyIndex)
    { tables[hierarchy].remove(Set(deleted.map(\.primaryKey))) }
    for change in changes.updated { update(change, &moves) }
    for change in changes.inserted {
      insert(change.objectID, version: change.version, values: change.values, moves: &moves)
    }
    // All rows are there before anything is linked, and all links before anything is ordered.
    carryOut(moves, inKeyOrder: changes.linksMayBeOneSided)
    let written = changes.updated + changes.inserted
    for change in written { link(change) }
    if changes.linksMayBeOneSided { makeLinksTwoSided(written) }
    for change in written { order(change) }
  }

  private func checkVersions(_ changes: SaveRequest) throws {
    let known =
      changes.updated.map { ($0.objectID, $0.version) }
      + changes.deleted.map { ($0.objectID, $0.version) }
    for (id, version) in known where self[id]?.version != version {
      throw CoreDataError.changedSinceRead(id)
    }
    for change in changes.inserted where self[change.objectID] != nil {
      throw CoreDataError.changedSinceRead(change.objectID)
    }
  }

  // MARK: Rows

  /// Makes a row, and its object a member of its owners.
  func insert(
    _ id: ManagedObjectID, version: Int64, values: ContiguousArray<Value>, moves: inout Moves
  ) {
    let row = RowTable.Row(
      key: id.primaryKey, entity: id.entity, version: max(version, 1),
      values: stored(values, of: id.entity))
    tables[id.entity.hierarchyIndex].insert(row)
    for key in memberKeys[id.entity.storeIndex] {
      join(row.values[key.slot], key: key, id: id, moves: &moves)
    }
  }

  /// Gives a row other values, and has its object change owners as its keys do.
  private func update(_ change: SaveRequest.ObjectChange, _ moves: inout Moves) {
    let id = change.objectID
    guard let row = self[id] else { return }
    for key in memberKeys[id.entity.storeIndex]
    where row.values[key.slot] != change.values[key.slot] {
      leave(row.values[key.slot], key: key, id: id, moves: &moves)
      join(change.values[key.slot], key: key, id: id, moves: &moves)
    }
    let values = stored(change.values, of: id.entity)
    tables[id.entity.hierarchyIndex].change(id.primaryKey) {
      $0.version += 1
      $0.values = values
    }
  }

  private func leave(
    _ owner: Value, key: MemberKey, id: ManagedObjectID, moves: inout Moves
  ) {
    guard let owner = owner.objectID else { return }
    moves.leaving[ObjectRelationship(key.members, of: owner.primaryKey), default: []].insert(
      id.primaryKey)
  }

  private func join(
    _ owner: Value, key: MemberKey, id: ManagedObjectID, moves: inout Moves
  ) {
    guard let owner = owner.objectID else { return }
    moves.joining.append((id.primaryKey, ObjectRelationship(key.members, of: owner.primaryKey)))
  }

  /// - Parameter inKeyOrder: Whether members may join owners that don't report an order.
  func carryOut(_ moves: Moves, inKeyOrder: Bool) {
    for (owner, left) in moves.leaving { members[owner]?.subtract(left) }
    let joining =
      inKeyOrder ? moves.joining.sorted { $0.member < $1.member } : moves.joining
    for (member, owner) in joining { members[owner, default: []].append(member) }
  }

  // MARK: Links

  /// Takes a row that is deleted out of all links, whoever reports them: what is made again isn't a member again.
  /// What leads to it by a key still does.
  private func leaveLinks(_ id: ManagedObjectID, _ moves: inout Moves) {
    guard let row = self[id] else { return }
    for key in memberKeys[id.entity.storeIndex] {
      leave(row.values[key.slot], key: key, id: id, moves: &moves)
    }
    for relationship in id.entity.relationships
    where relationship.isToMany && !relationship.followsKeys {
      let others =
        members.removeValue(forKey: ObjectRelationship(relationship, of: id.primaryKey)) ?? []
      for other in others {
        if let inverse = relationship.inverseRelationship {
          members[ObjectRelationship(inverse, of: other)]?.remove(id.primaryKey)
        } else {
          owners[ObjectIdentifier(relationship)]?[other] = nil
        }
      }
    }
    for relationship in relationshipsWithoutInverse(to: id) {
      takeAway(id.primaryKey, from: relationship)
    }
  }

  /// Links that aren't by a key: those between many and many as this side reports them, and those without inverse.
  private func link(_ change: SaveRequest.ObjectChange) {
    for toMany in change.toMany where !toMany.relationship.followsKeys {
      if toMany.relationship.isUnanswered {
        linkWithoutInverse(toMany, of: change.objectID)
      } else if !toMany.added.isEmpty || !toMany.removed.isEmpty {
        changeMembers(of: change.objectID, toMany.relationship) { members in
          for removed in toMany.removed { members.remove(removed.primaryKey) }
          members.append(contentsOf: toMany.added.map(\.primaryKey))
        }
      }
    }
  }

  private func linkWithoutInverse(
    _ change: SaveRequest.ToManyChange, of owner: ManagedObjectID
  ) {
    let relationship = change.relationship
    for member in change.removed.map(\.primaryKey)
    where owners[ObjectIdentifier(relationship)]?[member] == owner {
      takeAway(member, from: relationship)
    }
    for member in change.added where self[member] != nil {
      give(member.primaryKey, to: owner, relationship)
    }
  }

  /// Of several owners that take a member the last one has it.
  func give(_ member: Int64, to owner: ManagedObjectID, _ relationship: RelationshipDescription) {
    takeAway(member, from: relationship)
    owners[ObjectIdentifier(relationship), default: [:]][member] = owner
    members[ObjectRelationship(relationship, of: owner.primaryKey), default: []].append(member)
  }

  private func takeAway(_ member: Int64, from relationship: RelationshipDescription) {
    if let owner = owners[ObjectIdentifier(relationship)]?.removeValue(forKey: member) {
      members[ObjectRelationship(relationship, of: owner.primaryKey)]?.remove(member)
    }
  }

  /// Gives each link between many and many its other side.
  private func makeLinksTwoSided(_ written: [SaveRequest.ObjectChange]) {
    let written = written.sorted { $0.objectID.primaryKey < $1.objectID.primaryKey }
    for change in written {
      for toMany in change.toMany {
        guard let inverse = toMany.relationship.inverseRelationship, inverse.isToMany else {
          continue
        }
        let key = change.objectID.primaryKey
        for other in toMany.removed { changeMembers(of: other, inverse) { $0.remove(key) } }
        for other in toMany.added { changeMembers(of: other, inverse) { $0.append(key) } }
      }
    }
    for change in written {
      for relationship in change.toMany.map(\.relationship)
      where relationship.inverseRelationship?.isToMany == true {
        let others = tables[relationship.destinationEntity.hierarchyIndex]
        changeMembers(of: change.objectID, relationship) { members in
          members.removeAll { others[$0] == nil }
        }
      }
    }
  }

  private func changeMembers(
    of id: ManagedObjectID, _ relationship: RelationshipDescription,
    _ body: (inout OrderedSet<Int64>) -> Void
  ) {
    if self[id] != nil {
      body(&members[ObjectRelationship(relationship, of: id.primaryKey), default: []])
    }
  }

  /// Gives members the order that their owner reports. Those that it doesn't know come last: batches
  /// give members to objects that hear nothing of it.
  private func order(_ change: SaveRequest.ObjectChange) {
    for toMany in change.toMany {
      if let ordered = toMany.ordered {
        order(toMany.relationship, of: change.objectID, as: ordered.map(\.primaryKey))
      }
    }
  }

  func order(
    _ relationship: RelationshipDescription, of id: ManagedObjectID, as keys: [Int64]
  ) {
    changeMembers(of: id, relationship) { members in
      if members.elementsEqual(keys) { return }
      members = OrderedSet(keys.filter(members.contains)).union(members)
    }
  }
}
