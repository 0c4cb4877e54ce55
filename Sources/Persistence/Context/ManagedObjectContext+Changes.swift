// Unsaved changes: looking at them and giving them up.

extension ManagedObjectContext {
  public final var insertedObjects: Set<ManagedObject> {
    keepNewObjectsOrRaise()
    return Set(inserted.filter(\.isInserted))
  }
  public final var updatedObjects: Set<ManagedObject> { Set(updated.filter(\.isUpdated)) }
  public final var deletedObjects: Set<ManagedObject> { Set(deleted) }

  /// How many new objects wait to be saved.
  public final var insertedObjectCount: Int {
    newObjects.count(in: self)
  }

  public final var hasChanges: Bool {
    !updated.isEmpty || !deleted.isEmpty || newObjects.exist(in: self)
  }

  /// Makes the next change of each new object be noticed as its first.
  package final func untrackInsertedObjects() {
    for object in inserted { object.state.remove(.tracked) }
  }

  final func didBecomeUpdated(_ object: ManagedObject) { updated.append(object) }

  /// Discards all unsaved changes: inserted objects go, changed and deleted ones are as stored.
  public final func rollback() {
    keepNewObjectsOrRaise()
    let changed = updated + deleted
    let new = inserted
    clearChanges()
    for object in new {
      if announces { noteDeletion(of: object) }
      forget(object)
      object.state = []
    }
    forgetDiscarded()
    for object in changed where object.context != nil && !object.state.contains(.inserted) {
      if announces { noteRefresh(of: object) }
      object.turnIntoFault()
      if hasAppObjects { object.awake(fromSnapshotEvents: .rollback) }
    }
    if announces { processPendingChanges() }
  }

  /// Forgets every object and every unsaved change, and tells observers.
  ///
  /// Core Data: observed in public tests: objects that an app still has are faults without context, and fire to nil.
  public final func reset() {
    keepNewObjectsOrRaise()
    let known = hasAppObjects ? registry.all : []
    clearChanges()
    event = ContextEvent()
    awaitingIdentifiers = []
    forgetObjects()
    readAhead = ReadAhead()
    for object in known { object.becomeEmpty(as: [.fault, .lost]) }
    if known.isEmpty { return }
    NotificationCenter.default.post(
      name: Self.didChangeObjectsNotification, object: self,
      userInfo: [NotificationKey.invalidatedAllObjects.rawValue: known.map(\.objectID)])
  }

  /// Takes an object out of the context for good.
  final func forget(_ object: ManagedObject) {
    unregister(object.objectID)
    object.context = nil
  }

  /// Lets go of what was inserted and deleted since the last save.
  final func forgetDiscarded() {
    let gone = discarded
    discarded = []
    for object in gone where object.context === self {
      forget(object)
      object.becomeEmpty()
    }
  }

  final func clearChanges() {
    inserted = []
    updated = []
    deleted = []
    hasUnpropagatedDeletions = false
    mergedChangesOfOthers = false
    forgetPendingIndexes()
  }

  final func forgetPendingIndexes() {
    pendingIndexes = PendingIndexes()
    // Those over the keys of written rows go on.
    indexedSlots = newObjects.indexedSlots
    hasPendingIndexes = indexedSlots != 0
  }
}

// MARK: - Reading anew

extension ManagedObjectContext {
  /// Forgets an object's values and unsaved changes, or reads them anew under its changes.
  ///
  /// - Parameter mergeChanges: Whether changed properties keep their values, and added and removed
  ///   members of relationships stay added and removed.
  public final func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    if object.context !== self { return }
    if object.state.contains(.inserted) {
      if !mergeChanges { object.startAnew() }
      return
    }
    if announces { noteRefresh(of: object) }
    guard mergeChanges, object.hasChanges else {
      updated.removeAll { $0 === object }
      deleted.removeAll { $0 === object }
      object.turnIntoFault()
      return
    }
    do {
      guard let row = try cachedRow(for: object.objectID) else { return }
      object.rebase(on: row)
      if hasAppObjects { object.awake(fromSnapshotEvents: .refresh) }
      mergedChangesOfOthers = true
    } catch { ExceptionTrap.raise(error) }
  }

  /// Has a save look whether others changed the object's row, even if nothing of it was changed here.
  public final func detectConflicts(for object: ManagedObject) {
    if object.context === self { object.willChange() }
  }

  /// ``refresh(_:mergeChanges:)`` for every object, keeping unsaved changes.
  public final func refreshAllObjects() {
    // In an order that is the same each time.
    let objects = registry.all.sorted {
      ($0.entity.name, $0.objectID.primaryKey) < ($1.entity.name, $1.objectID.primaryKey)
    }
    for object in objects { refresh(object, mergeChanges: true) }
    if !updated.isEmpty { didMergeChangesOfOthers() }
  }
}

// MARK: - Deleting

// Deleting, and what the delete rules do to the objects around.

extension ManagedObjectContext {
  /// Marks an object for deletion at the next save. Delete rules apply when pending changes are
  /// processed: before the save, at a fetch, or when asked.
  public final func delete(_ object: ManagedObject) {
    guard object.context === self else { return }
    // Core Data: observed: it is asked again by a second deletion.
    if announces { object.prepareForDeletion() }
    if object.state.contains(.deleted) { return }
    keepNewObjectsOrRaise()
    if announces { noteDeletion(of: object) }
    object.state.insert(.deleted)
    deleted.append(object)
    hasUnpropagatedDeletions = true
    if !propagatesDeletesAtEndOfEvent { propagateDeletions() }
  }

  /// Applies the delete rules of all objects deleted since the last time.
  final func propagateDeletions() {
    guard hasUnpropagatedDeletions, !isPropagatingDeletions else { return }
    isPropagatingDeletions = true
    defer { isPropagatingDeletions = false }
    var next = 0
    // Cascades append to `deleted` while this runs; a deleted object isn't visited twice.
    while next < deleted.count {
      propagate(deleted[next])
      next += 1
    }
    hasUnpropagatedDeletions = false
    // An object inserted and deleted between two saves never reaches the store.
    if hasAppObjects { discarded += deleted.filter { $0.state.contains(.inserted) } }
    deleted.removeAll { $0.state.contains(.inserted) }
    inserted.removeAll { $0.state.contains(.deleted) }
  }

  private func propagate(_ object: ManagedObject) {
    guard !object.state.contains(.propagated) else { return }
    object.fireFault()
    // What others deleted already leads nowhere, whatever still leads to it.
    guard !object.state.contains(.propagated) else { return }
    object.state.insert(.propagated)
    // An object that never reached the store leaves nothing there to deny or to dangle.
    let isNew = object.state.contains(.inserted)
    for relationship in object.entity.relationships where !relationship.isTransient {
      let rule = relationship.deleteRule
      apply(isNew && rule != .cascade ? .nullify : rule, to: relationship, of: object)
    }
  }

  private func apply(
    _ rule: DeleteRule, to relationship: RelationshipDescription, of object: ManagedObject
  ) {
    switch rule {
    case .noAction, .deny: break
    case .nullify: nullify(relationship, of: object)
    case .cascade:
      for destination in object.allDestinations(of: relationship) { delete(destination) }
      // Whoever else is reached by the inverse must not keep a reference.
      nullify(relationship, of: object)
    }
  }

  private func nullify(_ relationship: RelationshipDescription, of object: ManagedObject) {
    guard let inverse = relationship.inverseRelationship else { return }
    for destination in object.allDestinations(of: relationship)
    where !destination.state.contains(.deleted) {
      destination.removeInverse(inverse, to: object)
    }
  }
}

extension ManagedObject {
  /// The destinations of a relationship of either kind.
  final func allDestinations(of relationship: RelationshipDescription) -> [ManagedObject] {
    if relationship.isToMany { return destinations(of: relationship) }
    return destination(of: relationship).map { [$0] } ?? []
  }

  /// Whether it is deleted here, or a reference leads to it though its row is gone.
  private var isDeletedOrLost: Bool {
    if context?.shouldDeleteInaccessibleFaults == true { fireFault() }
    return isMarkedDeleted
  }

  /// The 1600 of a deleted object whose *deny* relationship still leads somewhere.
  func deniedDeletion() -> [CoreDataError] {
    entity.relationships.filter { $0.deleteRule == .deny }.compactMap { relationship in
      let remaining = allDestinations(of: relationship).filter {
        // Members are read from rows; only a key can lead nowhere.
        !(relationship.isToMany ? $0.isMarkedDeleted : $0.isDeletedOrLost)
      }
      if remaining.isEmpty { return nil }
      var denial = CoreDataError.deniedDelete(
        of: self, by: relationship, remaining: remaining.count)
      denial.validated = (self, value(forKey: relationship.name))
      return denial
    }
  }
}

/// Why an object has other values than before. Raw values are Core Data's own.
public struct SnapshotEventType: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let undoInsertion = SnapshotEventType(rawValue: 2)
  public static let undoDeletion = SnapshotEventType(rawValue: 4)
  public static let undoUpdate = SnapshotEventType(rawValue: 8)
  public static let rollback = SnapshotEventType(rawValue: 16)
  public static let refresh = SnapshotEventType(rawValue: 32)
  public static let mergePolicy = SnapshotEventType(rawValue: 64)
}
