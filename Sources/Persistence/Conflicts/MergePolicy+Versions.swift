// Conflicts over rows that others changed or deleted.

extension MergePolicy {
  /// Brings the object to the row's version, with the values that the policy chooses.
  func resolve(_ conflict: MergeConflict) {
    let object = conflict.sourceObject
    guard let context = object.context else { return }
    if object.isInserted, let row = conflict.row {
      return context.settle(object, madeAgainAs: row, wins: objectWins)
    }
    switch (object.isMarkedDeleted, conflict.row) {
    case (true, let row?): resolveDeletion(of: object, now: row, in: context)
    case (true, nil): context.dropDeletion(of: object)
    case (false, let row?): resolveUpdate(of: object, now: row, in: context)
    case (false, nil): resolveUpdate(ofDeleted: object, in: context)
    }
  }

  private var objectWins: Bool {
    mergeType == .mergeByPropertyObjectTrumpMergePolicyType
      || mergeType == .overwriteMergePolicyType
  }

  /// Deleted here, changed there.
  private func resolveDeletion(
    of object: ManagedObject, now row: StoreRow, in context: ManagedObjectContext
  ) {
    if objectWins {
      object.version = row.version
    } else {
      context.undoDeletion(of: object)
      object.restoreLinks()
    }
  }

  private func resolveUpdate(
    of object: ManagedObject, now row: StoreRow, in context: ManagedObjectContext
  ) {
    switch mergeType {
    case .rollbackMergePolicyType:
      object.giveUpLinks()
      context.undoUpdate(of: object)
      object.restoreLinks()
    case .mergeByPropertyStoreTrumpMergePolicyType:
      object.rebase(on: row) { mine, base, theirs in theirs == base ? mine : theirs }
    case .overwriteMergePolicyType:
      object.rebase(on: row) { mine, _, _ in mine }
    case .mergeByPropertyObjectTrumpMergePolicyType, .errorMergePolicyType:
      object.rebase(on: row)
    }
  }

  /// Whether an object that others deleted is to be inserted again.
  func isToBeMadeAgain(_ conflict: MergeConflict) -> Bool {
    objectWins && conflict.row == nil && !conflict.sourceObject.isMarkedDeleted
  }

  /// Changed here, deleted there: made again, or given up too.
  private func resolveUpdate(ofDeleted object: ManagedObject, in context: ManagedObjectContext) {
    if objectWins {
      context.mendLinks(ofObjectMadeAgain: object)
    } else {
      object.giveUpLinks()
      context.dropUpdate(of: object)
    }
  }
}

// MARK: - What it means in a context

extension ManagedObjectContext {
  /// A deletion that others made already.
  fileprivate func dropDeletion(of object: ManagedObject) {
    deleted.removeAll { $0 === object }
    forget(object)
  }

  final func undoDeletion(of object: ManagedObject) {
    // Other rules took these links away when it was deleted.
    object.giveUpLinks { $0.deleteRule == .noAction }
    deleted.removeAll { $0 === object }
    updated.removeAll { $0 === object }
    object.turnIntoFault()
  }

  fileprivate func undoUpdate(of object: ManagedObject) {
    updated.removeAll { $0 === object }
    object.turnIntoFault()
  }

  fileprivate func dropUpdate(of object: ManagedObject) {
    updated.removeAll { $0 === object }
    object.state = []
    forget(object)
  }

  /// Has an object inserted again under its old identifier.
  final func makeAgain(_ object: ManagedObject) {
    updated.removeAll { $0 === object }
    object.version = versionForRowMadeAgain(object)
    object.state = [.inserted, .tracked]
    inserted.append(object)
  }

  /// What an object that is made again led to and is gone as well, it leads to no more.
  fileprivate func mendLinks(ofObjectMadeAgain object: ManagedObject) {
    for relationship in object.entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      guard let id = object.destinationID(of: relationship), !isAlive(id) else { continue }
      object.values[relationship.slot] = .null
    }
    for relationship in object.entity.relationships
    where relationship.isToMany && !relationship.isTransient {
      // Others may lead to it by links that this context never saw, and that a deletion elsewhere
      // didn't see either.
      let stored = destinationsOrException(of: relationship, from: object.objectID)
      let again = object.toManyDestinations(of: relationship)
        .ofObjectMadeAgain(stored: stored) { isAlive($0) }
      object.toMany[relationship.slot] = again
    }
    // Who was its partner may have another one by now, or none.
    object.mendPartners()
    leaveStrayPartners(of: object)
    object.snapshot = nil
  }

  /// Of an object that others made again, too, only one row can be: with the values here, or as it is.
  fileprivate func settle(_ object: ManagedObject, madeAgainAs row: StoreRow, wins: Bool) {
    inserted.removeAll { $0 === object }
    guard wins else {
      object.giveUpLinksOfNewObject()
      object.turnIntoFault()
      // What others linked it with may have been merged here, and been taken away for leading to an
      // object that didn't lead back.
      object.restoreLinks()
      return
    }
    object.snapshot = row.values
    object.version = row.version
    object.state = [.updated, .tracked]
    for relationship in object.entity.relationships
    where relationship.isToMany && !relationship.isTransient {
      guard let known = object.toManyDestinationsIfTouched(of: relationship) else { continue }
      let stored = destinationsOrException(of: relationship, from: object.objectID)
      object.toMany[relationship.slot] = known.ofStoredObject(stored)
    }
    updated.append(object)
  }

  /// The version of an object that is made again here. What a child makes again, the context at the
  /// root does, too.
  final func versionForRowMadeAgain(_ object: ManagedObject) -> Int64 {
    guard parentRows == nil,
      let store = persistentStoreCoordinator?.store(of: object.objectID.current)
    else { return max(object.version, 1) }
    return reading { store.versionForRowMadeAgain(after: object.version) }
  }

  /// Whoever still leads to the object by a one-to-one relationship, though the object leads
  /// elsewhere, is left without it.
  private func leaveStrayPartners(of object: ManagedObject) {
    for relationship in object.entity.relationships
    where !relationship.isToMany && !relationship.isTransient {
      guard let inverse = relationship.inverseRelationship, !inverse.isToMany else { continue }
      let partner = object.destinationID(of: relationship)
      for id in storedOwners(of: inverse, leadingTo: object.objectID)
      where partner?.isSame(as: id) != true {
        object.upToDate(id)?.removeInverse(inverse, to: object)
      }
    }
  }

  /// The stored objects whose to-one relationship leads to an object.
  private func storedOwners(
    of relationship: RelationshipDescription, leadingTo id: ManagedObjectID
  ) -> [ManagedObjectID] {
    guard let source, let entity: EntityDescription = relationship.entity else { return [] }
    var query = StoreQuery(entity: entity)
    query.predicate = ComparisonPredicate(
      leftExpression: Expression(forKeyPath: relationship.name),
      rightExpression: Expression(forConstantValue: object(with: id)), modifier: .direct,
      type: .equalTo)
    var owners: [ManagedObjectID] = []
    do {
      try reading {
        try StoredRows(query, in: source, context: self).enumerate {
          owners.append($0.objectID)
          return true
        }
      }
    } catch { ExceptionTrap.raise(error) }
    return owners
  }

  /// Whether an object will exist after the save, as far as the context and the store know.
  private func isAlive(_ id: ManagedObjectID) -> Bool {
    if let known = registeredObject(for: id) {
      if known.isMarkedDeleted { return false }
      if known.isInserted { return true }
    }
    return rowOrException(for: id.current) != nil
  }
}

extension ManagedObject {
  /// Keeps what was changed here and takes the rest from a row.
  func rebase(on row: StoreRow) {
    rebase(on: row) { mine, base, theirs in mine == base ? theirs : mine }
  }

  /// Brings the object to the version of a row.
  /// - Parameter choose: Chooses from the value here, the value that was read and the row's.
  func rebase(on row: StoreRow, choosing choose: (Value, Value, Value) -> Value) {
    guard let base = snapshot else { return }
    snapshot = row.values
    version = row.version
    if isMarkedDeleted { return }
    for property in entity.properties {
      let slot = property.slot
      let chosen = choose(
        values[slot].withCurrentID, base[slot].withCurrentID, row.values[slot].withCurrentID)
      if let relationship = property as? RelationshipDescription {
        if !relationship.isToMany { take(chosen, of: relationship, over: row.values[slot]) }
      } else {
        values[slot] = chosen
      }
    }
    for relationship in entity.relationships where relationship.isToMany {
      toManyDestinationsIfTouched(of: relationship)?.unload { stored in
        self.context?.destinationsOrException(of: relationship, from: self.objectID) ?? stored
      }
    }
  }

  func toManyDestinationsIfTouched(
    of relationship: RelationshipDescription
  ) -> ToManyDestinations? {
    guard relationship.isToMany, !toMany.isEmpty else { return nil }
    return toMany[relationship.slot]
  }
}

extension Value {
  /// The identifier in the slot of a to-one relationship.
  var objectID: ManagedObjectID? {
    guard case .object(let object) = self else { return nil }
    return (object as? ManagedObjectID)?.current
  }

  /// An object's identifier as the one that it has by now; any other value as it is.
  var withCurrentID: Value { objectID.map { .object($0) } ?? self }

  /// Whether two references are to the same object, be it by its temporary or its permanent
  /// identifier, or both to none.
  func leadsWhere(_ other: Value) -> Bool { objectID == other.objectID }
}
