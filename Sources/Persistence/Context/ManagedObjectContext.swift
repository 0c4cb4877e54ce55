/// A scratch pad of managed objects: fetched from stores or from a parent context, changed, and
/// saved together.
///
/// Holds changed objects strongly and all others weakly, so that streaming over a large store
/// keeps memory bounded. A context and its objects are used on its queue only, by way of
/// ``perform(_:)`` and ``performAndWait(_:)``; objects may be let go of on any thread.
open class ManagedObjectContext: NSObject, @unchecked Sendable {
  public final let concurrencyType: ManagedObjectContextConcurrencyType
  public final var name: String?
  public final var userInfo: [String: Any] = [:]
  public final var transactionAuthor: String?
  /// How old, in seconds, a row may be from which a fault gets its values; a negative number, as unless
  /// set, for any age. See ``RowCache``.
  public final var stalenessInterval: TimeInterval = -1
  /// What happens when a save meets changes that others made. An error unless set.
  public final var mergePolicy: MergePolicy = .error
  /// Whether an object whose row is gone counts as deleted when its fault fires, with nil for every
  /// value, instead of raising 133000.
  ///
  /// True unless set, as on a device; in the contexts of migrations and of tools false, where
  /// references that lead nowhere are to be seen.
  public final var shouldDeleteInaccessibleFaults: Bool
  /// Objects that were deleted before they were ever saved; they belong to the context until the save.
  final var discarded: [ManagedObject] = []
  /// Properties between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
  final var changingKeys: Set<ChangingKey> = []
  /// Whether delete rules are applied when pending changes are processed, or at each deletion.
  public final var propagatesDeletesAtEndOfEvent = true
  /// Whether fetches that Core Data's SQLite store refuses are refused. They are, unless set.
  public final var unsupportedFetches = UnsupportedFetches.refused
  /// Whether new objects that a fetch puts in no order come newest first, not in the order of their insertion, so
  /// that what depends on either is seen. A device has a set of them.
  package final var givesNewestFirst = false
  /// The entities of which fetches in no order gave several new objects, where the newest come first.
  package final var unorderedEntities: Set<String> = []
  /// Whether saving is refused: the source of a migration is never written to.
  package final var isReadOnly = false
  /// Told of predicates that SQL answers otherwise than memory. Where it is set, stores are asked as a device
  /// asks them: comparisons with NULL are neither true nor false. Else they answer as memory does.
  package final var didFindSQLDifference: ((SQLDifference) -> Void)?
  /// What was asked of it, by an app's own code or by expressions; without statements.
  package final var work = ContextWork()
  /// Whether changes are noted for objects that are to hear of the save, too.
  final var isTellingWillSave = false
  /// What code was given, as in an autorelease pool; see ``inPool(_:)``.
  final var pooled: [Any] = []
  /// Whether new objects keep the times of last change that they were given, instead of getting the
  /// time of the save: a lightweight migration carries them over.
  package final var keepsDerivedTimes = false

  /// Whether the context keeps every object that it knows, until it is reset. False unless set.
  public final var retainsRegisteredObjects = false {
    didSet { retained = retainsRegisteredObjects ? registry.all : [] }
  }
  final var retained: [ManagedObject] = []

  final let queue: ContextQueue?
  /// Whether changes are told to notification centers. Making the sets of changed objects would
  /// cost a migration of a million objects too much.
  final let announces: Bool
  /// How often an object was changed for the first time since its changes were saved or told.
  package final var noticedChanges = 0
  /// Whether objects are of the classes that their entities name.
  final let hasAppObjects: Bool
  /// The classes for objects of entities, as far as asked for.
  final var objectClasses = ObjectClasses.Cache()
  private var ownCoordinator: PersistentStoreCoordinator? {
    didSet {
      if oldValue !== ownCoordinator, oldValue?.spillingContext === self {
        oldValue?.spillingContext = nil
      }
      ownLock = ownCoordinator?.lock
      ownModel = ownCoordinator?.managedObjectModel
      if hasAppObjects { ownCoordinator?.rowCache.add(registry) }
    }
  }
  /// The lock of the stores; nil for a child, whose parent has it.
  private(set) final var ownLock: NSRecursiveLock?
  /// The model of the stores; nil for a child, whose parent knows it.
  private final var ownModel: ManagedObjectModel?
  /// The parent's objects as rows.
  private(set) final var parentRows: ParentRows?
  private var mergesParentChanges = false

  /// Every living object of this context.
  final let registry: ObjectRegistry
  /// Changed objects in the order of their change; entries may have been deleted since.
  final var inserted: [ManagedObject] = []
  final var updated: [ManagedObject] = []
  final var deleted: [ManagedObject] = []
  /// What happened since pending changes were processed last.
  final var event = ContextEvent()
  /// Whether deletions wait for their delete rules.
  final var hasUnpropagatedDeletions = false
  final var isPropagatingDeletions = false
  /// Objects that were saved to the parent and have no permanent identifier yet.
  final var awaitingIdentifiers: [WeakReference<ManagedObject>] = []
  /// Whether changes of others were merged into unsaved ones.
  final var mergedChangesOfOthers = false
  /// The children and contexts that merge what is saved to this one.
  final let listeners = ContextListeners()
  /// How new objects are kept until they are saved.
  final var newObjects = NewObjects()
  final var pendingIndexes = PendingIndexes()
  final var hasPendingIndexes = false
  /// The slots of attributes whose values are in indexes, as ``ManagedObject/changedSlots`` has them.
  final var indexedSlots: UInt64 = 0
  final var readAhead = ReadAhead()
  private final var initialValues = InitialValues()

  /// A context for the thread that makes it, without queue, with plain objects: that of
  /// single-threaded tools.
  public convenience init(coordinator: PersistentStoreCoordinator) {
    self.init(coordinator: coordinator, announces: true)
  }

  /// A context for the thread that makes it, which need not tell anybody what happens in it: that of
  /// migrations.
  package init(coordinator: PersistentStoreCoordinator, announces: Bool) {
    concurrencyType = .confinementConcurrencyType
    queue = nil
    self.announces = announces
    hasAppObjects = false
    shouldDeleteInaccessibleFaults = false
    // What is told goes to other threads, and may be let go of there.
    registry = ObjectRegistry(isShared: announces)
    ownCoordinator = coordinator
    ownLock = coordinator.lock
    ownModel = coordinator.managedObjectModel
    coordinator.spillingContext?.keepNewObjectsOrRaise()
  }

  /// A context as apps make it. It needs a coordinator or a parent before it is used.
  public init(concurrencyType: ManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(concurrencyType)
    announces = true
    hasAppObjects = true
    shouldDeleteInaccessibleFaults = true
    registry = ObjectRegistry(isShared: true)
    super.init()
    if queue == nil { Warnings.shared.warnOnce(.confinement) }
    if concurrencyType == .mainQueue { Self.ofMainQueue.add(self) }
  }

  /// ``init(concurrencyType:)`` in its shorter spelling.
  public convenience init(_ type: ManagedObjectContextConcurrencyType) {
    self.init(concurrencyType: type)
  }

  deinit {
    if newObjects.areFoundByKey { ownCoordinator?.spillingContext = nil }
    forgetObjects()
  }

  /// Whether a fault whose row is gone counts as deleted, with nil for every value, instead of raising 133000.
  open func shouldHandleInaccessibleFault(
    _ fault: ManagedObject, for oid: ManagedObjectID,
    triggeredByProperty property: PropertyDescription?
  ) -> Bool { shouldDeleteInaccessibleFaults }

  final func forgetObjects() {
    (retained, pooled) = ([], [])
    for object in registry.all { object.context = nil }
    registry.removeAll()
  }

  /// The default values of an entity's attributes, by slot.
  final func initialValues(of entity: EntityDescription) -> ContiguousArray<Value> {
    initialValues[entity]
  }
}

// MARK: - Where objects come from

extension ManagedObjectContext {
  /// The stores the context reads and writes; for a child, its ancestors'. A context has one before
  /// it is used.
  public final var persistentStoreCoordinator: PersistentStoreCoordinator! {
    get { ownCoordinator ?? parentRows?.parent.persistentStoreCoordinator }
    set {
      reset()
      newValue?.spillingContext?.keepNewObjectsOrRaise()
      ownCoordinator = newValue
      if newValue != nil { parentRows = nil }
      listenToParent()
    }
  }

  /// The context that takes this one's saves; nil for a context on a coordinator. A parent must
  /// have a queue, else setting it raises.
  public final var parent: ManagedObjectContext? {
    get { parentRows?.parent }
    set {
      if let newValue, newValue.queue == nil {
        return ExceptionTrap.raise(CoreDataError.unfitParent)
      }
      reset()
      ownCoordinator = nil
      parentRows = newValue.map(ParentRows.init)
      listenToParent()
    }
  }

  /// Whether what others save to the same coordinator, or to the parent, is merged into this context
  /// by itself, on its queue.
  public final var automaticallyMergesChangesFromParent: Bool {
    get { mergesParentChanges }
    set {
      mergesParentChanges = newValue
      listenToParent()
    }
  }

  private func listenToParent() {
    guard let listeners = parent?.listeners ?? ownCoordinator?.listeners else { return }
    if mergesParentChanges { listeners.add(self) } else { listeners.remove(self) }
  }

  /// What the context reads: the stores, or its parent's objects.
  final var source: PersistentStore? { parentRows ?? ownCoordinator?.store }

  /// The model of the stores; nil without stores and without parent.
  final var model: ManagedObjectModel? {
    ownModel ?? parentRows?.parent.persistentStoreCoordinator?.managedObjectModel
  }

  /// Does something with the model of the stores, which must stay the same meanwhile.
  @inline(__always)
  final func withModel<Result>(_ body: (ManagedObjectModel) throws -> Result) rethrows -> Result? {
    ownModel == nil ? try model.map(body) : try body(ownModel!)
  }

  /// Runs `body` while nobody else uses the stores. A child waits for its parent only when it asks
  /// it something.
  final func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let ownLock else { return try body() }
    // `withLock` isn't specialized.
    ownLock.lock()
    defer { ownLock.unlock() }
    return try body()
  }

  final func storedRow(for id: ManagedObjectID) throws -> StoreRow? {
    if !id.hasRowKey && parentRows == nil { return nil }
    if !readAhead.isEmpty, let row = try reading({ try rowReadAhead(for: id) }) { return row }
    return try reading { try source?.row(for: id) }
  }

  final func storedDestinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) throws -> [ManagedObjectID] {
    if relationship.isTransient || (!id.hasRowKey && parentRows == nil) { return [] }
    work.faults += 1
    return try reading { try source?.destinations(of: relationship, from: id) ?? [] }
  }

  /// ``storedRow(for:)`` where nobody can be told of an error: it is raised, as by a fault on a device,
  /// for a row that can't be read isn't gone.
  final func rowOrException(for id: ManagedObjectID) -> StoreRow? {
    do { return try storedRow(for: id) } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }

  /// ``storedDestinations(of:from:)`` in the same way.
  final func destinationsOrException(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> [ManagedObjectID] {
    do { return try storedDestinations(of: relationship, from: id) } catch {
      ExceptionTrap.raise(error)
      return []
    }
  }
}

// MARK: - Its queue

extension ManagedObjectContext {
  /// Runs `block` on the context's queue and waits for its result; at once when the caller is on
  /// the queue already, or the context is confined to a thread.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    guard let queue else { return try block() }
    return try queue.sync { try running(block) }
  }

  private func running<Result>(_ block: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self) { try Self.inPool(block) }
  }

  /// Runs `block` as in an autorelease pool: what the current context fetches and saves in it lives until it ends.
  package static func inPool<Result>(_ block: () throws -> Result) rethrows -> Result {
    guard let current else { return try inMainPool(block) }
    let count = current.pooled.count
    defer { current.drainPool(to: count) }
    return try block()
  }

  private static func inMainPool<Result>(_ block: () throws -> Result) rethrows -> Result {
    guard ContextQueue.isOnMain else { return try block() }
    let counts = ofMainQueue.all.map { ($0, $0.pooled.count) }
    defer {
      for context in ofMainQueue.all {
        context.drainPool(to: counts.first { $0.0 === context }?.1 ?? 0)
      }
    }
    return try block()
  }

  /// A reset may have drained more.
  private func drainPool(to count: Int) {
    pooled.removeSubrange(min(count, pooled.count)...)
  }

  private static let ofMainQueue = ContextListeners()

  /// Outside of a context's blocks, the main queue's outermost pool is the one of its loop, which nobody here sees end:
  /// objects live as long as their context, or until it is reset.
  final func keepInPool(_ objects: @autoclosure () -> Any) {
    let current = Self.current
    if current === self || current == nil && concurrencyType == .mainQueue && queue!.isCurrent {
      pooled.append(objects())
    }
  }

  /// The context whose block is running, as ``FetchRequest/execute()`` needs it.
  @TaskLocal static var current: ManagedObjectContext?

  /// Runs `block` on the context's queue some time later, then processes pending changes; at once
  /// when the context is confined to a thread.
  public final func perform(_ block: @escaping () -> Void) {
    guard let queue else { return block() }
    let block = AppCodeWitness.following {
      self.running(block)
      self.processPendingChanges()
    }
    queue.async(block)
  }

  /// Runs `block` on the context's queue and gives its result.
  public final func perform<Result>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> Result
  ) async rethrows -> Result {
    try await performing(block) { throw $0 }
  }

  /// - Parameter rescue: Throws what the block threw: to the compiler only a parameter's errors are rethrown.
  private func performing<Result>(
    _ block: @escaping () throws -> Result, rescue: (any Error) throws -> Result
  ) async rethrows -> Result {
    let outcome = await withCheckedContinuation { continuation in
      perform {
        // What a block gives is the waiting task's alone.
        nonisolated(unsafe) let result = Swift.Result(catching: block)
        continuation.resume(returning: result)
      }
    }
    switch outcome {
    case .success(let result): return result
    case .failure(let error): return try rescue(error)
    }
  }

  /// When an asynchronous block is put on the queue: here always at the call.
  public enum ScheduledTaskType: Sendable {
    case immediate, enqueued
  }
}
