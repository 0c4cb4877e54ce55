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
    try requireWritable()
    let store = try persistentStoreCoordinator.requireStore()
    try assignPermanentIDs(to: inserted)
    do {
      let request = try saveRequest()
      if !request.isEmpty { try store.save(request) }
    } catch {
      takeBackPermanentIDs()
      throw error
    }
    didSave()
  }

  /// After a refused save new objects go by their temporary identifiers again, also where others
  /// refer to them: the next attempt gives them new keys.
  private func takeBackPermanentIDs() {
    var temporary: [ObjectIdentifier: ManagedObjectID] = [:]
    for object in inserted {
      guard let permanent = object.objectID.successor else { continue }
      temporary[ObjectIdentifier(permanent)] = object.objectID
      object.objectID.successor = nil
    }
    if temporary.isEmpty { return }
    for object in inserted + updated { object.takeBackReferences(temporary) }
  }

  private func requireWritable() throws {
    guard isReadOnly else { return }
    throw CoreDataError(
      .persistentStoreSave, "The store is open for reading only",
      advice: "A migration never writes to its source; make changes in the destination context.")
  }

  /// Gives new objects the identifiers they will have in the store, before the save that writes
  /// them.
  /// - Complexity: O(*n*) in the number of unsaved changes, so ask for many objects at once.
  public final func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    try requireWritable()
    let new = objects.filter { $0.objectID.isTemporaryID && $0.context === self }
    try assignPermanentIDs(to: new)
    for object in new { adoptPermanentID(object) }
    if new.isEmpty { return }
    for object in inserted + updated { object.makeMembersPermanent() }
  }

  /// Reserves keys family by family, in order of insertion.
  private func assignPermanentIDs(to objects: [ManagedObject]) throws {
    let new = objects.filter { $0.objectID.isTemporaryID && $0.objectID.successor == nil }
    if new.isEmpty { return }
    let store = try persistentStoreCoordinator.requireStore()
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

  private func saveRequest() throws -> SaveRequest {
    var request = SaveRequest()
    request.inserted = try inserted.map { try $0.change() }
    request.updated = try updated.filter { !$0.isDeleted }.map { try $0.change() }
    request.deleted = deleted.map {
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
  /// - Throws: `.managedObjectValidation` when it refers to an object that will not be saved.
  func change() throws -> SaveRequest.ObjectChange {
    try makeReferencesPermanent()
    return SaveRequest.ObjectChange(
      objectID: objectID.current, version: version, values: values, toMany: try toManyChanges())
  }

  /// Exchanges temporary identifiers in to-one slots.
  private func makeReferencesPermanent() throws {
    for relationship in entity.relationships where !relationship.isToMany {
      guard case .object(let reference) = values[relationship.slot] else { continue }
      let id = unsafeDowncast(reference, to: ManagedObjectID.self)
      if let successor = id.successor {
        values[relationship.slot] = .object(successor)
      } else if id.isTemporaryID && !relationship.isTransient {
        throw dangling(relationship)
      }
    }
  }

  /// Undoes ``makeReferencesPermanent()``.
  func takeBackReferences(_ temporary: [ObjectIdentifier: ManagedObjectID]) {
    if isFault { return }
    for relationship in entity.relationships where !relationship.isToMany {
      guard case .object(let reference) = values[relationship.slot],
        let id = temporary[ObjectIdentifier(reference)]
      else { continue }
      values[relationship.slot] = .object(id)
    }
  }

  /// Exchanges temporary identifiers among the members of to-many relationships.
  func makeMembersPermanent() {
    for destinations in toMany { destinations?.makePermanent() }
  }

  /// Without an inverse nobody takes the reference to a deleted object away.
  private func dangling(_ relationship: RelationshipDescription) -> CoreDataError {
    CoreDataError(
      .managedObjectValidation, "Dangling reference to an invalid object.",
      advice: "'\(relationship.name)' leads to a new object that was deleted before it was saved; "
        + "set another, or give the relationship an inverse."
    ).at(entity: entity.name, property: relationship.name, object: "\(objectID)")
  }

  private func toManyChanges() throws -> [SaveRequest.ToManyChange] {
    if toMany.isEmpty { return [] }
    return try entity.relationships.compactMap { relationship in
      guard relationship.isToMany, !relationship.isTransient,
        let destinations = toMany[relationship.slot], destinations.hasChanges
      else { return nil }
      let additions = destinations.additions.map(\.current)
      if additions.contains(where: \.isTemporaryID) { throw dangling(relationship) }
      let order = relationship.isOrdered ? destinationIDs(of: relationship).map(\.current) : nil
      return SaveRequest.ToManyChange(
        relationship: relationship, added: additions,
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
