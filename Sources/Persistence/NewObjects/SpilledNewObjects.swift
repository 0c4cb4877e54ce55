/// The new objects of a context that writes their rows before the one save, so that memory doesn't
/// grow with their number.
///
/// For a migration into a new store that is thrown away if it fails. Each new object gets the
/// key of its row when it is inserted; until the save its identifier says that it is temporary all
/// the same. From time to time the context writes what is new and changed, and keeps
/// it no longer: an object that nobody else holds goes, and is read again when somebody asks for it.
/// It is still new to everybody, and fetches find it among the unsaved.
///
/// Where an object is:
///
/// - *recent*: new, without a row; in the context's `inserted` and in ``RecentObjects``.
/// - *written*: its row is in the file. In memory only while somebody uses it.
/// - *rewritten*: written, with changes that its row doesn't have yet; in ``rewritten``.
/// - *held*: written, with values that no row has, such as transient ones; in ``held``.
/// - *resident*: written, of a hierarchy of few objects, which stay in memory so that finding one needs
///   no SQL; in ``Hierarchy/residents``.
///
/// Whatever asks for more than this can do, such as a deletion, a save or a fetch without unsaved
/// changes, has all objects read back first (``becomeKept(in:)``). From then on the context has plain
/// ``NewObjects``.
final class SpilledNewObjects: NewObjects {
  let store: any SpillingStore
  private let anchor: StoreAnchor
  let limits: SpillLimits
  var order = InsertionOrder()
  /// By the store index of the root entity.
  var hierarchies: [Hierarchy]
  /// Written objects with changes that their rows don't have yet.
  var rewritten: [ManagedObject] = []
  /// Links that written objects don't have among their members yet.
  var links: ContiguousArray<LinkOfNewObject> = []
  /// Written objects with values that no row has.
  var held: [ManagedObject] = []
  /// The keys of written rows by the values of attributes that were asked for.
  var keyIndexes: [KeyIndex] = []
  /// What entities ask for, by their store index.
  let entities: [SpilledEntity]
  /// Whether the context still has this strategy.
  var isSpilling = true
  /// Called when all new objects are in memory again.
  var didReadBack: () -> Void = {}

  /// The new objects of a hierarchy.
  struct Hierarchy {
    /// The key of the newest object.
    var lastKey: Int64 = 0
    /// The highest key whose row is written.
    var lastWrittenKey: Int64 = 0
    var isKept = true
    /// While the hierarchy is kept: its written objects, in order.
    var residents: [ManagedObject] = []
  }

  /// - Returns: Nil for a model that a row can't hold all of.
  init?(in store: any SpillingStore, limits: SpillLimits) {
    guard limits.isAllowed, store.canBeSpilledTo else { return nil }
    self.store = store
    anchor = store.anchor
    self.limits = limits
    hierarchies = Array(repeating: Hierarchy(), count: store.model.entities.count)
    entities = store.model.entities.map { SpilledEntity($0, in: store) }
  }

  // MARK: Finding

  override var areFoundByKey: Bool { true }

  override func identifier(
    ofEntityAt index: Int, key: Int64, in context: any NewObjectsContext
  ) -> ManagedObjectID? { identifier(of: entities[index].entity, key: key) }

  override func count(in context: any NewObjectsContext) -> Int { order.count }

  override func exist(in context: any NewObjectsContext) -> Bool { order.count > 0 }

  override func objects(
    ofHierarchy hierarchy: Int, in context: any NewObjectsContext
  ) -> [ManagedObject] {
    func belongs(_ object: ManagedObject) -> Bool { object.entity.hierarchyIndex == hierarchy }
    let older =
      hierarchies[hierarchy].isKept ? hierarchies[hierarchy].residents : rewritten.filter(belongs)
    return older + context.inserted.filter(belongs)
  }

  override var leastIndexed: Int { 0 }

  override func objects(
    answering request: UntypedFetchRequest, in context: ManagedObjectContext
  ) throws -> [ManagedObject]? {
    guard request.isPlain, !context.hasUnpropagatedDeletions, let name = request.entityName else {
      return nil
    }
    return try context.withModel { model in
      try model.entity(named: name).flatMap { try known(of: $0, for: request, in: context) }
    } ?? nil
  }

  override func objects(
    of fetch: ObjectFetch, _ object: (StoreRow) throws -> ManagedObject
  ) throws -> [ManagedObject] { try fetch.objects(among: self) }

  override func identifiers(of fetch: ObjectFetch) throws -> [ManagedObjectID] {
    try fetch.objects(among: self).map(\.objectID)
  }

  override func count(of fetch: ObjectFetch) throws -> Int {
    let count = try fetch.count(among: self)
    return fetch.query.limit > 0 ? min(count, fetch.query.limit) : count
  }

  override func mayAnswer(_ fetch: ObjectFetch) -> Bool { true }

  // MARK: Changing

  override func willRewrite(_ object: ManagedObject, in context: any NewObjectsContext) {
    rewritten.append(object)
    if context.hasPendingIndexes, !hierarchies[object.hierarchyIndex].isKept {
      context.pendingIndexes.willChange(object)
    }
  }

  override func leavesLink(
    from owner: ManagedObject, to object: ManagedObject, by relationship: RelationshipDescription
  ) -> Bool {
    // Only if the new object alone writes the link.
    guard let inverse = relationship.inverseInPlace?.takeUnretainedValue(),
      inverse.isInverse(of: relationship), entities[object.storeIndex].writesLinks(of: inverse)
    else { return false }
    links.append(LinkOfNewObject(owner: owner, relationship: relationship, member: object))
    return true
  }

  override func settleLinks() {
    if links.isEmpty { return }
    var waiting: ContiguousArray<LinkOfNewObject> = []
    swap(&waiting, &links)
    for link in waiting { link.owner.takeMember(of: link) }
  }

  override func index(_ object: ManagedObject) {
    for index in keyIndexes { index.note(object) }
  }

  override func valueWillChange(of object: ManagedObject, slot: Int, to value: Value) {
    for index in keyIndexes { index.note(value, of: object, slot: slot) }
  }

  override var indexedSlots: UInt64 {
    keyIndexes.reduce(0) { $0 | RowWriter.bit(ofSlot: $1.slot) }
  }

  override func writeIfDue(in context: any NewObjectsContext) throws {
    // Links keep their owners.
    let count = context.inserted.count + rewritten.count + links.count / 16
    if count >= limits.waiting { try spill(in: context) }
  }

  func isKept(_ entity: EntityDescription) -> Bool {
    hierarchies[entity.hierarchyIndex].isKept
  }

  override func newIdentifier(of entity: EntityDescription) -> ManagedObjectID {
    identifier(of: entity, key: newKey(of: entity))
  }

  override func register(_ object: ManagedObject, in context: any NewObjectsContext) {
    if !object.objectID.hasRowKey {
      let id = newIdentifier(of: object.entity)
      object.objectID.successor = id
      object.objectID = id
    }
    context.registry.recent.append(object)
  }

  override var stateOfRows: ManagedObject.State { [.inserted, .written] }

  /// The identifier of the object with a key.
  func identifier(of entity: EntityDescription, key: Int64) -> ManagedObjectID {
    ManagedObjectID(entity: entity, primaryKey: key, anchor: anchor)
  }

  @inline(__always)
  private func newKey(of entity: EntityDescription) -> Int64 {
    let hierarchy = entity.hierarchyIndex
    order.append(hierarchy)
    hierarchies[hierarchy].lastKey += 1
    return hierarchies[hierarchy].lastKey
  }

  // MARK: Writing

  /// Writes what is new and changed. What can't be written is kept, with all else: the save will say
  /// what is wrong with it.
  func spill(in context: any NewObjectsContext) throws {
    if context.inserted.isEmpty && rewritten.isEmpty { return }
    let batch: SpillBatch?
    do {
      batch = try store.spill(new: context.inserted, changed: rewritten)
    } catch {
      return try becomeKept(in: context)
    }
    didWrite(new: context.inserted)
    if context.hasPendingIndexes {
      context.pendingIndexes.forgetHierarchies { !hierarchies[$0].isKept }
    }
    letGoOfWritten(in: context)
    if let batch { store.writeOnSecondThread(batch) }
  }

  /// Keeps written objects no longer. Those that others have are found by the list from now on.
  private func letGoOfWritten(in context: any NewObjectsContext) {
    context.registry.recent.removeAll()
    while var object = context.inserted.popLast() {
      if !isKnownUniquelyReferenced(&object) { context.registry.insert(object) }
    }
    rewritten.removeAll(keepingCapacity: true)
  }

  /// Notes what was written, and keeps what has to stay.
  private func didWrite(new: [ManagedObject]) {
    links.removeAll(keepingCapacity: true)
    for object in rewritten { didWrite(object) }
    for object in new {
      didWrite(object)
      let hierarchy = object.hierarchyIndex
      assert(
        hierarchies[hierarchy].lastWrittenKey < object.objectID.primaryKey,
        "a row is written a second time, or before an older one")
      hierarchies[hierarchy].lastWrittenKey = object.objectID.primaryKey
      if hierarchies[hierarchy].isKept { keep(object, in: hierarchy) }
    }
  }

  private func didWrite(_ object: ManagedObject) {
    object.didSpill()
    if !object.state.contains(.held), !entities[object.storeIndex].isExact(object.values) {
      object.state.insert(.held)
      held.append(object)
    }
  }

  private func keep(_ object: ManagedObject, in hierarchy: Int) {
    hierarchies[hierarchy].residents.append(object)
    if hierarchies[hierarchy].residents.count > limits.kept {
      hierarchies[hierarchy].isKept = false
      hierarchies[hierarchy].residents = []
    }
  }

  // MARK: The end

  override func save(in context: any NewObjectsContext, forgettingObjects: Bool) throws {
    try spill(in: context)
    // What couldn't be written was read back.
    guard isSpilling else { return }
    // Who has to do with duplicates has all objects at hand.
    guard try store.rowsAreUnique() else { return try becomeKept(in: context) }
    try store.confirmUnsavedRows(lastKeys: hierarchies.map(\.lastKey))
    stopSpilling(in: context)
    for object in context.registry.all { object.becomeSaved() }
    if forgettingObjects { context.forgetObjects() }
    context.clearChanges()
  }

  override func areValid(in context: any NewObjectsContext) throws -> Bool {
    if try rowsAreValid(in: context) { return true }
    try becomeKept(in: context)
    return false
  }

  /// Whether every new object is valid; those that were written, by their rows.
  private func rowsAreValid(in context: any NewObjectsContext) throws -> Bool {
    try spill(in: context)
    guard isSpilling else { return false }
    for entity in store.model.entities
    where entities[entity.storeIndex].hasRules && !entity.isAbstract {
      let required = entities[entity.storeIndex].required
      if let required, try store.allRows(of: entity, have: required) { continue }
      if try !rowsAreValid(of: entity, in: context) { return false }
    }
    return true
  }

  private func rowsAreValid(
    of entity: EntityDescription, in context: any NewObjectsContext
  ) throws -> Bool {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    var areValid = true
    try store.enumerateRows(matching: query) { row in
      areValid = context.passingObject(for: row).validationErrors().isEmpty
      return areValid
    }
    return areValid
  }

  override func abandon(in context: any NewObjectsContext) {
    let objects = context.registry.all
    for object in objects { context.forget(object) }
    for object in objects { object.state = [] }
    // The store is given up.
    try? store.removeUnsavedRows(lastKeys: hierarchies.map(\.lastKey))
    stopSpilling(in: context)
    context.clearChanges()
  }

  private func stopSpilling(in context: any NewObjectsContext) {
    isSpilling = false
    store.anchor.holdsUnsavedRows = false
    links = []
    context.registry.recent.stop()
    context.stopSpilling()
  }

  // MARK: Going on without

  override func becomeKept(in context: any NewObjectsContext) throws {
    // What couldn't be spilled may have been read back by now.
    guard isSpilling else { return }
    settleLinks()
    try store.finishWriting()
    var objects = try hierarchies.indices.map { try readBack(hierarchy: $0, in: context) }
    for object in objects.joined() { object.loadSpilledLinks(of: self) }
    for object in context.inserted {
      object.loadSpilledLinks(of: self)
      objects[object.hierarchyIndex].append(object)
    }
    didReadBack()
    for object in objects.joined() { object.becomeUnwritten() }
    for object in context.inserted { context.registry.insert(object) }
    context.registry.recent.stop()
    context.inserted = order.objects(of: objects)
    try store.removeUnsavedRows(lastKeys: hierarchies.map(\.lastKey))
    stopSpilling(in: context)
  }

  /// The written objects of a hierarchy, with their values.
  private func readBack(
    hierarchy: Int, in context: any NewObjectsContext
  ) throws -> [ManagedObject] {
    let last = hierarchies[hierarchy].lastWrittenKey
    if last == 0 { return [] }
    var objects: [ManagedObject] = []
    try store.enumerateRows(matching: StoreQuery(entity: store.model.entities[hierarchy])) { row in
      if row.objectID.primaryKey <= last { objects.append(context.object(for: row)) }
      return true
    }
    return objects
  }
}
