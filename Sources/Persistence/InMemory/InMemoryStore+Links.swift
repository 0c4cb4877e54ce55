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

/// The members that relationships lose and gain in one save.
struct MemberMoves {
  /// The owner, whose row may exist.
  struct Owner: Hashable {
    let hierarchy: Int
    let key: Int64

    init(_ id: ManagedObjectID) {
      hierarchy = id.entity.hierarchyIndex
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
    // If something else held the rows meanwhile, each change would copy them.
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

// MARK: - Relationships without inverse

/// The owners of members of to-many relationships without inverse.
///
/// In SQLite such a link is a key in the member's row, which holds only one: adding the member to one
/// owner takes it away from the previous one.
struct UnansweredLinks {
  /// The relationships, by the store index of the hierarchy that their members are of.
  private let relationships: [[RelationshipDescription]]
  /// By relationship and key of the member.
  private var owners: [ObjectIdentifier: [Int64: ManagedObjectID]] = [:]
  /// Whether the model has no such relationship.
  let isEmpty: Bool

  init(model: ManagedObjectModel) {
    var relationships = [[RelationshipDescription]](repeating: [], count: model.entities.count)
    for relationship in model.entities.flatMap(\.ownProperties)
      .compactMap({ $0 as? RelationshipDescription })
    where relationship.isUnanswered && !relationship.isTransient {
      relationships[relationship.destinationEntity.rootEntity.storeIndex].append(relationship)
    }
    self.relationships = relationships
    isEmpty = relationships.allSatisfy(\.isEmpty)
  }

  /// Notes a member's owner, or that it has none.
  /// - Returns: Whose it was.
  mutating func give(
    _ member: Int64, to owner: ManagedObjectID?, by relationship: RelationshipDescription
  ) -> ManagedObjectID? {
    let previous = self.owner(of: member, by: relationship)
    if previous != owner {
      owners[ObjectIdentifier(relationship), default: [:]][member] = owner
    }
    return previous
  }

  func owner(of member: Int64, by relationship: RelationshipDescription) -> ManagedObjectID? {
    owners[ObjectIdentifier(relationship)]?[member]
  }

  /// The relationships that may lead to an object.
  func leading(to id: ManagedObjectID) -> [RelationshipDescription] {
    relationships[id.entity.rootEntity.storeIndex]
  }
}

extension RelationshipDescription {
  /// Whether it leads to many objects, none of which knows of it.
  var isUnanswered: Bool { isToMany && inverseRelationship == nil }
}

extension InMemoryStore {
  /// Writes changes of members that don't know their owner. All rows are there by then.
  func writeUnanswered(_ changes: SaveRequest) {
    for change in changes.updated + changes.inserted {
      for toMany in change.toMany where toMany.relationship.isUnanswered {
        write(toMany, of: change.objectID)
      }
    }
  }

  private func write(_ change: SaveRequest.ToManyChange, of owner: ManagedObjectID) {
    let relationship = change.relationship
    for member in change.removed.map(\.primaryKey)
    where unanswered.owner(of: member, by: relationship) == owner {
      leave(member, relationship)
    }
    for member in change.added where !isGone(member) {
      let member = member.primaryKey
      leave(member, relationship)
      _ = unanswered.give(member, to: owner, by: relationship)
      self.change(owner, relationship) { $0.append(member) }
    }
    guard let ordered = change.ordered?.map(\.primaryKey) else { return }
    self.change(owner, relationship) { $0.order(as: ordered) }
  }

  /// To be called when a row goes: members of it have no owner then, and it is no member any more.
  func dropUnanswered(_ id: ManagedObjectID, _ number: Int) {
    for relationship in unanswered.leading(to: id) { leave(id.primaryKey, relationship) }
    let rows = tables[hierarchy(of: id)].rows
    for relationship in rows.entity(number).relationships where relationship.isUnanswered {
      for member in rows.members(number, relationship.slot).keys {
        _ = unanswered.give(member, to: nil, by: relationship)
      }
    }
  }

  private func leave(_ member: Int64, _ relationship: RelationshipDescription) {
    guard let owner = unanswered.give(member, to: nil, by: relationship) else { return }
    change(owner, relationship) { $0.remove(member) }
  }

  /// Whether a row was deleted. One that never was here may come yet, with a later part of a copy.
  private func isGone(_ id: ManagedObjectID) -> Bool {
    number(of: id) == nil
      && tables[hierarchy(of: id)].absent[id.primaryKey]?.wasDeleted == true
  }
}
