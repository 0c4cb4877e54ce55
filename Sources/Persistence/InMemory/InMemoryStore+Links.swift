// MARK: - Members that follow keys

extension RelationshipDescription {
  /// Whether it leads to many objects that each have a key leading back: they are its members by these
  /// keys alone, whoever reports what.
  var followsKeys: Bool {
    isToMany && !isTransient && inverseRelationship.map { !$0.isToMany } ?? false
  }
}

/// A relationship to one whose destination has the object as a member.
struct MemberKey {
  let slot: Int
  /// The relationship that leads back.
  let members: RelationshipDescription

  /// Those of each entity, by store index.
  static func all(in model: ManagedObjectModel) -> [[MemberKey]] {
    var keys = [[MemberKey]](repeating: [], count: model.entities.count)
    for entity in model.entities {
      keys[entity.storeIndex] = entity.relationships.compactMap { relationship in
        guard !relationship.isToMany, !relationship.isTransient,
          let members = relationship.inverseRelationship, members.followsKeys
        else { return nil }
        return MemberKey(slot: relationship.slot, members: members)
      }
    }
    return keys
  }
}

/// Who leaves whom and who joins whom in one save.
struct MemberMoves {
  private(set) var leaving: [ManagedObjectID: [Int: [ManagedObjectID]]] = [:]
  private(set) var joining: [(member: ManagedObjectID, owner: ManagedObjectID, slot: Int)] = []

  mutating func remove(
    _ member: ManagedObjectID, from owner: ManagedObjectID, _ key: MemberKey
  ) { leaving[owner, default: [:]][key.members.slot, default: []].append(member) }

  mutating func add(_ member: ManagedObjectID, to owner: ManagedObjectID, _ key: MemberKey) {
    joining.append((member, owner, key.members.slot))
  }
}

extension InMemoryStore {
  /// - Parameter inKeyOrder: Whether members may join owners that don't report an order.
  func carryOut(_ moves: MemberMoves, inKeyOrder: Bool) {
    for (owner, members) in moves.leaving {
      for (slot, ids) in members { changeMembers(of: owner, slot) { $0.subtract(ids) } }
    }
    let joining =
      inKeyOrder
      ? moves.joining.sorted { $0.member.primaryKey < $1.member.primaryKey } : moves.joining
    for move in joining { changeMembers(of: move.owner, move.slot) { $0.append(move.member) } }
  }

  /// Where there is no such row, it may come yet, or come again.
  private func changeMembers(
    of id: ManagedObjectID, _ slot: Int, _ body: (inout InMemoryMembers) -> Void
  ) {
    let (family, key) = (id.entity.familyIndex, id.primaryKey)
    let isDone: Void? = tables[family].change(key) { $0.toMany.change(slot, body) }
    if isDone == nil {
      tables[family].absent[key, default: .init()].members.change(slot, body)
    }
  }

  /// What leads to a row that is made now.
  func takeMembers(of id: ManagedObjectID) -> MembersBySlot {
    let family = id.entity.familyIndex
    if tables[family].absent.isEmpty { return [:] }
    return tables[family].absent.removeValue(forKey: id.primaryKey)?.members ?? [:]
  }
}

// MARK: - Links that both sides have

extension InMemoryStore {
  /// Gives each link between many and many its other side.
  func makeLinksTwoSided(_ changes: SaveRequest) {
    let changed = (changes.updated + changes.inserted).sorted {
      $0.objectID.primaryKey < $1.objectID.primaryKey
    }
    for change in changed {
      for toMany in change.toMany { followMembers(toMany, of: change.objectID) }
    }
    for change in changed {
      for toMany in change.toMany { dropLostMembers(of: change.objectID, toMany.relationship) }
    }
  }

  /// Takes a row that is deleted out of the relationships to many that lead to it. The delete rule *no
  /// action* reports nothing of them, and yet what is made again isn't a member again.
  /// - Parameter unreported: Whether other rules may not have reported all of them, either: whoever
  ///   deletes an object may not know which other ones it was linked with since.
  func leaveOwners(_ id: ManagedObjectID, unreported: Bool, _ moves: inout MemberMoves) {
    guard let row = storedRow(id) else { return }
    for key in memberKeys[id.entity.storeIndex] {
      if let owner = row.values[key.slot].objectID { moves.remove(id, from: owner, key) }
    }
    for relationship in id.entity.relationships
    where relationship.isToMany && (unreported || relationship.deleteRule == .noAction) {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany else { continue }
      for other in row.toMany[relationship.slot]?.array ?? [] {
        change(other, inverse) { $0.remove(id) }
      }
    }
  }

  private func followMembers(_ toMany: SaveRequest.ToManyChange, of id: ManagedObjectID) {
    guard let inverse = toMany.relationship.inverseRelationship, inverse.isToMany else { return }
    for other in toMany.removed { change(other, inverse) { $0.remove(id) } }
    for other in toMany.added { change(other, inverse) { $0.append(id) } }
  }

  private func dropLostMembers(of id: ManagedObjectID, _ relationship: RelationshipDescription) {
    guard relationship.inverseRelationship?.isToMany == true else { return }
    let lost = storedRow(id)?.toMany[relationship.slot]?.array.filter { storedRow($0) == nil }
    guard let lost, !lost.isEmpty else { return }
    change(id, relationship) { $0.subtract(lost) }
  }

  func change(
    _ id: ManagedObjectID, _ relationship: RelationshipDescription,
    _ body: (inout InMemoryMembers) -> Void
  ) {
    let family = uncounted(id.entity) { $0.familyIndex }
    tables[family].change(id.primaryKey) { $0.toMany.change(relationship.slot, body) }
  }
}
