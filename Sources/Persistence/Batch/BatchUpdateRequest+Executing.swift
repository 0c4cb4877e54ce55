extension BatchUpdateRequest: ExecutableRequest {
  /// - Throws: `CoreDataError` for an unknown entity or property, a value of another type, and what
  ///   the store refuses; nothing is changed then.
  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult {
    let entity = try context.entity(ofBatch: entityName)
    _ = try context.store(ofBatch: self)
    let assignments = try (propertiesToUpdate ?? [:]).map {
      try Assignment(key: $0.key.base, value: $0.value, of: entity)
    }
    var query = StoreQuery(entity: entity)
    query.predicate = predicate
    query.includesSubentities = includesSubentities
    try context.checkSupport(of: query)
    var ids: [ManagedObjectID] = []
    for store in context.stores(for: self) {
      ids += try update(query, in: store, context, assignments)
    }
    return BatchUpdateResult(ids, as: resultType)
  }

  private func update(
    _ query: StoreQuery, in store: PersistentStore, _ context: ManagedObjectContext,
    _ assignments: [Assignment]
  ) throws -> [ManagedObjectID] {
    var save = SaveRequest()
    save.linksMayBeOneSided = true
    try StoredRows(query, in: store, context: context).enumerate { row in
      var values = row.values
      // All expressions see the object as it was.
      let object = StoredObject(row, in: store)
      for assignment in assignments {
        values[assignment.property.slot] = try assignment.value(for: object)
      }
      save.updated.append(
        SaveRequest.ObjectChange(
          objectID: row.objectID, version: row.version, values: values, toMany: []))
      return true
    }
    if !save.isEmpty { try store.save(save) }
    return save.updated.map(\.objectID)
  }
}

/// One property that a batch update sets.
private struct Assignment {
  let property: PropertyDescription
  private let expression: Expression

  init(key: Any, value: Any, of entity: EntityDescription) throws {
    let name = (key as? PropertyDescription)?.name ?? key as? String ?? "\(key)"
    guard let property = entity.property(named: name) else {
      throw CoreDataError.unknownKeyPath(name, of: entity)
    }
    self.property = property
    if let expression = value as? Expression {
      try expression.forEachKeyPath { try KeyPathCheck(entity: entity).check($0) }
      self.expression = expression
    } else {
      expression = .constant(try BatchValue.stored(value, for: property))
    }
  }

  func value(for object: StoredObject) throws -> Value {
    let value = try expression.value(for: .object(object), variables: [:])
    switch (property, value) {
    case (let attribute as AttributeDescription, _): return try Value(value, for: attribute)
    case (_, .object(let reference as any IdentifiedObject)): return .object(reference.identity)
    default: return value
    }
  }
}
