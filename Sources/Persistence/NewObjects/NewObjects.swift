/// How a context keeps its new objects until the save: the one place where it matters whether they are all
/// in memory (``KeptNewObjects``) or most of them in rows (``SpilledNewObjects``).
///
/// The context asks whatever it has as ``ManagedObjectContext/newObjects``, and nothing but that. New objects
/// without a row are in the context's list of insertions in both cases.
class NewObjects {
  private func mustOverride(_ member: String = #function) -> Never {
    fatalError("\(self) must override \(member)")
  }

  // MARK: Making

  /// An identifier for one more object.
  func newIdentifier(of entity: EntityDescription) -> ManagedObjectID { mustOverride() }

  /// Has an object found by its identifier from now on.
  func register(_ object: ManagedObject, in context: ManagedObjectContext) { mustOverride() }

  /// What an object that is made of a row is, beside what its row says.
  var stateOfRows: ManagedObject.State { [] }

  // MARK: Finding

  /// Whether new objects are found again by their keys, so that nobody has to hold them.
  var areFoundByKey: Bool { false }

  /// The identifier of a new object by its key, and its entity's store index.
  func identifier(
    ofEntityAt index: Int, key: Int64, in context: ManagedObjectContext
  ) -> ManagedObjectID? { mustOverride() }

  /// How many there are.
  func count(in context: ManagedObjectContext) -> Int { mustOverride() }

  /// Whether there are any.
  func exist(in context: ManagedObjectContext) -> Bool { mustOverride() }

  /// Those of a hierarchy that are in memory, in the order of their insertion: all where it is kept, else those
  /// whose rows aren't as they are.
  func objects(ofHierarchy hierarchy: Int, in context: ManagedObjectContext) -> [ManagedObject] {
    mustOverride()
  }

  /// Below this many objects a fetch looks at each, and makes no index.
  var leastIndexed: Int { mustOverride() }

  /// What a plain request finds where that is known without describing the query first; nil where it takes
  /// more.
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
  func willRewrite(_ object: ManagedObject, in context: ManagedObjectContext) {}

  /// Leaves it to a new object to know of its link with one whose row is written.
  /// - Returns: Whether nothing else is to be done.
  func leavesLink(
    from owner: ManagedObject, to object: ManagedObject, by relationship: RelationshipDescription
  ) -> Bool { false }

  /// Has all objects know of their members.
  func settleLinks() {}

  /// Keeps what finds objects by their values true, beside the context's own indexes.
  func index(_ object: ManagedObject) {}
  func valueWillChange(of object: ManagedObject, slot: Int, to value: Value) {}

  /// The slots of attributes of which ``valueWillChange(of:slot:to:)`` has to know.
  var indexedSlots: UInt64 { 0 }

  // MARK: Writing

  /// Writes what is new and changed, where that is done before the save and is much by now.
  func writeIfDue(in context: ManagedObjectContext) throws {}

  // MARK: The end

  /// Whether every new object is known to be valid. Where not, all are in memory from now on, and whoever
  /// asks looks at each.
  func areValid(in context: ManagedObjectContext) throws -> Bool { false }

  /// Makes what was written as good as saved. What wasn't is in the context's list afterwards.
  func save(in context: ManagedObjectContext, forgettingObjects: Bool) throws {}

  /// Has all in memory from now on and no rows of them in the store, for whatever can't be done while they
  /// are there.
  func becomeKept(in context: ManagedObjectContext) throws {}

  /// Gives up all new objects, for a migration that failed.
  func abandon(in context: ManagedObjectContext) {}

  /// The context is going away.
  func contextWillGo(from coordinator: PersistentStoreCoordinator?) {}
}

/// New objects as every context keeps them, unless it is told otherwise: in memory, until the save.
final class KeptNewObjects: NewObjects {
  override func newIdentifier(of entity: EntityDescription) -> ManagedObjectID {
    ManagedObjectID(temporaryFor: entity)
  }

  override func register(_ object: ManagedObject, in context: ManagedObjectContext) {
    context.register(object)
  }

  override func identifier(
    ofEntityAt index: Int, key: Int64, in context: ManagedObjectContext
  ) -> ManagedObjectID? {
    guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.store else {
      return nil
    }
    return ManagedObjectID(
      entity: coordinator.managedObjectModel.entities[index], primaryKey: key, store: store)
  }

  override func count(in context: ManagedObjectContext) -> Int {
    context.inserted.reduce(0) { count, object in count + (object.isInserted ? 1 : 0) }
  }

  override func exist(in context: ManagedObjectContext) -> Bool {
    context.inserted.contains { $0.isInserted }
  }

  override func objects(
    ofHierarchy hierarchy: Int, in context: ManagedObjectContext
  ) -> [ManagedObject] { context.inserted.filter { $0.entity.hierarchyIndex == hierarchy } }

  override var leastIndexed: Int { PendingIndexes.smallestUsefulCount }
}

// MARK: - What a context asks of them

extension ManagedObjectContext {
  /// Whether new objects are found again by their keys, so that nobody has to hold them.
  package final var findsNewObjectsByKey: Bool { newObjects.areFoundByKey }

  /// The identifier of a new object by its key.
  package final func identifier(ofNew key: Int64, entityIndex: Int) -> ManagedObjectID? {
    uncounted(newObjects) { $0.identifier(ofEntityAt: entityIndex, key: key, in: self) }
  }

  /// Writes what is new and changed, where that is done before the save and is much by now.
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
    uncounted(newObjects) { $0.valueWillChange(of: object, slot: slot, to: value) }
  }

  /// Takes a new object into all indexes.
  final func index(_ object: ManagedObject) {
    pendingIndexes.didInsert(object)
    uncounted(newObjects) { $0.index(object) }
  }
}
