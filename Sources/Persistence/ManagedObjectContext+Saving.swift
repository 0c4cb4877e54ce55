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
  public final func save() throws {
    processPendingChanges()
    guard hasChanges else { return }
    try validate()
    try write()
  }

  /// Writes all changes without validating them. For a caller that has validated already.
  public final func saveWithoutValidation() throws {
    processPendingChanges()
    if hasChanges { try write() }
  }

  private func write() throws {
    try assignPermanentIDs(to: inserted)
    do {
      for store in persistentStoreCoordinator.persistentStores {
        let request = try saveRequest(for: store)
        if !request.isEmpty { try store.save(request) }
      }
    } catch {
      for object in inserted { object.objectID.successor = nil }
      throw error
    }
    didSave()
  }

  /// Gives new objects the identifiers they will have in the store, before the save that writes
  /// them.
  public final func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    let new = objects.filter { $0.objectID.isTemporaryID && $0.context === self }
    try assignPermanentIDs(to: new)
    for object in new { adoptPermanentID(object) }
  }

  /// Reserves keys family by family, in order of insertion.
  private func assignPermanentIDs(to objects: [ManagedObject]) throws {
    let new = objects.filter { $0.objectID.isTemporaryID && $0.objectID.successor == nil }
    if new.isEmpty { return }
    let store = try persistentStoreCoordinator.storeForNewObjects()
    var countByFamily: [Int: Int] = [:]
    for object in new { countByFamily[object.entity.rootEntity.storeIndex, default: 0] += 1 }
    var nextKey: [Int: Int64] = [:]
    for (family, count) in countByFamily {
      let root = persistentStoreCoordinator.managedObjectModel.entities[family]
      nextKey[family] = try store.reservePrimaryKeys(count, for: root)
    }
    for object in new {
      let family = object.entity.rootEntity.storeIndex
      guard let key = nextKey[family] else { continue }
      object.objectID.successor = ManagedObjectID(
        entity: object.entity, primaryKey: key, store: store)
      nextKey[family] = key + 1
    }
  }

  private func adoptPermanentID(_ object: ManagedObject) {
    guard let permanent = object.objectID.successor else { return }
    unregister(object.objectID)
    object.objectID = permanent
    register(object)
  }

  private func saveRequest(for store: PersistentStore) throws -> SaveRequest {
    let coordinator = persistentStoreCoordinator
    func belongs(_ object: ManagedObject) -> Bool {
      coordinator.store(of: object.objectID.current) === store
    }
    var request = SaveRequest()
    request.inserted = inserted.filter(belongs).map { $0.change() }
    request.updated = updated.filter { !$0.isDeleted && belongs($0) }.map { $0.change() }
    request.deleted = deleted.filter(belongs).map {
      SaveRequest.Deletion(objectID: $0.objectID, version: $0.version)
    }
    return request
  }

  private func didSave() {
    for object in inserted {
      adoptPermanentID(object)
      object.didSave(version: 1)
    }
    for object in updated where !object.isDeleted { object.didSave(version: object.version + 1) }
    for object in deleted {
      unregister(object.objectID)
      object.context = nil
    }
    clearChanges()
  }
}

extension SaveRequest {
  /// Whether there is nothing to write.
  public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension ManagedObject {
  /// What a store needs to know to write this object.
  func change() -> SaveRequest.ObjectChange {
    makeReferencesPermanent()
    return SaveRequest.ObjectChange(
      objectID: objectID.current, version: version, values: values, toMany: toManyChanges())
  }

  /// Exchanges temporary identifiers in to-one slots.
  private func makeReferencesPermanent() {
    for relationship in entity.relationships where !relationship.isToMany {
      guard case .object(let reference) = values[relationship.slot] else { continue }
      let id = unsafeDowncast(reference, to: ManagedObjectID.self)
      if let successor = id.successor { values[relationship.slot] = .object(successor) }
    }
  }

  private func toManyChanges() -> [SaveRequest.ToManyChange] {
    if toMany.isEmpty { return [] }
    return entity.relationships.compactMap { relationship in
      guard relationship.isToMany, !relationship.isTransient,
        let destinations = toMany[relationship.slot], destinations.hasChanges
      else { return nil }
      let order = relationship.isOrdered ? destinationIDs(of: relationship).map(\.current) : nil
      return SaveRequest.ToManyChange(
        relationship: relationship, added: destinations.additions.map(\.current),
        removed: destinations.removed.map(\.current), ordered: order)
    }
  }

  func didSave(version: Int64) {
    self.version = version
    snapshot = nil
    state = []
    if toMany.isEmpty { return }
    for slot in toMany.indices { toMany[slot] = toMany[slot]?.afterSave() }
  }
}
