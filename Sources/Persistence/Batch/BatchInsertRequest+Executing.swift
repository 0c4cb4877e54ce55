extension BatchInsertRequest: BatchRequest {
  /// - Throws: `CoreDataError` for an unknown or abstract entity or property, a value of another
  ///   type, and what the store refuses; nothing is stored then.
  func change(storesOf context: ManagedObjectContext) throws -> PersistentStoreResult {
    let entity = try context.requireEntity(named: entityName)
    if entity.isAbstract { throw CoreDataError.abstractInBatch(entity) }
    let store = try context.store(ofBatch: self)
    var rows = BatchRows(entity: entity, store: store, policy: context.mergePolicy.mergeType)
    let type = context.hasAppObjects ? ObjectClasses.type(for: entity) : nil
    try enumerateRows(of: entity, type: type, defaults: context.initialValues(of: entity)) {
      try rows.add($0)
    }
    return BatchInsertResult(try rows.save(), as: resultType)
  }

  private func enumerateRows(
    of entity: EntityDescription, type: ManagedObject.Type?,
    defaults: ContiguousArray<Value>,
    body: (BatchRow) throws -> Void
  ) throws {
    switch source {
    case .dictionaries(let dictionaries):
      for dictionary in dictionaries {
        try body(BatchRow(dictionary, of: entity, defaults: defaults))
      }
    case .dictionaryHandler(let fill):
      while true {
        let dictionary = NSMutableDictionary()
        if fill(dictionary) { return }
        try body(BatchRow(dictionary.stringKeyed, of: entity, defaults: defaults))
      }
    case .objectHandler(let fill):
      while true {
        let object = (type ?? ManagedObject.self).init(entity: entity, insertInto: nil)
        if fill(object) { return }
        try body(BatchRow(object, defaults: defaults))
      }
    }
  }
}

/// The values of one object to be inserted.
struct BatchRow {
  /// What isn't given has the model's default value.
  var values: ContiguousArray<Value>
  /// The slots that were given.
  let given: Set<Int>

  init(
    _ dictionary: [String: Any], of entity: EntityDescription, defaults: ContiguousArray<Value>
  ) throws {
    values = defaults
    var given: Set<Int> = []
    for (name, any) in dictionary {
      guard let property = entity.property(named: name) else {
        throw CoreDataError.unknownKeyPath(name, of: entity)
      }
      values[property.slot] = try BatchValue.stored(any, for: property)
      given.insert(property.slot)
    }
    self.given = given
  }

  /// An object that a handler filled: what it left at its default isn't given.
  init(_ object: ManagedObject, defaults: ContiguousArray<Value>) throws {
    let filled = object.values
    values = filled
    given = Set(filled.indices.filter { filled[$0] != defaults[$0] })
    for relationship in object.entity.relationships where !relationship.isToMany {
      guard case .object(let reference) = values[relationship.slot] else { continue }
      values[relationship.slot] = try BatchValue.stored(reference, for: relationship)
    }
  }
}

/// A value as batches give it to stores.
enum BatchValue {
  /// - Throws: `CoreDataError` for a value of another type and for a to-many relationship.
  static func stored(_ any: Any, for property: PropertyDescription) throws -> Value {
    switch property {
    case let attribute as AttributeDescription: return try attribute.fitting(any)
    case let relationship as RelationshipDescription where !relationship.isToMany:
      if any is NSNull { return .null }
      let id = (any as? ManagedObject)?.objectID ?? any as? ManagedObjectID
      if let id = id?.current, !id.isTemporaryID { return .object(id) }
      throw CoreDataError.unsettableInBatch(property, "give a saved object or its identifier")
    default:
      throw CoreDataError.unsettableInBatch(
        property, "set attributes and to-one relationships only")
    }
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
  /// The store that a batch writes to.
  final func store(ofBatch request: PersistentStoreRequest) throws -> PersistentStore {
    try requireWritable()
    if let store = stores(for: request).first { return store }
    throw CoreDataError.noStores
  }
}
