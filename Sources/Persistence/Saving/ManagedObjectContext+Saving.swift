// Saving: validation, permanent identifiers, one request to each store.

extension ManagedObjectContext {
  /// Checks all changed objects as a save would.
  /// - Throws: The failure, or 1560 with all of them.
  public final func validate() throws {
    processPendingChanges()
    if try newObjects.areValid(in: self) { return }
    var errors = inserted.flatMap { $0.errors(validating: .insertion) }
    for object in updated where !object.isMarkedDeleted {
      errors += object.errors(validating: .update)
    }
    for object in deletedRows { errors += object.errors(validating: .deletion) }
    // What an app's method threw, and nothing else, is thrown as it is.
    if errors.count == 1, let own = errors[0].standsFor { throw own }
    if let error = CoreDataError.combining(errors) { throw error }
  }

  /// Validates and writes all changes, or none; a child writes them into its parent.
  ///
  /// Conflicts with changes of others are the ``mergePolicy``'s affair. Several stores are written
  /// one after the other. When one of the later ones fails, the objects of those before are saved.
  /// - Throws: `CoreDataError`: a validation code; what ``PersistentStore/save(_:)`` throws;
  ///   `.managedObjectExternalRelationship` when a relationship leads into another store;
  ///   `.persistentStoreIncompleteSave` when some stores were written and others not.
  public final func save() throws {
    try keepNewObjects()
    processPendingChanges()
    guard hasChanges || hasUnsavedMetadata else {
      forgetDiscarded()
      // Core Data: observed in public tests: observers hear of a save without changes, too.
      if announces {
        for name in [Self.willSaveObjectsNotification, Self.didSaveObjectsNotification] {
          post(name, [:])
        }
      }
      return
    }
    AppCodeWitness.noteWriting()
    if announces { tellWillSave() }
    if mergedChangesOfOthers { mendLinks() }
    try validate()
    try write(validating: true)
  }

  /// Writes all changes without validating them. For a caller that has validated already.
  public final func saveWithoutValidation() throws {
    processPendingChanges()
    try newObjects.save(in: self, forgettingObjects: false)
    if hasChanges { try write(validating: false) }
  }

  /// Writes all new objects without validating them, and lets go of every object: for a context that
  /// nobody uses afterwards. New objects have their permanent identifiers then, and nothing else.
  package final func saveAndForgetObjects() throws {
    processPendingChanges()
    try requireWritable()
    try newObjects.save(in: self, forgettingObjects: true)
    guard let coordinator = persistentStoreCoordinator, hasChanges else { return }
    _ = try writeToStores(of: coordinator, validating: false, forgetting: true)
  }

  private func forgetWrittenObjects() {
    // The register knows objects by their old identifiers, and holds none of them.
    forgetObjects()
    for object in inserted {
      if let permanent = object.objectID.successor { object.objectID = permanent }
    }
    clearChanges()
  }

  private var hasUnsavedMetadata: Bool {
    parentRows == nil && persistentStoreCoordinator?.hasUnsavedMetadata == true
  }

  private func write(validating: Bool) throws {
    try requireWritable()
    let saved: SavedObjects?
    if let parent {
      try push(to: parent)
      saved = SavedObjects(of: self)
      awaitIdentifiers(of: inserted)
      didSave { _ in true }
    } else {
      guard let coordinator = persistentStoreCoordinator else { throw CoreDataError.noCoordinator }
      saved = try writeToStores(of: coordinator, validating: validating)
    }
    forgetDiscarded()
    if announces, let saved { tellDidSave(saved) }
  }

  /// Tries until no conflict is left that the merge policy can resolve.
  ///
  /// The policy may be an app's, which fetches in other contexts and waits for them: it is asked
  /// while the stores are free for others.
  private func writeToStores(
    of coordinator: PersistentStoreCoordinator, validating: Bool, forgetting: Bool = false
  ) throws -> SavedObjects? {
    for attempt in 1... {
      if coordinator.persistentStores.count > 1 { try resolveConflictsBeforehand() }
      var refusal: (any Error)?
      let saved = try coordinator.lock.withLock {
        try writeOnce(to: coordinator, forgetting: forgetting, refusal: &refusal)
      }
      guard let refusal else { return saved }
      if attempt == Self.mostAttempts { throw refusal }
      try resolveConflicts(behind: refusal)
      if validating { try validate() }
    }
    return nil
  }

  /// - Parameter refusal: What a store said to it, when nothing was written.
  /// - Throws: What was said when some stores were written and others not.
  private func writeOnce(
    to coordinator: PersistentStoreCoordinator, forgetting: Bool, refusal: inout (any Error)?
  ) throws -> SavedObjects? {
    var written: [PersistentStore] = []
    do {
      try assignPermanentIDs(to: inserted)
      for part in try saveParts(for: coordinator) {
        try part.store.save(part.request)
        written.append(part.store)
      }
    } catch {
      let said = refused(error, written: written)
      if !written.isEmpty { throw said }
      refusal = said
      return nil
    }
    if forgetting {
      for store in coordinator.persistentStores { store.forgetRewritten() }
      forgetWrittenObjects()
      return nil
    }
    let saved = SavedObjects(of: self)
    didSave { _ in true }
    for store in coordinator.persistentStores { adoptDerivedValues(of: store) }
    keepRows(of: saved)
    return saved
  }

  /// Resolving one conflict may make another, but each time there are fewer objects.
  private static var mostAttempts: Int { 1000 }

  /// Keeps what was refused as unsaved changes.
  private func refused(_ error: any Error, written: [PersistentStore]) -> any Error {
    if written.isEmpty {
      takeBackPermanentIDs()
      return error
    }
    let numbers = Set(written.map(\.number))
    didSave { numbers.contains($0.objectID.current.storeNumber) }
    takeBackPermanentIDs()
    return CoreDataError.incompleteSave(error, written: written)
  }

  final func requireWritable() throws {
    guard isReadOnly else { return }
    throw CoreDataError.sourceIsReadOnly
  }

  // MARK: What each store is to write

  private func saveParts(
    for coordinator: PersistentStoreCoordinator
  ) throws -> [(store: PersistentStore, request: SaveRequest)] {
    var parts: [(store: PersistentStore, request: SaveRequest)] = []
    if coordinator.persistentStores.isEmpty { throw CoreDataError.noStores }
    let numbers = coordinator.persistentStores.map(\.number)
    for id in (updated + deletedRows).map(\.objectID.current)
    where !numbers.contains(id.storeNumber) {
      throw CoreDataError.noStore(for: id.entity)
    }
    for store in coordinator.persistentStores {
      let isOnly = coordinator.persistentStores.count == 1
      let request = try saveRequest { isOnly || $0.objectID.current.storeNumber == store.number }
      if request.isEmpty && !store.hasUnsavedMetadata { continue }
      if !isOnly { try request.requireNoReferences(outOf: store) }
      parts.append((store, request))
    }
    return parts
  }

  private func saveRequest(_ belongs: (ManagedObject) -> Bool) throws -> SaveRequest {
    var request = SaveRequest()
    request.linksMayBeOneSided = mergedChangesOfOthers
    request.mayLeadToDeleted = mergedChangesOfOthers
    request.keepsDerivedTimes = keepsDerivedTimes
    for object in inserted where belongs(object) { request.inserted.append(try object.change()) }
    for object in updated where !object.isMarkedDeleted && belongs(object) {
      request.updated.append(try object.change())
    }
    for object in deletedRows where belongs(object) {
      request.deleted.append(
        SaveRequest.Deletion(objectID: object.objectID, version: object.version))
    }
    return request
  }

  /// The deleted objects whose rows are to go.
  final var deletedRows: [ManagedObject] { deleted.filter { !$0.state.contains(.lost) } }

  // MARK: Afterwards

  private func didSave(_ isWritten: (ManagedObject) -> Bool) {
    let (new, changed, gone) = (inserted, updated, deleted)
    clearChanges()
    for object in new {
      guard isWritten(object) else {
        inserted.append(object)
        continue
      }
      adoptPermanentID(object)
      object.didSave(version: object.version == 0 ? 1 : object.version)
    }
    for object in changed where !object.isMarkedDeleted {
      if isWritten(object) {
        object.didSave(version: object.version + 1)
      } else {
        updated.append(object)
      }
    }
    for object in gone {
      if isWritten(object) { forget(object) } else { deleted.append(object) }
    }
  }
}

extension SaveRequest {
  /// Whether there is nothing to write.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// - Throws: `.managedObjectExternalRelationship` for a relationship into another store.
  fileprivate func requireNoReferences(outOf store: PersistentStore) throws {
    for change in inserted + updated {
      for relationship in change.objectID.entity.relationships
      where !relationship.isToMany && !relationship.isTransient {
        if case .object(let object) = change.values[relationship.slot],
          let id = object as? ManagedObjectID, id.storeNumber != store.number
        {
          throw CoreDataError.externalRelationship(relationship, from: change.objectID, to: id)
        }
      }
      for toMany in change.toMany {
        if let id = toMany.added.first(where: { $0.storeNumber != store.number }) {
          throw CoreDataError.externalRelationship(
            toMany.relationship, from: change.objectID, to: id)
        }
      }
    }
  }
}

/// What a save wrote.
struct SavedObjects {
  let inserted: [ManagedObject]
  let updated: [ManagedObject]
  let deleted: [ManagedObject]

  init(of context: ManagedObjectContext) {
    inserted = context.inserted
    updated = context.updated.filter { !$0.isMarkedDeleted }
    deleted = context.deleted
  }
}

extension PersistentStoreCoordinator {
  fileprivate final var hasUnsavedMetadata: Bool {
    persistentStores.contains { $0.hasUnsavedMetadata }
  }
}
