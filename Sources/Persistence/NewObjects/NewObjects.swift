/// How a context keeps its new objects until the save: all in memory, as here, or most of them in rows
/// (``SpilledNewObjects``). The one place where that matters.
///
/// The context only ever asks its ``ManagedObjectContext/newObjects``. New objects without a row are in the
/// context's list of insertions in both cases.
class NewObjects {
  // MARK: Making

  /// An identifier for one more object.
  func newIdentifier(of entity: EntityDescription) -> ManagedObjectID {
    ManagedObjectID(temporaryFor: entity)
  }

  /// Has an object found by its identifier from now on.
  func register(_ object: ManagedObject, in context: any NewObjectsContext) {
    context.registry.insert(object)
  }

  /// What an object that is made of a row is, beside what its row says.
  var stateOfRows: ManagedObject.State { [] }

  // MARK: Finding

  /// Whether new objects can be found again by their keys, so that they needn't be kept in memory.
  var areFoundByKey: Bool { false }

  /// The identifier of a new object by its key, and its entity's store index.
  func identifier(
    ofEntityAt index: Int, key: Int64, in context: any NewObjectsContext
  ) -> ManagedObjectID? {
    guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.store else {
      return nil
    }
    return ManagedObjectID(
      entity: coordinator.managedObjectModel.entities[index], primaryKey: key, store: store)
  }

  /// How many there are.
  func count(in context: any NewObjectsContext) -> Int {
    context.inserted.reduce(0) { count, object in count + (object.isInserted ? 1 : 0) }
  }

  /// Whether there are any.
  func exist(in context: any NewObjectsContext) -> Bool {
    context.inserted.contains { $0.isInserted }
  }

  /// Those of a hierarchy that are in memory, in the order of their insertion: all where it is kept, else those
  /// whose rows aren't as they are.
  func objects(
    ofHierarchy hierarchy: Int, in context: any NewObjectsContext
  ) -> [ManagedObject] { context.inserted.filter { $0.hierarchyIndex == hierarchy } }

  /// Below this many objects a fetch looks at each, and makes no index.
  var leastIndexed: Int { PendingIndexes.smallestUsefulCount }

  /// The objects that answer a plain request, if they are known without building a query; otherwise nil.
  func objects(
    answering request: UntypedFetchRequest, in context: ManagedObjectContext
  ) throws -> [ManagedObject]? { nil }

  /// What a fetch finds, stored objects and new ones.
  func objects(
    of fetch: ObjectFetch, _ object: (StoreRow) throws -> ManagedObject
  ) throws -> [ManagedObject] { try fetch.joinedObjects(object) }

  func identifiers(of fetch: ObjectFetch) throws -> [ManagedObjectID] {
    try fetch.joinedIdentifiers()
  }

  func count(of fetch: ObjectFetch) throws -> Int { try fetch.joinedCount() }

  /// Whether a fetch may find new objects.
  func mayAnswer(_ fetch: ObjectFetch) throws -> Bool { try fetch.pendingMatches().isRelevant }

  // MARK: Changing

  /// A new object whose row is written is about to change.
  func willRewrite(_ object: ManagedObject, in context: any NewObjectsContext) {}

  /// Records a link with a spilled object in the new object only.
  /// - Returns: Whether it was recorded; if not, the caller updates both ends.
  func leavesLink(
    from owner: ManagedObject, to object: ManagedObject, by relationship: RelationshipDescription
  ) -> Bool { false }

  /// Brings the members of all objects up to date.
  func settleLinks() {}

  /// Updates indexes that the strategy has in addition to the context's.
  func index(_ object: ManagedObject) {}
  func valueWillChange(of object: ManagedObject, slot: Int, to value: Value) {}

  /// The slots of attributes of which ``valueWillChange(of:slot:to:)`` has to know.
  var indexedSlots: UInt64 { 0 }

  // MARK: Writing

  /// Spills new and changed objects if enough of them are waiting.
  func writeIfDue(in context: any NewObjectsContext) throws {}

  // MARK: The end

  /// Whether every new object is known to be valid. If not, all are in memory from now on, so that the
  /// caller can validate each.
  func areValid(in context: any NewObjectsContext) throws -> Bool { false }

  /// Turns spilled rows into saved ones. Objects that weren't spilled are in the context's list afterwards.
  func save(in context: any NewObjectsContext, forgettingObjects: Bool) throws {}

  /// Brings all new objects into memory and removes their rows, for whatever can't be done while they
  /// are spilled.
  func becomeKept(in context: any NewObjectsContext) throws {}

  /// Gives up all new objects, for a migration that failed.
  func abandon(in context: any NewObjectsContext) {}
}

/// What new objects have to do with the context that they belong to.
protocol NewObjectsContext: AnyObject {
  var persistentStoreCoordinator: PersistentStoreCoordinator! { get }
  /// The new objects without a row, in the order of their insertion.
  var inserted: [ManagedObject] { get set }
  /// All living objects.
  var registry: ObjectRegistry { get }
  /// Whether the context or the strategy has an index that is to be kept true.
  var hasPendingIndexes: Bool { get }
  var pendingIndexes: PendingIndexes { get set }
  /// Has ``NewObjects/valueWillChange(of:slot:to:)`` called for a slot.
  func noteIndex(ofSlot slot: Int)

  /// The object of a row: the registered one, else a new one.
  func object(for row: StoreRow) -> ManagedObject
  /// The same, which nobody is to find again if it is new.
  func passingObject(for row: StoreRow) -> ManagedObject
  func registeredObject(for id: ManagedObjectID) -> ManagedObject?

  func forget(_ object: ManagedObject)
  func forgetObjects()
  func clearChanges()
  /// Keeps new objects in memory from now on.
  func stopSpilling()
}

// MARK: - What a context asks of them

extension ManagedObjectContext: NewObjectsContext {
  /// Has new objects spilled to rows from now on, where store and model allow it: a new store that is
  /// being filled, and a model whose objects are all that their rows say.
  ///
  /// For a context whose one store nobody else uses, before its first object.
  /// - Parameter didReadBack: Called when the context keeps its new objects again, all of which are in
  ///   memory then.
  package final func spillNewObjects(
    limits: SpillLimits = .current, didReadBack: @escaping () -> Void
  ) {
    guard let coordinator = persistentStoreCoordinator, coordinator.persistentStores.count == 1,
      let store = coordinator.store as? any SpillingStore, inserted.isEmpty, !announces,
      let spilled = SpilledNewObjects(in: store, limits: limits)
    else { return }
    spilled.didReadBack = didReadBack
    store.anchor.holdsUnsavedRows = true
    coordinator.spillingContext = self
    registry.recent.start(of: store.model)
    newObjects = spilled
  }

  final func stopSpilling() {
    persistentStoreCoordinator?.spillingContext = nil
    newObjects = NewObjects()
    forgetPendingIndexes()
  }

  /// Whether new objects can be found again by their keys, so that they needn't be kept in memory.
  package final var findsNewObjectsByKey: Bool { newObjects.areFoundByKey }

  /// The identifier of a new object by its key.
  package final func identifier(ofNew key: Int64, entityIndex: Int) -> ManagedObjectID? {
    newObjects.identifier(ofEntityAt: entityIndex, key: key, in: self)
  }

  /// Spills new and changed objects if enough of them are waiting.
  package final func spillIfDue() throws { try newObjects.writeIfDue(in: self) }

  /// Gives up all new objects, for a migration that failed.
  package final func abandonNewObjects() { newObjects.abandon(in: self) }

  /// Has all new objects in memory, and keeps them there until they are saved.
  package final func keepNewObjects() throws { try newObjects.becomeKept(in: self) }

  /// ``keepNewObjects()`` in a call that can't throw.
  final func keepNewObjectsOrRaise() {
    do { try keepNewObjects() } catch { ExceptionTrap.raise(error) }
  }

  /// Keeps all indexes true.
  final func valueWillChange(of object: ManagedObject, slot: Int, to value: Value) {
    pendingIndexes.valueWillChange(of: object, slot: slot, to: value)
    newObjects.valueWillChange(of: object, slot: slot, to: value)
  }

  /// Takes a new object into all indexes.
  final func index(_ object: ManagedObject) {
    pendingIndexes.didInsert(object)
    newObjects.index(object)
  }

  final func noteIndex(ofSlot slot: Int) {
    hasPendingIndexes = true
    indexedSlots |= RowWriter.bit(ofSlot: slot)
  }

  final func passingObject(for row: StoreRow) -> ManagedObject {
    registry.object(row.objectID) ?? ManagedObject(row.objectID, row: row, context: self)
  }
}
