// What a child's save does to its parent.
//
// Changes go one level up and stay unsaved there. Property by property the last save wins: a parent
// has no versions of unsaved changes. Only an object that is gone from the parent is a conflict.

extension ManagedObjectContext {
  /// Writes this context's changes into its parent.
  /// - Throws: 133020 when an object to be updated or deleted is gone from the parent and the merge
  ///   policy doesn't resolve that.
  final func push(to parent: ManagedObjectContext) throws {
    let lost = try objectsGone(from: parent)
    if !lost.isEmpty { try mergePolicy.resolve(optimisticLockingConflicts: lost) }
    try parent.performAndWait { try parent.receive(from: self) }
  }

  private func objectsGone(from parent: ManagedObjectContext) throws -> [MergeConflict] {
    let changed = updated.filter { !$0.isMarkedDeleted && !$0.isInserted } + deletedRows
    return try changed.compactMap { object in
      try storedRow(for: object.objectID) == nil ? MergeConflict(object, row: nil) : nil
    }
  }

  /// Takes over the changes of a child. Both are used by this context's thread meanwhile.
  private func receive(from child: ManagedObjectContext) throws {
    let changed = child.inserted + child.updated.filter { !$0.isMarkedDeleted }
    // The child's order is known before anything here changes what it is read from.
    for object in changed { object.readChangedOrders() }
    for object in child.inserted { insert(like: object) }
    for object in changed { takeValues(of: object) }
    for object in changed { try takeLinks(of: object) }
    for object in changed { takeOrder(of: object) }
    for object in child.deletedRows where !object.isInserted {
      delete(self.object(with: object.objectID))
    }
    propagateDeletions()
    // Core Data: observed in public tests: observers of the parent know when the save returns.
    if !isTellingWillSave { processPendingChanges() }
  }

  /// A new object with the identifier that the child's has.
  private func insert(like object: ManagedObject) {
    if let known = registeredObject(for: object.objectID) {
      // Deleted here, but the child's policy has the object win.
      if known.isMarkedDeleted { takeBackDeletion(of: known) }
      // Deleted by others, which shows only when somebody asks for its row.
      if known.awaitsRow, object.version != 0,
        rowOrException(for: known.objectID) == nil
      {
        makeAgain(known, like: object)
      }
      return
    }
    let new = makeObject(inserting: object.entity)
    new.objectID = object.objectID.current
    if object.version != 0 {
      new.version = versionForRowMadeAgain(object)
      // What led to it by a relationship with the rule *no action* has it as a member still.
      mergedChangesOfOthers = true
    }
    adopt(new)
  }

  private func takeBackDeletion(of object: ManagedObject) {
    mergedChangesOfOthers = true
    if !object.state.contains(.inserted) {
      undoDeletion(of: object)
      return object.restoreLinks()
    }
    deleted.removeAll { $0 === object }
    inserted.removeAll { $0 === object }
    discarded.removeAll { $0 === object }
    object.leadNowhere()
    object.state = [.inserted, .tracked]
    inserted.append(object)
  }

  /// An object that this context knows by its identifier only, and whose row is gone.
  private func makeAgain(_ known: ManagedObject, like object: ManagedObject) {
    known.values = initialValues(of: known.entity)
    known.leadNowhere()
    known.version = object.version
    makeAgain(known)
    mergedChangesOfOthers = true
    if hasPendingIndexes { pendingIndexes.didInsert(known) }
    if announces { noteInsertion(of: known) }
  }

  private func takeValues(of object: ManagedObject) {
    let own = self.object(with: object.objectID)
    for attribute in object.entity.attributes {
      let value = object.values[attribute.slot]
      if let snapshot = object.snapshot, snapshot[attribute.slot] == value { continue }
      if own.attributeValue(at: attribute.slot) != value {
        own.setAttributeValue(value, at: attribute.slot)
      }
    }
  }

  private func takeLinks(of object: ManagedObject) throws {
    let own = self.object(with: object.objectID)
    for relationship in object.entity.relationships where !relationship.isTransient {
      if relationship.isToMany {
        try takeMembers(of: object, relationship, into: own)
      } else {
        let id = object.values[relationship.slot].objectID
        if let snapshot = object.snapshot, snapshot[relationship.slot].objectID == id { continue }
        try own.setDestination(id.map { self.object(with: $0) }, of: relationship)
      }
    }
  }

  private func takeMembers(
    of object: ManagedObject, _ relationship: RelationshipDescription, into own: ManagedObject
  ) throws {
    guard let changes = object.toManyDestinationsIfTouched(of: relationship), changes.hasChanges
    else { return }
    // Where the inverse leads to one object, its own change says who is a member.
    if relationship.inverseRelationship?.isToMany != false {
      for id in changes.removed { own.remove(self.object(with: id), from: relationship) }
      for id in changes.additions { try own.add(self.object(with: id), to: relationship) }
    }
  }

  /// Once all links are made: the child's order, then whatever it doesn't know.
  private func takeOrder(of object: ManagedObject) {
    let own = self.object(with: object.objectID)
    for relationship in object.entity.relationships
    where relationship.isOrdered
      && object.toManyDestinationsIfTouched(of: relationship)?.hasChanges == true
    {
      let members = own.destinationIDs(of: relationship)
      let kept = object.destinationIDs(of: relationship).filter(Set(members).contains)
      let known = Set(kept)
      own.reorder(relationship, to: kept + members.filter { !known.contains($0) })
    }
  }
}

extension ManagedObject {
  /// Forgets links whose other sides were taken away with the object; a child gives those it still has.
  fileprivate func leadNowhere() {
    for relationship in entity.relationships where !relationship.isToMany {
      values[relationship.slot] = .null
    }
    for observer in forgetMembers() { observer.membersDidChange() }
    snapshot = nil
  }

  /// Reads the members of ordered relationships that were changed.
  fileprivate func readChangedOrders() {
    for relationship in entity.relationships
    where relationship.isOrdered
      && toManyDestinationsIfTouched(of: relationship)?.hasChanges == true
    {
      _ = destinationIDs(of: relationship)
    }
  }
}

// MARK: - Identifiers

extension ManagedObjectContext {
  /// Remembers new objects of the parent, be they saved or read from here: they get their permanent
  /// identifiers when the parent is saved.
  final func awaitIdentifiers(of objects: [ManagedObject]) {
    if parentRows == nil { return }
    for object in objects where object.objectID.isTemporaryID {
      awaitingIdentifiers.append(WeakReference(object))
    }
  }

  /// Gives objects the permanent identifiers that an ancestor's save gave them.
  final func adoptSuccessors() {
    let waiting = awaitingIdentifiers.compactMap(\.object)
    let ready = waiting.filter { $0.objectID.successor != nil }
    if ready.isEmpty { return }
    awaitingIdentifiers = waiting.filter { $0.objectID.successor == nil }.map(WeakReference.init)
    for object in ready { adoptPermanentID(object) }
    for object in registry.all { object.makeMembersPermanent() }
  }
}
