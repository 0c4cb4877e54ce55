// Making objects and finding them.

extension ManagedObjectContext {
  /// Makes a new object, with the model's default values. An abstract entity raises.
  public final func insertNewObject(for entity: EntityDescription) -> ManagedObject {
    let object = makeObject(inserting: entity)
    adopt(object)
    if hasAppObjects { object.awakeFromInsert() }
    return object
  }

  /// The entity of a name in the context's own model.
  final func ownEntity(like entity: EntityDescription) -> EntityDescription? {
    withModel { entity.managedObjectModel === $0 ? entity : $0.entity(named: entity.name) } ?? nil
  }

  /// A temporary identifier for a new object.
  final func newIdentifier(of entity: EntityDescription) -> ManagedObjectID {
    newObjects.newIdentifier(of: entity)
  }

  /// Takes an object in that was made without context.
  public final func insert(_ object: ManagedObject) {
    guard object.context == nil, object.objectID.isTemporaryID else { return }
    object.context = self
    object.state = [.inserted, .tracked]
    adopt(object)
  }

  /// Takes a new object in, to be stored at the next save.
  final func adopt(_ object: ManagedObject) {
    if object.entity.isAbstract { ExceptionTrap.raise(CoreDataError.abstractEntity(object.entity)) }
    newObjects.register(object, in: self)
    inserted.append(object)
    work.inserts += 1
    if hasPendingIndexes { index(object) }
    if announces { noteInsertion(of: object) }
  }

  /// The object with an identifier: the registered one, else a fault. Whether the store has the
  /// row shows when the fault fires.
  public final func object(with id: ManagedObjectID) -> ManagedObject {
    let id = id.current
    if let known = registeredObject(for: id) { return known }
    let fault = makeObject(id, row: nil)
    register(fault)
    if parentRows != nil { awaitIdentifiers(of: [fault]) }
    return fault
  }

  /// The object with an identifier, if this context has it already.
  public final func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    if !awaitingIdentifiers.isEmpty { adoptSuccessors() }
    return registry.object(id.successor == nil ? id : id.current)
  }

  /// The object with an identifier.
  /// - Throws: `.managedObjectReferentialIntegrity` when the store doesn't have it.
  public final func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    let known = registeredObject(for: id)
    if let known, !known.awaitsRow, !known.isGoneBeforeItWasSaved { return known }
    guard known?.isGoneBeforeItWasSaved != true, let row = try storedRow(for: id.current) else {
      throw CoreDataError.notFound(id)
    }
    return object(for: row)
  }

  /// The object of a row: the registered one, filled if it was a fault, else a new one.
  final func object(for row: StoreRow) -> ManagedObject {
    if !awaitingIdentifiers.isEmpty { adoptSuccessors() }
    if let known = registry.object(row.objectID) {
      if known.isFault { known.fulfill(with: row) } else if hasAppObjects { keepRow(row) }
      return known
    }
    let object = makeObject(row.objectID, row: row)
    register(object)
    if hasAppObjects { keepRow(row) }
    if parentRows != nil { awaitIdentifiers(of: [object]) }
    object.awakeAfterFetch()
    return object
  }

  final func register(_ object: ManagedObject) {
    registry.insert(object)
    if retainsRegisteredObjects { retained.append(object) }
  }

  final func unregister(_ id: ManagedObjectID) { registry.remove(id) }

  public final var registeredObjects: Set<ManagedObject> {
    keepNewObjectsOrRaise()
    return Set(registry.all)
  }
}

extension ManagedObject {
  /// Whether the object was inserted and deleted since the last save, so that no store has ever had it.
  fileprivate var isGoneBeforeItWasSaved: Bool { state.isSuperset(of: [.inserted, .deleted]) }
}

// MARK: - By the entity's name

extension EntityDescription {
  /// Makes a new object of the entity with a name, in a context.
  ///
  /// An unknown name raises, as on a device; the object then given belongs to no store.
  public static func insertNewObject(
    forEntityName name: String, into context: ManagedObjectContext
  ) -> ManagedObject {
    do {
      return context.insertNewObject(for: try context.requireEntity(named: name))
    } catch {
      ExceptionTrap.raise(error)
      return ManagedObject(entity: EntityDescription.detached(named: name), insertInto: nil)
    }
  }

  /// The entity with a name in the model of a context.
  public static func entity(
    forEntityName name: String, in context: ManagedObjectContext
  ) -> EntityDescription? {
    context.persistentStoreCoordinator?.managedObjectModel.entity(named: name)
  }

  /// An entity of no properties, for an object that an exception leaves behind.
  private static func detached(named name: String) -> EntityDescription {
    let entity = EntityDescription(name: name)
    // Of one entity without properties nothing can be wrong.
    _ = try? ManagedObjectModel(entities: [entity])
    return entity
  }
}

extension ManagedObjectContext {
  /// The entity with a name in the model of this context's stores.
  /// - Throws: What Core Data raises when there is none, or no model.
  final func requireEntity(named name: String) throws -> EntityDescription {
    let entity = try withModel { model in
      guard let entity = model.entity(named: name) else {
        throw CoreDataError.unknownEntity(name, in: model)
      }
      return entity
    }
    guard let entity else { throw CoreDataError.noCoordinator }
    return entity
  }
}
