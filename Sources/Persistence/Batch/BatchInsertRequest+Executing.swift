extension BatchInsertRequest: ExecutableRequest {
  /// - Throws: `CoreDataError` for an unknown or abstract entity or property, a value of another
  ///   type, and what the store refuses; nothing is stored then.
  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult {
    let entity = try context.entity(ofBatch: entityName)
    if entity.isAbstract { throw CoreDataError.abstractInBatch(entity) }
    let store = try context.store(ofBatch: self)
    let rows = try rows(of: entity, context)
    if rows.isEmpty { return BatchInsertResult([], as: resultType) }
    let first = try store.reservePrimaryKeys(rows.count, for: entity)
    var save = SaveRequest()
    // Nobody reports the other side of a to-one relationship.
    save.linksMayBeOneSided = true
    for (index, values) in rows.enumerated() {
      let id = ManagedObjectID(
        entity: entity, primaryKey: first + Int64(index), store: store)
      save.inserted.append(
        SaveRequest.ObjectChange(objectID: id, version: 0, values: values, toMany: []))
    }
    try store.save(save)
    return BatchInsertResult(save.inserted.map(\.objectID), as: resultType)
  }

  private func rows(
    of entity: EntityDescription, _ context: ManagedObjectContext
  ) throws -> [ContiguousArray<Value>] {
    switch source {
    case .dictionaries(let dictionaries):
      return try dictionaries.map { try Self.row($0, of: entity) }
    case .dictionaryHandler(let fill):
      var rows: [ContiguousArray<Value>] = []
      while true {
        let dictionary = NSMutableDictionary()
        if fill(dictionary) { return rows }
        rows.append(try Self.row(dictionary.stringKeyed, of: entity))
      }
    case .objectHandler(let fill):
      var rows: [ContiguousArray<Value>] = []
      while true {
        let object = ManagedObject(entity: entity, insertInto: nil)
        if fill(object) { return rows }
        rows.append(object.values)
      }
    }
  }

  /// What isn't given has the model's default value.
  private static func row(
    _ dictionary: [String: Any], of entity: EntityDescription
  ) throws -> ContiguousArray<Value> {
    var values = ManagedObjectContext.defaultValues(of: entity)
    for (name, any) in dictionary {
      guard let property = entity.property(named: name) else {
        throw CoreDataError.unknownKeyPath(name, of: entity)
      }
      values[property.slot] = try BatchValue.stored(any, for: property)
    }
    return values
  }
}

/// A value as batches give it to stores.
enum BatchValue {
  /// - Throws: `CoreDataError` for a value of another type and for a to-many relationship.
  static func stored(_ any: Any, for property: PropertyDescription) throws -> Value {
    switch property {
    case let attribute as AttributeDescription: return try Value(any, for: attribute)
    case let relationship as RelationshipDescription where !relationship.isToMany:
      if any is NSNull { return .null }
      let id = (any as? ManagedObject)?.objectID ?? any as? ManagedObjectID
      if let id = id?.current, !id.isTemporaryID { return .object(id) }
      throw unsettable(property, "give a saved object or its identifier")
    default: throw unsettable(property, "set attributes and to-one relationships only")
    }
  }

  private static func unsettable(_ property: PropertyDescription, _ advice: String) -> CoreDataError
  {
    CoreDataError(
      .coreData, "Invalid property '\(property.name)' in a batch request", advice: advice
    ).at(entity: property.entity?.name, property: property.name)
  }
}

extension NSDictionary {
  fileprivate var stringKeyed: [String: Any] {
    var values: [String: Any] = [:]
    for (key, value) in self { values["\(key)"] = value }
    return values
  }
}

extension ManagedObjectContext {
  final func entity(ofBatch name: String) throws -> EntityDescription {
    let model = persistentStoreCoordinator.managedObjectModel
    guard let entity = model.entity(named: name) else {
      throw CoreDataError.unknownEntity(name, in: model)
    }
    return entity
  }

  /// The store that a batch writes to.
  final func store(ofBatch request: PersistentStoreRequest) throws -> PersistentStore {
    if isReadOnly {
      throw CoreDataError(
        .persistentStoreSave, "The store is open for reading only",
        advice: "A migration never writes to its source.")
    }
    if let store = stores(for: request).first { return store }
    throw CoreDataError(
      .persistentStoreSave, "This NSPersistentStoreCoordinator has no persistent stores.",
      advice: "Add a store before executing a batch.")
  }
}

extension CoreDataError {
  fileprivate static func abstractInBatch(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Cannot insert an instance of the abstract entity '\(entity.name)'",
      advice: "Insert objects of one of its subentities."
    ).at(entity: entity.name)
  }
}
