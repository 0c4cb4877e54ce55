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
/// changes, has all objects read back first (``becomeKept(in:)``). From then on the context is one with
/// ``KeptNewObjects``.
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
    ofEntityAt index: Int, key: Int64, in context: ManagedObjectContext
  ) -> ManagedObjectID? { identifier(of: entities[index].entity, key: key) }

  override func count(in context: ManagedObjectContext) -> Int { order.count }

  override func exist(in context: ManagedObjectContext) -> Bool { order.count > 0 }

  override func objects(
    ofHierarchy hierarchy: Int, in context: ManagedObjectContext
  ) -> [ManagedObject] {
    func belongs(_ object: ManagedObject) -> Bool { object.entity.hierarchyIndex == hierarchy }
    let older =
      hierarchies[hierarchy].isKept ? hierarchies[hierarchy].residents : rewritten.filter(belongs)
    return older + context.inserted.filter(belongs)
  }

  override var leastIndexed: Int { 0 }

  override func objects(
    answering request: UntypedFetchRequest, in context: ManagedObjectContext
  ) throws -> [ManagedObject]? { try context.objects(answering: request, self) }

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

  override func willRewrite(_ object: ManagedObject, in context: ManagedObjectContext) {
    rewritten.append(object)
    if context.hasPendingIndexes, !hierarchies[object.hierarchyIndex].isKept {
      context.pendingIndexes.willChange(object)
    }
  }

  override func leavesLink(
    from owner: ManagedObject, to object: ManagedObject, by relationship: RelationshipDescription
  ) -> Bool { leaveLink(from: owner, to: object, by: relationship) }

  @inline(__always)
  override func settleLinks() {
    if !links.isEmpty { settle() }
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

  // MARK: Writing and the end

  override func writeIfDue(in context: ManagedObjectContext) throws {
    // Links keep their owners.
    let count = context.inserted.count + rewritten.count + links.count / 16
    if count >= limits.waiting { try context.spill(self) }
  }

  override func areValid(in context: ManagedObjectContext) throws -> Bool {
    if try context.rowsAreValid(self) { return true }
    try context.readBack(self)
    return false
  }

  override func save(in context: ManagedObjectContext, forgettingObjects: Bool) throws {
    try context.save(self, forgetting: forgettingObjects)
  }

  override func becomeKept(in context: ManagedObjectContext) throws { try context.readBack(self) }

  override func abandon(in context: ManagedObjectContext) { context.abandon(self) }

  override func contextWillGo(from coordinator: PersistentStoreCoordinator?) {
    coordinator?.spillingContext = nil
  }

  func isKept(_ entity: EntityDescription) -> Bool {
    hierarchies[entity.hierarchyIndex].isKept
  }

  override func newIdentifier(of entity: EntityDescription) -> ManagedObjectID {
    identifier(of: entity, key: newKey(of: entity))
  }

  override func register(_ object: ManagedObject, in context: ManagedObjectContext) {
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
}

/// What has to be known of an entity to spill its objects.
struct SpilledEntity {
  let entity: EntityDescription
  /// The slots of attributes whose values a column may hold otherwise than they were set.
  private let inexactSlots: [Int]
  /// What attributes without a column start with whenever an object comes from a row.
  private let valuesWithoutColumn: [(slot: Int, value: Value)]
  let toMany: [RelationshipDescription]
  /// By slot, whether its objects alone write the links of a relationship.
  private let writesLinks: ContiguousArray<Bool>
  /// Whether an object can be invalid.
  let hasRules: Bool
  /// What an object must have to be valid; nil where that isn't all.
  let required: [PropertyDescription]?

  init(_ entity: EntityDescription, in store: any SpillingStore) {
    self.entity = entity
    inexactSlots = entity.attributes.filter { $0.isStored && !$0.attributeType.isExactInColumn }
      .map(\.slot)
    valuesWithoutColumn = entity.attributes.filter { !$0.isStored }
      .map { ($0.slot, $0.typedDefaultValue) }
    toMany = entity.relationships.filter(\.isToMany)
    var writesLinks = ContiguousArray(repeating: false, count: entity.slotCount)
    for relationship in toMany where store.writesLinks(of: relationship) {
      writesLinks[relationship.slot] = true
    }
    self.writesLinks = writesLinks
    hasRules =
      entity.attributes.contains(where: AttributeValidation.hasRules)
      || entity.relationships.contains(where: \.hasRules)
    let hasOtherRules =
      entity.attributes.contains(where: AttributeValidation.hasRulesForValues)
      || toMany.contains(where: \.hasRules)
    let required: [PropertyDescription] =
      entity.attributes.filter { !$0.isOptional }
      + entity.relationships.filter { !$0.isToMany && !$0.isOptional }
    self.required = hasOtherRules ? nil : required
  }

  /// Whether its objects alone write the links of a relationship.
  @inline(__always)
  func writesLinks(of relationship: RelationshipDescription) -> Bool {
    writesLinks[relationship.slot]
  }

  /// Whether a row holds all that the object has.
  @inline(__always)
  func isExact(_ values: ContiguousArray<Value>) -> Bool {
    for slot in inexactSlots where !values[slot].isExactInColumn { return false }
    if valuesWithoutColumn.isEmpty { return true }
    return valuesWithoutColumn.allSatisfy { values[$0.slot] == $0.value }
  }
}

extension AttributeType {
  /// Whether every value comes back from a column as it was.
  fileprivate var isExactInColumn: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .string, .binaryData, .uuid: true
    default: false
    }
  }
}

extension Value {
  /// Whether the value comes back from a column as it was; for those types of which not all do.
  fileprivate var isExactInColumn: Bool {
    switch self {
    case .null, .integer, .string, .data, .uuid: true
    case .double(let number): !number.isNaN
    case .date(let date): !date.timeIntervalSinceReferenceDate.isNaN
    case .uri, .decimal, .transformable, .object, .collection: false
    }
  }
}

extension RelationshipDescription {
  fileprivate var hasRules: Bool {
    isToMany ? minCount > 0 || maxCount > 0 : !isOptional
  }
}
