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
    for object in changed where object.context != nil && !object.state.contains(.inserted) {
      if announces { noteRefresh(of: object) }
      object.turnIntoFault()
    }
    if announces { processPendingChanges() }
  }

  /// Forgets every object and every unsaved change.
  public final func reset() {
    keepNewObjectsOrRaise()
    clearChanges()
    event = ContextEvent()
    awaitingIdentifiers = []
    forgetObjects()
    readAhead = ReadAhead()
  }

  /// Takes an object out of the context for good.
  final func forget(_ object: ManagedObject) {
    unregister(object.objectID)
    object.context = nil
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
    if let row = rowOrException(for: object.objectID) {
      object.rebase(on: row)
      mergedChangesOfOthers = true
    }
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
