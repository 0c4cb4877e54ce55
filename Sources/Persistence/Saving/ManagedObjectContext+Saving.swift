// Saving: validation, permanent identifiers, one request to each store.

extension ManagedObjectContext {
  /// Checks all changed objects as a save would.
  /// - Throws: The failure, or 1560 with all of them.
  public final func validate() throws {
    processPendingChanges()
    var errors = inserted.flatMap { $0.validationErrors() }
    for object in updated where !object.isDeleted { errors += object.validationErrors() }
    for object in deleted { errors += object.deniedDeletion() }
    if let error = CoreDataError.combining(errors) { throw error }
  }

  /// Validates and writes all changes, or none.
  ///
  /// Several stores are written one after the other. When one of the later ones fails, the objects
  /// of those before are saved.
  /// - Throws: `CoreDataError`: a validation code; what ``PersistentStore/save(_:)`` throws;
  ///   `.managedObjectExternalRelationship` when a relationship leads into another store;
  ///   `.persistentStoreIncompleteSave` when some stores were written and others not.
  public final func save() throws {
    processPendingChanges()
    guard hasChanges || persistentStoreCoordinator.hasUnsavedMetadata else { return }
    try validate()
    try write()
  }

  /// Writes all changes without validating them. For a caller that has validated already.
  public final func saveWithoutValidation() throws {
    processPendingChanges()
    if hasChanges { try write() }
  }

  private func write() throws {
    try requireWritable()
    try persistentStoreCoordinator.lock.withLock {
      try assignPermanentIDs(to: inserted)
      var written: [PersistentStore] = []
      do {
        for part in try saveParts() {
          try part.store.save(part.request)
          written.append(part.store)
        }
      } catch {
        throw refused(error, written: written)
      }
      didSave { _ in true }
    }
  }

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
    throw CoreDataError(
      .persistentStoreSave, "The store is open for reading only",
      advice: "A migration never writes to its source; make changes in the destination context.")
  }

  // MARK: What each store is to write

  private func saveParts() throws -> [(store: PersistentStore, request: SaveRequest)] {
    let coordinator = persistentStoreCoordinator
    var parts: [(store: PersistentStore, request: SaveRequest)] = []
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
    for object in inserted where belongs(object) { request.inserted.append(try object.change()) }
    for object in updated where !object.isDeleted && belongs(object) {
      request.updated.append(try object.change())
    }
    for object in deleted where belongs(object) {
      request.deleted.append(
        SaveRequest.Deletion(objectID: object.objectID, version: object.version))
    }
    return request
  }

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
      object.didSave(version: 1)
    }
    for object in changed where !object.isDeleted {
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

  /// Takes an object out of the context for good.
  final func forget(_ object: ManagedObject) {
    unregister(object.objectID)
    object.context = nil
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

extension PersistentStoreCoordinator {
  fileprivate final var hasUnsavedMetadata: Bool {
    persistentStores.contains { $0.hasUnsavedMetadata }
  }
}

extension CoreDataError {
  fileprivate static func externalRelationship(
    _ relationship: RelationshipDescription, from id: ManagedObjectID, to other: ManagedObjectID
  ) -> CoreDataError {
    CoreDataError(
      .managedObjectExternalRelationship,
      "Object being saved has relationship containing object from another store.",
      advice: "'\(relationship.name)' leads to \(other); keep both objects in one store "
        + "(assign(_:to:) before the first save), or use a fetched property."
    ).at(entity: id.entity.name, property: relationship.name, object: "\(id)")
  }

  /// The failure of a store when others were written already.
  fileprivate static func incompleteSave(
    _ error: any Error, written: [PersistentStore]
  ) -> CoreDataError {
    let names = written.map { $0.url?.lastPathComponent ?? $0.identifier }.joined(separator: ", ")
    return CoreDataError(
      .persistentStoreIncompleteSave, "One or more of the stores returned an error during save.",
      advice: "Saved: \(names). The other objects are still unsaved; save again once the cause is "
        + "removed."
    ).with(value: nil, underlying: error)
  }
}
