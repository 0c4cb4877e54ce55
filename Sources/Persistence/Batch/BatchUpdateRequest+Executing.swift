extension BatchUpdateRequest: BatchRequest {
  /// - Throws: `CoreDataError` for an unknown entity or property, a value of another type, and what
  ///   the store refuses; nothing is changed then.
  func change(storesOf context: ManagedObjectContext) throws -> PersistentStoreResult {
    let entity = try context.requireEntity(named: entityName)
    _ = try context.store(ofBatch: self)
    let assignments = try (propertiesToUpdate ?? [:]).map {
      try BatchAssignment(key: $0.key.base, value: $0.value, of: entity)
    }.sorted(by: BatchAssignment.precedes)
    var query = StoreQuery(entity: entity)
    query.predicate = predicate
    query.includesSubentities = includesSubentities
    try context.checkSupport(of: query)
    var outcome = BatchOutcome()
    for store in context.stores(for: self) {
      let listsIDs = resultType == .objectIDs
      outcome.add(
        try store.update(query, setting: assignments, listsIDs: listsIDs)
          ?? updateRows(query, in: store, context: context, assignments: assignments))
    }
    return BatchUpdateResult(outcome, as: resultType)
  }

  private func updateRows(
    _ query: StoreQuery, in store: PersistentStore, context: ManagedObjectContext,
    assignments: [BatchAssignment]
  ) throws -> BatchOutcome {
    var save = SaveRequest()
    // Nobody reports the other side of a to-one relationship.
    save.linksMayBeOneSided = true
    try StoredRows(query, in: store, context: context).forEachRow { row in
      var values = row.values
      // All expressions see the object as it was.
      let object = StoredObject(row, in: store)
      for assignment in assignments { try assignment.assign(in: &values, for: object) }
      save.updated.append(
        SaveRequest.ObjectChange(
          objectID: row.objectID, version: row.version, values: values, toMany: []))
    }
    if !save.isEmpty { try store.save(save) }
    return BatchOutcome(save.updated.map(\.objectID))
  }
}
