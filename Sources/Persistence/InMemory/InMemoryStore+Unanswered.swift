/// Whom the members of relationships to many without inverse belong to.
///
/// SQLite has such a link as a key in the member's row, of which there is one: who adds the member
/// takes it from whoever had it.
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
