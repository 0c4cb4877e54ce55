// A new object whose row is written before the save.

extension ManagedObject {
  /// The row holds all of the object now.
  func didSpill() {
    state.insert(.written)
    state.remove([.tracked, .rewritten])
    changedSlots = 0
    forgetToMany(ofNewObject: false)
  }

  /// To be called before a written object changes.
  func becomeRewritten() {
    fireFault()
    changedSlots = 0
    state.insert(.rewritten)
    withContext { context in
      context.newObjects.willRewrite(self, in: context)
    }
  }
}

extension InsertionOrder {
  /// The objects of all hierarchies in the order in which they were inserted.
  func objects(of hierarchies: [[ManagedObject]]) -> [ManagedObject] {
    var places = [Int](repeating: 0, count: hierarchies.count)
    var all: [ManagedObject] = []
    for run in runs {
      let (hierarchy, end) = (Int(run.hierarchy), places[Int(run.hierarchy)] + Int(run.count))
      all += hierarchies[hierarchy][places[hierarchy]..<min(end, hierarchies[hierarchy].count)]
      places[hierarchy] = end
    }
    return all
  }
}

extension ManagedObject {
  /// Reads the members of all to-many relationships, as a new object has them.
  func loadSpilledLinks(of spilled: SpilledNewObjects) {
    for relationship in spilled.entities[entity.storeIndex].toMany
    where state.contains(.written) || !toMany.isEmpty {
      let again = ToManyDestinations(ofNewObject: true)
      for id in destinationIDs(of: relationship) { again.add(known(id)) }
      pendingMembers(of: relationship, are: again)
    }
    for relationship in entity.relationships where !relationship.isToMany {
      if let id = destinationID(of: relationship) { values[relationship.slot] = .object(known(id)) }
    }
  }

  private func pendingMembers(
    of relationship: RelationshipDescription, are members: ToManyDestinations
  ) {
    if toMany.isEmpty { toMany = ContiguousArray(repeating: nil, count: entity.slotCount) }
    toMany[relationship.slot] = members
  }

  /// The identifier that the object itself has, which is told when it becomes permanent.
  private func known(_ id: ManagedObjectID) -> ManagedObjectID {
    context?.registeredObject(for: id)?.objectID ?? id
  }

  func becomeUnwritten() {
    state = [.inserted, .tracked]
    snapshot = nil
  }

  func becomeSaved() {
    objectID = ManagedObjectID(permanent: objectID)
    state = state.contains(.fault) ? .fault : []
    version = 1
    snapshot = nil
    toMany = []
    if isFault { return }
    for relationship in entity.relationships where !relationship.isToMany {
      if let id = destinationID(of: relationship) {
        values[relationship.slot] = .object(ManagedObjectID(permanent: id))
      }
    }
  }
}
