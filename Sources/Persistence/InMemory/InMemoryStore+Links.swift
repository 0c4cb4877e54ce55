// MARK: - Links to rows that are gone

extension InMemoryStore {
  /// The rows whose keys lead to a deleted one, as in SQLite, where a relationship to many is nothing
  /// but the keys that lead back: in the order they had, then by key.
  func strays(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> [ManagedObjectID] {
    guard let inverse = relationship.inverseRelationship, relationship.isToMany, !inverse.isToMany,
      let owner: EntityDescription = inverse.entity,
      id.entity.rootEntity.storeIndex < tables.count,
      let earlier = tables[id.entity.rootEntity.storeIndex].graves[id.primaryKey]
    else { return [] }
    var strays: [ManagedObjectID] = []
    tables[owner.rootEntity.storeIndex].forEachRow { row in
      if row.id.entity.isKindOf(entity: owner), row.values[inverse.slot].objectID == id {
        strays.append(row.id)
      }
      return true
    }
    guard relationship.isOrdered, let order = earlier[relationship.slot]?.array else {
      return strays
    }
    let (known, living) = (Set(order), Set(strays))
    return order.filter(living.contains) + strays.filter { !known.contains($0) }
  }

  /// Gives a row that is made again the members whose keys still lead to it.
  func takeBackStrays(_ id: ManagedObjectID) {
    let family = id.entity.rootEntity.storeIndex
    guard tables[family].graves[id.primaryKey] != nil else { return }
    for relationship in id.entity.relationships where relationship.isToMany {
      let strays = strays(of: relationship, from: id)
      if !strays.isEmpty { change(id, relationship) { $0.append(contentsOf: strays) } }
    }
    tables[family].graves[id.primaryKey] = nil
  }
}

// MARK: - Links reported from one side

extension InMemoryStore {
  func keys(
    of changes: [SaveRequest.ObjectChange]
  ) -> [ManagedObjectID: ContiguousArray<Value>] {
    Dictionary(
      changes.compactMap { change in storedRow(change.objectID).map { (change.objectID, $0.values) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Gives each link its other side: members of to-many relationships follow the keys of their
  /// inverse, and both sides of many-to-many relationships follow each other.
  func makeLinksTwoSided(
    _ changes: SaveRequest, _ keysBefore: [ManagedObjectID: ContiguousArray<Value>]
  ) {
    for change in changes.updated + changes.inserted {
      for toMany in change.toMany { followMembers(toMany, of: change.objectID) }
    }
    for change in changes.updated + changes.inserted {
      followKeys(of: change, before: keysBefore[change.objectID])
    }
    for change in changes.updated + changes.inserted {
      for toMany in change.toMany { dropStrayMembers(of: change.objectID, toMany.relationship) }
    }
  }

  /// Takes a row that is deleted out of the relationships to many that lead to it. The delete rule *no
  /// action* reports nothing of them, and yet what is made again isn't a member again.
  /// - Parameter unreported: Whether other rules may not have reported all of them, either: whoever
  ///   deletes an object may not know which other ones it was linked with since.
  func leaveOwners(_ id: ManagedObjectID, unreported: Bool) {
    guard let row = storedRow(id) else { return }
    for relationship in id.entity.relationships
    where unreported || relationship.deleteRule == .noAction {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany else { continue }
      let owners =
        relationship.isToMany
        ? row.toMany[relationship.slot]?.array
        : row.values[relationship.slot].objectID.map { [$0] }
      for owner in owners ?? [] { change(owner, inverse) { $0.remove(id) } }
    }
  }

  private func followMembers(_ toMany: SaveRequest.ToManyChange, of id: ManagedObjectID) {
    guard let inverse = toMany.relationship.inverseRelationship, inverse.isToMany else { return }
    for other in toMany.removed { change(other, inverse) { $0.remove(id) } }
    for other in toMany.added { change(other, inverse) { $0.append(id) } }
  }

  private func followKeys(
    of change: SaveRequest.ObjectChange, before: ContiguousArray<Value>?
  ) {
    for relationship in change.objectID.entity.relationships where !relationship.isToMany {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany else { continue }
      let (old, new) = (
        before?[relationship.slot].objectID, change.values[relationship.slot].objectID
      )
      if let old, old != new { self.change(old, inverse) { $0.remove(change.objectID) } }
      if let new { self.change(new, inverse) { $0.append(change.objectID) } }
    }
  }

  /// Removes members that are gone, and those whose own key leads elsewhere.
  private func dropStrayMembers(of id: ManagedObjectID, _ relationship: RelationshipDescription) {
    let inverse = relationship.inverseRelationship
    let strays = storedRow(id)?.toMany[relationship.slot]?.array.filter { member in
      guard let row = storedRow(member) else { return true }
      guard let inverse, !inverse.isToMany else { return false }
      return row.values[inverse.slot].objectID != id
    }
    guard let strays, !strays.isEmpty else { return }
    change(id, relationship) { $0.subtract(strays) }
  }

  func change(
    _ id: ManagedObjectID, _ relationship: RelationshipDescription,
    _ body: (inout InMemoryMembers) -> Void
  ) {
    let family = id.entity.rootEntity.storeIndex
    tables[family].change(id.primaryKey) { body(&$0.toMany[relationship.slot, default: .init()]) }
  }
}
