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
  /// Whose members come and go: a row that may be there.
  struct Owner: Hashable {
    let hierarchy: Int
    let key: Int64

    init(_ id: ManagedObjectID) {
      hierarchy = uncounted(id.entity) { $0.hierarchyIndex }
      key = id.primaryKey
    }
  }

  private(set) var leaving: [Owner: [Int: [Int64]]] = [:]
  private(set) var joining: ContiguousArray<(member: Int64, owner: Owner, slot: Int)> = []

  mutating func remove(_ member: Int64, from owner: ManagedObjectID, _ key: MemberKey) {
    leaving[Owner(owner), default: [:]][key.members.slot, default: []].append(member)
  }

  mutating func add(_ member: Int64, to owner: ManagedObjectID, _ key: MemberKey) {
    joining.append((member, Owner(owner), key.members.slot))
  }
}

extension InMemoryStore {
  /// - Parameter inKeyOrder: Whether members may join owners that don't report an order.
  func carryOut(_ moves: MemberMoves, inKeyOrder: Bool) {
    for (owner, members) in moves.leaving {
      for (slot, keys) in members { changeMembers(of: owner, slot) { $0.subtract(keys) } }
    }
    let joining =
      inKeyOrder
      ? ContiguousArray(moves.joining.sorted { $0.member < $1.member }) : moves.joining
    for move in joining { changeMembers(of: move.owner, move.slot) { $0.append(move.member) } }
  }

  /// Where there is no such row, it may come yet, or come again.
  private func changeMembers(
    of owner: MemberMoves.Owner, _ slot: Int, _ body: (inout InMemoryMembers) -> Void
  ) {
    let (hierarchy, key) = (owner.hierarchy, owner.key)
    if tables[hierarchy].changeMembers(of: key, slot, body) { return }
    tables[hierarchy].absent[key, default: .init()].members.change(slot, body)
  }

  /// Gives a row that is made now what leads to it.
  func takeMembers(_ number: Int, key: Int64, hierarchy: Int) {
    if tables[hierarchy].absent.isEmpty { return }
    guard let absent = tables[hierarchy].absent.removeValue(forKey: key) else { return }
    for (slot, members) in absent.members.entries {
      tables[hierarchy].rows.changeMembers(number, slot) { $0 = members }
    }
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
    guard let number = number(of: id) else { return }
    // Whoever held the rows meanwhile would have each change copy them.
    let hierarchy = hierarchy(of: id)
    for key in memberKeys[id.entity.storeIndex] {
      if let owner = tables[hierarchy].rows.value(number, key.slot).objectID {
        moves.remove(id.primaryKey, from: owner, key)
      }
    }
    for relationship in id.entity.relationships
    where relationship.isToMany && (unreported || relationship.deleteRule == .noAction) {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany else { continue }
      for other in tables[hierarchy].rows.members(number, relationship.slot).keys {
        tables[relationship.destinationEntity.hierarchyIndex]
          .changeMembers(of: other, inverse.slot) { $0.remove(id.primaryKey) }
      }
    }
  }

  private func followMembers(_ toMany: SaveRequest.ToManyChange, of id: ManagedObjectID) {
    guard let inverse = toMany.relationship.inverseRelationship, inverse.isToMany else { return }
    for other in toMany.removed { change(other, inverse) { $0.remove(id.primaryKey) } }
    for other in toMany.added { change(other, inverse) { $0.append(id.primaryKey) } }
  }

  private func dropLostMembers(of id: ManagedObjectID, _ relationship: RelationshipDescription) {
    guard relationship.inverseRelationship?.isToMany == true, let number = number(of: id) else {
      return
    }
    let members = tables[hierarchy(of: id)].rows.members(number, relationship.slot).keys
    let others = relationship.destinationEntity.hierarchyIndex
    let lost = members.filter { tables[others].number(of: $0) == nil }
    if !lost.isEmpty { change(id, relationship) { $0.subtract(Array(lost)) } }
  }

  func change(
    _ id: ManagedObjectID, _ relationship: RelationshipDescription,
    _ body: (inout InMemoryMembers) -> Void
  ) {
    tables[hierarchy(of: id)].changeMembers(of: id.primaryKey, relationship.slot, body)
  }
}
