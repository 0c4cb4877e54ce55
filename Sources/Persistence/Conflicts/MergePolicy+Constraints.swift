// Conflicts over uniqueness constraints.
//
// One object keeps its identity: the stored one, else one that was saved before, else the first.
// The policy says whose values it has afterwards.

extension MergePolicy {
  func resolve(_ conflict: ConstraintConflict) throws {
    let changed = conflict.conflictingObjects.filter { $0.context != nil && !$0.isMarkedDeleted }
    guard let context = changed.first?.context else { return }
    switch mergeType {
    case .errorMergePolicyType: return
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      try mergeIntoOne(conflict, changed, in: context)
    case .mergeByPropertyStoreTrumpMergePolicyType:
      try giveUp(losers(of: conflict, changed), of: conflict, in: context)
    case .rollbackMergePolicyType:
      let new = changed.filter(\.isInserted)
      let losers =
        conflict.databaseObject == nil && !new.isEmpty ? new : losers(of: conflict, changed)
      try giveUp(losers, of: conflict, in: context)
    }
    context.propagateDeletions()
  }

  /// The changed objects that give way when what is stored wins.
  private func losers(
    of conflict: ConstraintConflict, _ changed: [ManagedObject]
  ) -> [ManagedObject] {
    if conflict.databaseObject != nil { return changed }
    let keeper =
      changed.first { !$0.isInserted && !$0.changedKey(of: conflict) }
      ?? changed.first { !$0.isInserted } ?? changed.first
    return changed.filter { $0 !== keeper }
  }

  private func giveUp(
    _ losers: [ManagedObject], of conflict: ConstraintConflict, in context: ManagedObjectContext
  ) throws {
    for object in losers {
      if object.isInserted {
        context.discardNewObject(object)
      } else if mergeType == .rollbackMergePolicyType {
        object.giveUpLinks()
        context.refresh(object, mergeChanges: false)
        object.restoreLinks()
      } else {
        try object.revert(conflict.constraint)
      }
    }
  }

  /// New objects go into the one that keeps its identity; a saved object that others want to
  /// replace is deleted.
  private func mergeIntoOne(
    _ conflict: ConstraintConflict, _ changed: [ManagedObject], in context: ManagedObjectContext
  ) throws {
    let saved = changed.filter { !$0.isInserted }
    let winner =
      saved.first { $0.changedKey(of: conflict) } ?? conflict.databaseObject
      ?? saved.first ?? changed[0]
    for other in conflict.objects where other !== winner && !other.isMarkedDeleted {
      if other.isInserted {
        try winner.takeOver(other, wholly: mergeType == .overwriteMergePolicyType)
        context.discardNewObject(other)
      } else {
        context.delete(other)
      }
    }
  }
}

extension ManagedObject {
  /// Whether the object has the conflict's values by an unsaved change.
  fileprivate func changedKey(of conflict: ConstraintConflict) -> Bool {
    guard let snapshot else { return false }
    return conflict.constraint.contains { name in
      entity.property(named: name).map { snapshot[$0.slot] != values[$0.slot] } ?? false
    }
  }

  /// Gives properties their stored values again.
  fileprivate func revert(_ names: [String]) throws {
    guard let snapshot else { return }
    for property in names.compactMap({ entity.property(named: $0) }) {
      let stored = snapshot[property.slot]
      if let relationship = property as? RelationshipDescription {
        let object = stored.objectID.flatMap { context?.object(with: $0) }
        try setDestination(object, of: relationship)
      } else {
        setAttributeValue(stored, at: property.slot)
      }
    }
  }

  /// Takes the values and relationships of a new object that is to be merged into this one.
  ///
  /// Values that the new object hasn't leave this one's alone unless it takes over wholly. To-many
  /// relationships without inverse are lost.
  fileprivate func takeOver(_ other: ManagedObject, wholly: Bool) throws {
    fireFault()
    for property in entity.properties
    where other.entity.propertiesByName[property.name] === property {
      guard let relationship = property as? RelationshipDescription else {
        let value = other.values[property.slot]
        if wholly || !value.isNull { setAttributeValue(value, at: property.slot) }
        continue
      }
      if relationship.isTransient { continue }
      let destinations = other.allDestinations(of: relationship)
      if relationship.isToMany {
        try takeOver(destinations, of: relationship, wholly: wholly)
      } else if wholly || !destinations.isEmpty {
        try setDestination(destinations.first, of: relationship)
      }
    }
  }

  private func takeOver(
    _ destinations: [ManagedObject], of relationship: RelationshipDescription, wholly: Bool
  ) throws {
    if relationship.inverseRelationship == nil { return }
    if wholly {
      // Who leaves must know by what others saved that it was here.
      for member in allDestinations(of: relationship) where !member.hasChanges {
        member.turnIntoFault()
      }
      try setDestinations(destinations, of: relationship)
    } else {
      for destination in destinations { try add(destination, to: relationship) }
    }
  }
}

extension ManagedObjectContext {
  /// Takes a new object out as if it had never been inserted; what it was linked with is unlinked.
  fileprivate func discardNewObject(_ object: ManagedObject) {
    for relationship in object.entity.relationships where !relationship.isTransient {
      guard let inverse = relationship.inverseRelationship else { continue }
      for destination in object.allDestinations(of: relationship) {
        destination.removeInverse(inverse, to: object)
      }
    }
    inserted.removeAll { $0 === object }
    forgetPendingIndexes()
    forget(object)
    object.state = []
  }
}
