extension BatchDeleteRequest: BatchRequest {
  /// - Throws: `CoreDataError`: `.persistentStoreSave` (134030) when a delete rule forbids it; what
  ///   the fetch throws. Nothing is deleted then.
  func change(storesOf context: ManagedObjectContext) throws -> PersistentStoreResult {
    _ = try context.store(ofBatch: self)
    // Delete rules don't reach over several stores by SQL alone.
    if let store = context.stores(for: self).first, context.stores(for: self).count == 1,
      let rows = try selection(in: context),
      let outcome = try store.delete(rows, listsIDs: resultType == .objectIDs)
    {
      return BatchDeleteResult(outcome, as: resultType)
    }
    return BatchDeleteResult(try deleteObjects(context), as: resultType)
  }

  /// What is to be deleted, as a store takes it; nil where a store isn't asked.
  private func selection(in context: ManagedObjectContext) throws -> BatchSelection? {
    if let objectIDs { return .ids(objectIDs.filter { !$0.isTemporaryID }) }
    guard let fetchRequest else { return nil }
    let query = try context.query(for: fetchRequest)
    return fetchRequest.affectedStores == nil ? .query(query) : nil
  }

  private func deleteObjects(_ context: ManagedObjectContext) throws -> BatchOutcome {
    // A context of its own, so that unsaved changes of the caller play no part.
    let own = ManagedObjectContext(
      coordinator: context.persistentStoreCoordinator, announces: false)
    own.unsupportedFetches = context.unsupportedFetches
    // References that lead nowhere stand in no statement's way, and so not here either.
    own.shouldDeleteInaccessibleFaults = true
    let objects = try wanted(in: own)
    let ids = objects.map(\.objectID)
    for object in objects { own.delete(object) }
    own.processPendingChanges()
    // A cascade may have reached what is gone already.
    own.deleted.removeAll { $0.version == 0 }
    try checkRules(in: own)
    leaveOutOwners(in: own)
    try own.saveWithoutValidation()
    return BatchOutcome(ids)
  }

  /// Whoever only loses members isn't saved, as by statements: its row stays as it is, and so does its
  /// version. Who has derived values is.
  private func leaveOutOwners(in context: ManagedObjectContext) {
    let stores = context.persistentStoreCoordinator.persistentStores
    guard stores.allSatisfy({ $0.derivations.related.isEmpty }) else { return }
    context.updated.removeAll { object in
      !object.isMarkedDeleted && object.snapshot?.elementsEqual(object.values) == true
    }
    // So the stores know that not both sides of a link are reported.
    context.mergedChangesOfOthers = true
  }

  private func wanted(in context: ManagedObjectContext) throws -> [ManagedObject] {
    if let objectIDs {
      return try objectIDs.compactMap { id in
        if id.isTemporaryID { return nil }
        return try context.storedRow(for: id).map { context.object(for: $0) }
      }
    }
    guard let fetchRequest else { return [] }
    let request = FetchRequest<ManagedObject>(entityName: fetchRequest.entityName ?? "")
    request.predicate = fetchRequest.predicate
    request.sortDescriptors = fetchRequest.sortDescriptors
    request.fetchLimit = fetchRequest.fetchLimit
    request.fetchOffset = fetchRequest.fetchOffset
    request.includesSubentities = fetchRequest.includesSubentities
    request.affectedStores = affectedStores ?? fetchRequest.affectedStores
    return try context.fetch(request)
  }

  private func checkRules(in context: ManagedObjectContext) throws {
    for object in context.deleted {
      if let denial = object.deniedDeletion().first {
        throw CoreDataError.deletionRefused(denial.reason, object)
      }
    }
    for object in context.updated where !object.isMarkedDeleted {
      for relationship in object.entity.relationships
      where !relationship.isOptional && !relationship.isToMany && !relationship.isTransient {
        let wasThere = object.snapshot.map { !$0[relationship.slot].isNull } ?? false
        if !wasThere || object.destinationID(of: relationship) != nil { continue }
        let inverse = relationship.inverseRelationship
        let kind = inverse?.isToMany == true ? "MTO" : "OTO"
        throw CoreDataError.deletionRefused(
          "Constraint trigger violation: Batch delete failed due to mandatory \(kind) nullify "
            + "inverse on \(object.entity.name)/\(relationship.name)", object)
      }
    }
  }
}
