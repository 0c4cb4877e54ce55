// Both sides of a link say the same after a conflict, too: what the policy decides for one object has
// consequences for those it leads to.

extension ManagedObject {
  /// Lets a to-one relationship lead where was chosen, and keeps the other sides true.
  func take(_ chosen: Value, of relationship: RelationshipDescription, over theirs: Value) {
    let slot = relationship.slot
    let (mine, theirs) = (values[slot].withCurrentID, theirs.withCurrentID)
    values[slot] = chosen
    guard let inverse = relationship.inverseRelationship, let context else { return }
    if chosen != mine, let loser = mine.objectID {
      upToDate(loser)?.removeInverse(inverse, to: self)
    }
    guard let other = theirs.objectID else { return }
    if chosen != theirs, !inverse.isToMany {
      // The partner that others chose is left without one.
      upToDate(other)?.removeInverse(inverse, to: self)
    } else if let owner = context.registeredObject(for: other) {
      owner.toManyDestinationsIfTouched(of: inverse)?.forgetMembers()
    }
  }

  /// An object, to be read anew unless it was changed here: what is known of it may be old. nil when
  /// it is gone.
  func upToDate(_ id: ManagedObjectID) -> ManagedObject? {
    guard let context else { return nil }
    let object = context.object(with: id)
    if object.hasChanges { return object }
    guard let row = context.rowOrException(for: object.objectID) else { return nil }
    object.turnIntoFault()
    object.fulfill(with: row)
    return object
  }

  /// Has the partners in one-to-one relationships lead to each other: as was set here, else not at
  /// all. Called when changes of others were merged into changed objects one by one.
  func mendPartners() {
    guard let snapshot, !isMarkedDeleted else { return }
    for relationship in entity.relationships where !relationship.isToMany {
      guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
        let id = destinationID(of: relationship), let partner = upToDate(id)
      else { continue }
      if !partner.isMarkedDeleted, partner.destinationID(of: inverse)?.isSame(as: objectID) == true
      {
        continue
      }
      if !snapshot[relationship.slot].leadsWhere(values[relationship.slot]),
        !partner.isMarkedDeleted
      {
        partner.addInverse(inverse, to: self)
      } else {
        removeInverse(relationship, to: partner)
      }
    }
  }

  /// Has the owners, in relationships from many to one, know whether this object is theirs, where that
  /// is to be saved and they may have heard of it from what others saved.
  ///
  /// Whoever gains or loses a member is saved with it, so that its version tells those that read it
  /// before: they would give it the members that they know.
  func mendOwners() {
    guard !isMarkedDeleted, !isFault else { return }
    let base = state.contains(.inserted) ? nil : snapshot
    if base == nil && !state.contains(.inserted) { return }
    for relationship in entity.relationships where !relationship.isToMany {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany else { continue }
      let (old, new) = (base?[relationship.slot] ?? .null, values[relationship.slot])
      if old.leadsWhere(new) { continue }
      owner(old)?.removeInverse(inverse, to: self)
      owner(new)?.addInverse(inverse, to: self)
    }
  }

  private func owner(_ reference: Value) -> ManagedObject? {
    guard let owner = reference.objectID.flatMap({ upToDate($0) }), !owner.isMarkedDeleted
    else { return nil }
    return owner
  }

  /// Takes back, on the other sides, the links that were made here and not saved.
  /// - Parameter isWanted: Which; all unless said.
  func giveUpLinks(_ isWanted: (RelationshipDescription) -> Bool = { _ in true }) {
    guard let base = snapshot else { return }
    for relationship in entity.relationships where isWanted(relationship) {
      guard let inverse = relationship.inverseRelationship, let context else { continue }
      if !relationship.isToMany {
        guard !values[relationship.slot].leadsWhere(base[relationship.slot]),
          let id = values[relationship.slot].objectID
        else { continue }
        context.object(with: id).removeInverse(inverse, to: self)
      } else if let destinations = toManyDestinationsIfTouched(of: relationship) {
        for id in destinations.additions {
          context.object(with: id).removeInverse(inverse, to: self)
        }
      }
    }
  }

  /// Takes back, on the other sides, all links of an object that is not to be inserted after all.
  func giveUpLinksOfNewObject() {
    for relationship in entity.relationships where !relationship.isTransient {
      guard let inverse = relationship.inverseRelationship else { continue }
      for destination in allDestinations(of: relationship) where destination.hasChanges {
        destination.removeInverse(inverse, to: self)
      }
    }
  }

  /// Takes back, on the other sides, that links of this object were taken away, now that it is again
  /// as it is stored. What is deleted, or leads elsewhere by now, it leads to no more.
  func restoreLinks() {
    guard context?.rowOrException(for: objectID) != nil else { return }
    for relationship in entity.relationships where !relationship.isTransient {
      guard let inverse = relationship.inverseRelationship else { continue }
      for end in allDestinations(of: relationship) where end.hasChanges {
        let isKept = !end.isMarkedDeleted && end.takeBackRemoval(of: self, from: inverse)
        if !isKept { removeInverse(relationship, to: end) }
      }
    }
    if !hasChanges { turnIntoFault() }
  }

  /// - Returns: Whether this side leads to `object`, then.
  private func takeBackRemoval(
    of object: ManagedObject, from relationship: RelationshipDescription
  ) -> Bool {
    guard !relationship.isToMany else {
      toManyDestinationsIfTouched(of: relationship)?.takeBackRemoval(of: object.objectID)
      return true
    }
    let slot = relationship.slot
    if values[slot].isNull, snapshot?[slot].objectID?.isSame(as: object.objectID) == true {
      values[slot] = .object(object.objectID)
    }
    return destinationID(of: relationship)?.isSame(as: object.objectID) ?? false
  }
}
