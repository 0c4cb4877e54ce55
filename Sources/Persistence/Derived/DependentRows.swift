import OrderedCollections

/// Finds the objects whose derived values hang on rows that are written.
struct DependentRows {
  let store: PersistentStore

  /// The objects of a derivation's entity that lead to one of `rows`, or are among them.
  func objects(
    of derivation: Derivation, leadingTo rows: some Sequence<ManagedObjectID>
  ) throws -> OrderedSet<ManagedObjectID> {
    let rows = Array(rows)
    var found = OrderedSet<ManagedObjectID>()
    for route in derivation.routes where !route.isEmpty {
      found.formUnion(try objects(along: route, leadingTo: rows))
    }
    for id in rows where id.entity.isKindOf(entity: derivation.entity) { found.append(id) }
    return found
  }

  private func objects(
    along route: [RelationshipDescription], leadingTo rows: [ManagedObjectID]
  ) throws -> OrderedSet<ManagedObjectID> {
    var found = OrderedSet<ManagedObjectID>()
    for relationship in route.reversed() {
      let destination: EntityDescription = relationship.destinationEntity
      for id in rows where id.entity.isKindOf(entity: destination) { found.append(id) }
      found = OrderedSet(try owners(of: relationship, leadingTo: found))
    }
    return found
  }

  private func owners(
    of relationship: RelationshipDescription, leadingTo ids: OrderedSet<ManagedObjectID>
  ) throws -> [ManagedObjectID] {
    if ids.isEmpty { return [] }
    guard let inverse = relationship.inverseRelationship else {
      return try ownersWithoutInverse(of: relationship, leadingTo: ids)
    }
    let owners = try ids.flatMap { id in
      inverse.isToMany
        ? try store.destinations(of: inverse, from: id)
        : [try store.row(for: id)?.values[inverse.slot].objectID].compactMap { $0 }
    }
    return owners.filter { $0.entity.isKindOf(entity: relationship.entity) }
  }

  /// Nothing leads back, so that all rows are looked at.
  private func ownersWithoutInverse(
    of relationship: RelationshipDescription, leadingTo ids: OrderedSet<ManagedObjectID>
  ) throws -> [ManagedObjectID] {
    var owners: [ManagedObjectID] = []
    try store.enumerateRows(matching: StoreQuery(entity: relationship.entity)) { row in
      let destinations =
        relationship.isToMany
        ? try store.destinations(of: relationship, from: row.objectID)
        : [row.values[relationship.slot].objectID].compactMap { $0 }
      if destinations.contains(where: ids.contains) { owners.append(row.objectID) }
      return true
    }
    return owners
  }
}
