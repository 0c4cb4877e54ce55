/// What a merge policy does. Raw values are Core Data's own.
public enum MergePolicyType: UInt, Sendable, CaseIterable {
  /// The save fails; the context is left as it is.
  case errorMergePolicyType = 0
  /// Property by property, what was changed in the store meanwhile wins.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property, what was changed in the context wins.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The context's object wins as a whole.
  case overwriteMergePolicyType = 3
  /// The context's changes of the object are given up.
  case rollbackMergePolicyType = 4
}

/// Resolves the conflicts that a save meets: rows that others changed since they were read, and
/// violated uniqueness constraints.
///
/// A subclass overrides ``resolve(mergeConflicts:)`` or ``resolve(constraintConflicts:)``, and calls
/// super for the conflicts it leaves.
/// Sendable unchecked: immutable once made. A subclass is responsible for its own state.
open class MergePolicy: NSObject, @unchecked Sendable {
  public final let mergeType: MergePolicyType

  /// The policy of a type.
  public init(merge type: MergePolicyType) { mergeType = type }

  public static let error = MergePolicy(merge: .errorMergePolicyType)
  public static let rollback = MergePolicy(merge: .rollbackMergePolicyType)
  public static let overwrite = MergePolicy(merge: .overwriteMergePolicyType)
  public static let mergeByPropertyObjectTrump = MergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  public static let mergeByPropertyStoreTrump = MergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)

  /// Resolves all conflicts over rows that were changed by others.
  /// - Throws: 133020 with the conflicts, from the error policy.
  open func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
    try resolve(mergeConflicts: conflicts)
  }

  /// Resolves conflicts of either kind.
  /// - Parameter conflicts: Objects of ``MergeConflict`` or ``ConstraintConflict``.
  /// - Throws: 133020 or 133021 with the conflicts, from the error policy.
  open func resolve(mergeConflicts conflicts: [Any]) throws {
    let versions = conflicts.compactMap { $0 as? MergeConflict }
    if !versions.isEmpty { try resolveVersions(versions) }
    let constraints = conflicts.compactMap { $0 as? ConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts over uniqueness constraints.
  /// - Throws: 133021 with the conflicts, from the error policy.
  open func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType { throw CoreDataError.constraintsViolated(conflicts) }
    for conflict in conflicts { try resolve(conflict) }
  }

  private func resolveVersions(_ conflicts: [MergeConflict]) throws {
    if mergeType == .errorMergePolicyType { throw CoreDataError.changedSinceRead(conflicts) }
    // Objects that others inserted again come first, since the rest may link to them. Those inserted
    // again here must all be there before any links are checked: they may link to each other.
    let again = conflicts.filter { $0.sourceObject.isInserted }
    let others = conflicts.filter { !$0.sourceObject.isInserted }
    let revived = others.filter(isToBeMadeAgain)
    for conflict in again { resolve(conflict) }
    for object in revived.map(\.sourceObject) { object.context?.makeAgain(object) }
    for conflict in others where !revived.contains(conflict) { resolve(conflict) }
    for conflict in revived { resolve(conflict) }
  }
}

// MARK: - Versions

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
    switch mergeType {
    case .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType:
      AppCodeWitness.tell(.deletedByOthers)
    default: break
    }
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

  /// Removes the links of an object that is inserted again to objects that are gone as well.
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
      again.tellObserver()
    }
    // Its former partner may have another one by now, or none.
    object.mendPartners()
    leaveStrayPartners(of: object)
    object.snapshot = nil
  }

  /// An object that both sides inserted again has one row: with the values from here, or as it is.
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
      object.toMany[relationship.slot]?.tellObserver()
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
    query.predicate = ComparisonPredicate(relationship.name, .equalTo, object(with: id))
    var owners: [ManagedObjectID] = []
    do {
      try reading {
        try StoredRows(query, in: source, context: self).forEachRow { owners.append($0.objectID) }
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

// MARK: - Uniqueness constraints

// Conflicts over uniqueness constraints.
//
// One object keeps its identity: the stored one, else one that was saved before, else the first.
// The policy says whose values it has afterwards.

extension MergePolicy {
  func resolve(_ conflict: ConstraintConflict) throws {
    let changed = conflict.conflictingObjects.filter { $0.context != nil && !$0.isMarkedDeleted }
    guard let context = changed.first?.context else { return }
    if conflict.databaseObject == nil, changed.count(where: \.isInserted) > 1 {
      AppCodeWitness.tell(.newDuplicates)
    }
    switch mergeType {
    case .errorMergePolicyType: return
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      try mergeIntoOne(conflict, changed, in: context)
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      try giveUp(losers(of: conflict, changed), of: conflict, in: context)
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
