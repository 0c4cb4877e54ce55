/// A scratch pad of managed objects: fetched from stores, changed, and saved together.
///
/// Holds changed objects strongly and all others weakly, so that streaming over a large store
/// keeps memory bounded. Used by one thread at a time.
open class ManagedObjectContext: NSObject {
  public final let persistentStoreCoordinator: PersistentStoreCoordinator
  public var name: String?
  public var userInfo: [String: Any] = [:]
  /// Whether fetches that Core Data's SQLite store refuses are refused. They are, unless set.
  public final var unsupportedFetches = UnsupportedFetches.refused
  /// Whether saving is refused: the source of a migration is never written to.
  package final var isReadOnly = false

  /// Every living object of this context, by identifier. Objects take themselves out.
  private var registry: [ManagedObjectID.Key: Unmanaged<ManagedObject>] = [:]
  /// Changed objects in the order of their change; entries may have been deleted since.
  final var inserted: [ManagedObject] = []
  final var updated: [ManagedObject] = []
  final var deleted: [ManagedObject] = []
  /// Whether deletions wait for their delete rules.
  final var hasUnpropagatedDeletions = false
  final var pendingIndexes = PendingIndexes()
  final var hasPendingIndexes = false
  final var readAhead = ReadAhead()
  private var initialValueCache: [ObjectIdentifier: ContiguousArray<Value>] = [:]

  public init(coordinator: PersistentStoreCoordinator) {
    persistentStoreCoordinator = coordinator
  }

  deinit { forgetObjects() }

  private func forgetObjects() {
    for object in registry.values { object.takeUnretainedValue().context = nil }
    registry = [:]
  }
}

// MARK: - Objects

extension ManagedObjectContext {
  /// Makes a new object, with the model's default values. An abstract entity raises.
  public final func insertNewObject(for entity: EntityDescription) -> ManagedObject {
    let object = ManagedObject(inserting: entity, into: self)
    adopt(object)
    return object
  }

  /// Takes a new object in, to be stored at the next save.
  final func adopt(_ object: ManagedObject) {
    if object.entity.isAbstract { ExceptionTrap.raise(CoreDataError.abstractEntity(object.entity)) }
    register(object)
    inserted.append(object)
    if hasPendingIndexes { pendingIndexes.didInsert(object) }
  }

  /// The default values of an entity's attributes, by slot.
  final func initialValues(of entity: EntityDescription) -> ContiguousArray<Value> {
    if let known = initialValueCache[ObjectIdentifier(entity)] { return known }
    let values = Self.defaultValues(of: entity)
    initialValueCache[ObjectIdentifier(entity)] = values
    return values
  }

  static func defaultValues(of entity: EntityDescription) -> ContiguousArray<Value> {
    var values = ContiguousArray<Value>(repeating: .null, count: entity.slotCount)
    for attribute in entity.attributes { values[attribute.slot] = attribute.typedDefaultValue }
    return values
  }

  /// The object with an identifier: the registered one, else a fault. Whether the store has the
  /// row shows when the fault fires.
  public final func object(with id: ManagedObjectID) -> ManagedObject {
    let id = id.current
    if let known = registeredObject(for: id) { return known }
    let fault = ManagedObject(id, row: nil, context: self)
    register(fault)
    return fault
  }

  /// The object with an identifier, if this context has it already.
  public final func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    registry[id.current.key]?.takeUnretainedValue()
  }

  /// The object with an identifier.
  /// - Throws: `.managedObjectReferentialIntegrity` when the store doesn't have it.
  public final func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    if let known = registeredObject(for: id), !known.isFault { return known }
    guard let row = try storedRow(for: id.current) else {
      throw CoreDataError(
        .managedObjectReferentialIntegrity,
        "Attempt to access an object not found in store."
      ).at(entity: id.entity.name, object: "\(id)")
    }
    return object(for: row)
  }

  /// The object of a row: the registered one, filled if it was a fault, else a new one.
  final func object(for row: StoreRow) -> ManagedObject {
    if let known = registry[row.objectID.key]?.takeUnretainedValue() {
      if known.isFault { known.fulfill(with: row) }
      return known
    }
    let object = ManagedObject(row.objectID, row: row, context: self)
    register(object)
    return object
  }

  final func register(_ object: ManagedObject) {
    registry[object.objectID.key] = .passUnretained(object)
  }

  final func unregister(_ id: ManagedObjectID) { registry[id.key] = nil }

  public final var registeredObjects: Set<ManagedObject> {
    Set(registry.values.map { $0.takeUnretainedValue() })
  }

  /// Forgets an object's values and unsaved changes, or reads them anew under its changes.
  public final func refresh(_ object: ManagedObject, mergeChanges: Bool) {
    if object.state.contains(.inserted) { return }
    guard mergeChanges, object.hasChanges else {
      updated.removeAll { $0 === object }
      deleted.removeAll { $0 === object }
      object.turnIntoFault()
      return
    }
    object.rebase(on: try? storedRow(for: object.objectID))
  }
}

extension ManagedObject {
  /// Keeps what was changed here and takes the rest from a row.
  func rebase(on row: StoreRow?) {
    guard let row, let old = snapshot else { return }
    for property in entity.properties where values[property.slot] == old[property.slot] {
      values[property.slot] = row.values[property.slot]
    }
    snapshot = row.values
    version = row.version
  }
}

// MARK: - Changes

extension ManagedObjectContext {
  public final var insertedObjects: Set<ManagedObject> { Set(inserted.filter(\.isInserted)) }
  public final var updatedObjects: Set<ManagedObject> { Set(updated.filter(\.isUpdated)) }
  public final var deletedObjects: Set<ManagedObject> { Set(deleted) }

  /// How many new objects wait to be saved.
  public final var insertedObjectCount: Int {
    inserted.reduce(0) { count, object in count + (object.isInserted ? 1 : 0) }
  }

  public final var hasChanges: Bool {
    !updated.isEmpty || !deleted.isEmpty || inserted.contains { $0.isInserted }
  }

  final func didBecomeUpdated(_ object: ManagedObject) { updated.append(object) }

  /// Discards all unsaved changes: inserted objects go, changed and deleted ones are as stored.
  public final func rollback() {
    let changed = updated + deleted
    let new = inserted
    clearChanges()
    for object in new {
      unregister(object.objectID)
      object.context = nil
      object.state = []
    }
    for object in changed where object.context != nil && !object.state.contains(.inserted) {
      object.turnIntoFault()
    }
  }

  /// Forgets every object and every unsaved change.
  public final func reset() {
    clearChanges()
    forgetObjects()
    readAhead = ReadAhead()
  }

  final func clearChanges() {
    inserted = []
    updated = []
    deleted = []
    hasUnpropagatedDeletions = false
    forgetPendingIndexes()
  }

  final func forgetPendingIndexes() {
    pendingIndexes = PendingIndexes()
    hasPendingIndexes = false
  }

  /// Runs `block`; contexts are confined to one thread here, so at once.
  public final func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try block() }

  /// Runs `block` at once; contexts are confined to one thread here.
  public final func perform(_ block: () -> Void) { block() }
}

// MARK: - Asking the store

extension ManagedObjectContext {
  final func storedRow(for id: ManagedObjectID) throws -> StoreRow? {
    if id.isTemporaryID { return nil }
    if !readAhead.isEmpty, let row = try rowReadAhead(for: id) { return row }
    return try persistentStoreCoordinator.store?.row(for: id)
  }

  final func storedDestinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) throws -> [ManagedObjectID] {
    if id.isTemporaryID || relationship.isTransient { return [] }
    return try persistentStoreCoordinator.store?.destinations(of: relationship, from: id)
      ?? []
  }
}

extension EntityDescription {
  /// Makes a new object of the entity with a name, in a context.
  ///
  /// An unknown name raises, as on a device; the object then given belongs to no store.
  public static func insertNewObject(
    forEntityName name: String, into context: ManagedObjectContext
  ) -> ManagedObject {
    let model = context.persistentStoreCoordinator.managedObjectModel
    if let entity = model.entity(named: name) { return context.insertNewObject(for: entity) }
    ExceptionTrap.raise(CoreDataError.unknownEntity(name, in: model))
    return ManagedObject(entity: EntityDescription.detached(named: name), insertInto: nil)
  }

  /// The entity with a name in the model of a context.
  public static func entity(
    forEntityName name: String, in context: ManagedObjectContext
  ) -> EntityDescription? {
    context.persistentStoreCoordinator.managedObjectModel.entity(named: name)
  }

  /// An entity of no properties, for an object that an exception leaves behind.
  private static func detached(named name: String) -> EntityDescription {
    let entity = EntityDescription(name: name)
    _ = try? ManagedObjectModel(entities: [entity])
    return entity
  }
}

extension CoreDataError {
  fileprivate static func abstractEntity(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Cannot insert an instance of the abstract entity '\(entity.name)'",
      advice: "Insert an object of one of its subentities, or make the entity concrete."
    ).at(entity: entity.name)
  }

  static func unknownEntity(_ name: String, in model: ManagedObjectModel) -> CoreDataError {
    CoreDataError(
      .coreData, "could not locate an entity named '\(name)' in this model.",
      advice: "Entities of the model: \(model.entitiesByName.keys.sorted().joined(separator: ", "))"
    ).at(entity: name)
  }
}
