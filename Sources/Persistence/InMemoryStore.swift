import OrderedCollections

/// A store that lives in memory, with the same content and the same errors as one on disk.
///
/// Shares no code with `SQLiteStore` below the protocol, so that each can be checked against the
/// other.
public final class InMemoryStore: PersistentStore {
  /// One table per family of entities, by the root's store index.
  private var tables: [Int: Table] = [:]
  private let uniqueness: UniquenessChecker
  private var extraMetadata: [String: Any]
  /// The slots of properties that aren't stored, by the entity's store index.
  private let transientSlots: [Int: [Int]]
  /// The slots of values that may be "not a number", by the entity's store index.
  private let numberSlots: [Int: [Int]]

  /// The rows of a family.
  private struct Table {
    var rows: [Int64: Row] = [:]
    /// Keys in ascending order; may name rows that are gone.
    var keys: ContiguousArray<Int64> = []
    var lastKey: Int64 = 0
    /// Keys whose rows were deleted, with the members that ordered relationships had then: what still
    /// leads to such a key belongs to the row again when it is made again.
    var graves: [Int64: [Int: OrderedSet<ManagedObjectID>]] = [:]
  }

  private struct Row {
    let id: ManagedObjectID
    var version: Int64
    var values: ContiguousArray<Value>
    /// Destinations of to-many relationships, by slot.
    var toMany: [Int: OrderedSet<ManagedObjectID>]
  }

  /// - Parameter metadata: What an app keeps in a store beside Core Data's own keys.
  public convenience init(
    model: ManagedObjectModel, identifier: String = UUID().uuidString,
    metadata: [String: Any] = [:]
  ) {
    self.init(
      configuration: StoreConfiguration(model: model), identifier: identifier, metadata: metadata)
  }

  /// A store for one configuration of a model.
  /// - Parameter url: Where an app thinks it is; nothing is written there.
  public init(
    configuration: StoreConfiguration, identifier: String = UUID().uuidString, url: URL? = nil,
    metadata: [String: Any] = [:]
  ) {
    uniqueness = UniquenessChecker(model: configuration.model)
    extraMetadata = metadata
    transientSlots = Self.transientSlots(of: configuration.model)
    numberSlots = Self.numberSlots(of: configuration.model)
    super.init(configuration: configuration, identifier: identifier, url: url)
  }

  public override var type: String { "InMemory" }

  public override var metadata: [String: Any] {
    get { extraMetadata.merging(ownMetadata) { _, own in own } }
    set { extraMetadata = newValue }
  }

  private var ownMetadata: [String: Any] {
    [
      "NSStoreType": type,
      "NSStoreUUID": identifier,
      "NSStoreModelVersionHashes": configuration.versionHashes,
      "NSStoreModelVersionHashesVersion": 3,
      "NSStoreModelVersionIdentifiers": model.versionIdentifiers,
    ]
  }

  // MARK: Reading

  public override func mayHaveRows(of entity: EntityDescription) -> Bool {
    table(of: entity)?.rows.isEmpty == false
  }

  public override func row(for id: ManagedObjectID) -> StoreRow? {
    storedRow(id).map { StoreRow(objectID: $0.id, version: $0.version, values: $0.values) }
  }

  public override func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> [ManagedObjectID] {
    guard let row = storedRow(id) else { return strays(of: relationship, from: id) }
    guard let members = row.toMany[relationship.slot] else { return [] }
    // A delete rule of no action leaves references behind; they lead nowhere.
    let living = members.filter { storedRow($0) != nil }
    if relationship.isOrdered { return Array(living) }
    return living.sorted { $0.primaryKey < $1.primaryKey }
  }

  /// Predicates and sort descriptors are left to the caller, which evaluates them on objects.
  public override func capability(for query: StoreQuery) -> QueryCapability {
    query.predicate == nil && query.sortDescriptors.isEmpty ? .all : []
  }

  public override func enumerateRows(
    matching query: StoreQuery, _ body: (StoreRow) throws -> Bool
  ) throws {
    guard let table = table(of: query.entity) else { return }
    let isPaged = capability(for: query) == .all
    var toSkip = isPaged ? query.offset : 0
    var left = isPaged && query.limit > 0 ? query.limit : .max
    for key in table.keys {
      guard left > 0, let row = table.rows[key], isWanted(row, by: query) else { continue }
      if toSkip > 0 {
        toSkip -= 1
        continue
      }
      left -= 1
      let values = query.includesValues ? row.values : []
      let isEnough = try !body(
        StoreRow(objectID: row.id, version: row.version, values: values))
      if isEnough || left == 0 { return }
    }
  }

  public override func count(of query: StoreQuery) throws -> Int {
    var count = 0
    try enumerateRows(matching: query) { _ in
      count += 1
      return true
    }
    return count
  }

  private func isWanted(_ row: Row, by query: StoreQuery) -> Bool {
    row.id.entity === query.entity
      || (query.includesSubentities && row.id.entity.isKindOf(entity: query.entity))
  }

  private func table(of entity: EntityDescription) -> Table? {
    tables[entity.rootEntity.storeIndex]
  }

  private func storedRow(_ id: ManagedObjectID) -> Row? {
    tables[id.entity.rootEntity.storeIndex]?.rows[id.primaryKey]
  }

  override func owner(
    of key: [Value], under constraint: UniquenessConstraint
  ) -> ManagedObjectID? { uniqueness.owner(of: key, under: constraint) }

  // MARK: Writing

  public override func reservePrimaryKeys(
    _ count: Int, for entity: EntityDescription
  ) -> Int64 {
    let family = entity.rootEntity.storeIndex
    let first = tables[family, default: Table()].lastKey + 1
    tables[family, default: Table()].lastKey += Int64(count)
    return first
  }

  /// Checks everything before anything is changed, so that a refused save leaves no trace.
  public override func save(_ changes: SaveRequest) throws {
    try deriving(changes, write)
  }

  /// Writes values as they are, those of derived attributes too.
  func saveUnderived(_ changes: SaveRequest) throws { try write(changes) }

  private func write(_ changes: SaveRequest) throws {
    try checkVersions(changes)
    try uniqueness.check(changes) { self.storedRow($0)?.values }
    generation += 1
    let keysBefore = changes.linksMayBeOneSided ? keys(of: changes.updated) : [:]
    for deletion in changes.deleted {
      if changes.linksMayBeOneSided { leaveOwners(deletion.objectID) }
      delete(deletion.objectID)
    }
    for change in changes.inserted { insert(change) }
    for change in changes.updated { update(change) }
    if changes.linksMayBeOneSided { makeLinksTwoSided(changes, keysBefore) }
    for change in changes.inserted { takeBackStrays(change.objectID) }
  }

  /// Makes no new versions of rows.
  override func rewrite(_ derivation: Derivation, of ids: [ManagedObjectID]) throws {
    let time = Date()
    for id in ids {
      guard let row = row(for: id) else { continue }
      let value = derivation.value(for: StoredObject(row, in: self), at: time)
      let family = id.entity.rootEntity.storeIndex
      tables[family]?.rows[id.primaryKey]?.values[derivation.attribute.slot] = value
    }
  }

  private func checkVersions(_ changes: SaveRequest) throws {
    let read =
      changes.updated.map { ($0.objectID, $0.version) }
      + changes.deleted.map { ($0.objectID, $0.version) }
    for (id, version) in read where storedRow(id)?.version != version {
      throw CoreDataError.changedSinceRead(id)
    }
    for change in changes.inserted where change.version != 0 && storedRow(change.objectID) != nil {
      throw CoreDataError.changedSinceRead(change.objectID)
    }
  }

  private static func transientSlots(of model: ManagedObjectModel) -> [Int: [Int]] {
    let slots = model.entities.map { entity in
      let attributes = entity.attributes.filter { !$0.isStored }.map(\.slot)
      let others = entity.properties.filter { $0.isTransient && !($0 is AttributeDescription) }
      return (entity.storeIndex, attributes + others.map(\.slot))
    }
    return Dictionary(uniqueKeysWithValues: slots.filter { !$0.1.isEmpty })
  }

  private static func numberSlots(of model: ManagedObjectModel) -> [Int: [Int]] {
    let types: Set<AttributeType> = [.double, .float, .decimal, .date]
    let slots = model.entities.map { entity in
      let numbers = entity.attributes.filter { types.contains($0.attributeType) }
      return (entity.storeIndex, numbers.map(\.slot))
    }
    return Dictionary(uniqueKeysWithValues: slots.filter { !$0.1.isEmpty })
  }

  /// The values that go into the store: transient ones end with their object, and SQLite, which
  /// this store stands for, has no "not a number": it keeps NULL.
  private func storedValues(of change: SaveRequest.ObjectChange) -> ContiguousArray<Value> {
    var values = change.values
    let entity = change.objectID.entity.storeIndex
    for slot in transientSlots[entity] ?? [] { values[slot] = .null }
    for slot in numberSlots[entity] ?? [] where values[slot].isNotANumber { values[slot] = .null }
    return values
  }

  private func insert(_ change: SaveRequest.ObjectChange) {
    let family = change.objectID.entity.rootEntity.storeIndex
    let key = change.objectID.primaryKey
    var row = Row(
      id: change.objectID, version: change.version == 0 ? 1 : change.version,
      values: storedValues(of: change), toMany: [:])
    for toMany in change.toMany { apply(toMany, to: &row) }
    tables[family, default: Table()].rows[key] = row
    append(key, to: family)
  }

  /// Keys nearly always arrive in order; one that was reserved early, or whose row was deleted and
  /// is made again, goes where it belongs.
  private func append(_ key: Int64, to family: Int) {
    guard let last = tables[family]?.keys.last, last >= key else {
      tables[family]?.keys.append(key)
      return
    }
    let position = tables[family]?.keys.firstIndex { $0 >= key } ?? 0
    if tables[family]?.keys[position] == key { return }
    tables[family]?.keys.insert(key, at: position)
  }

  private func update(_ change: SaveRequest.ObjectChange) {
    let family = change.objectID.entity.rootEntity.storeIndex
    guard var row = storedRow(change.objectID) else { return }
    row.version += 1
    row.values = storedValues(of: change)
    for toMany in change.toMany { apply(toMany, to: &row) }
    tables[family]?.rows[change.objectID.primaryKey] = row
  }

  private func apply(_ change: SaveRequest.ToManyChange, to row: inout Row) {
    if let ordered = change.ordered {
      row.toMany[change.relationship.slot] = OrderedSet(ordered)
      return
    }
    var members = row.toMany[change.relationship.slot] ?? []
    for id in change.removed { members.remove(id) }
    for id in change.added { members.append(id) }
    row.toMany[change.relationship.slot] = members
  }

  private func delete(_ id: ManagedObjectID) {
    let family = id.entity.rootEntity.storeIndex
    let members = storedRow(id)?.toMany.filter { !$0.value.isEmpty } ?? [:]
    tables[family]?.graves[id.primaryKey] = members
    tables[family]?.rows[id.primaryKey] = nil
    guard let table = tables[family], table.keys.count > 2 * table.rows.count + 16 else { return }
    tables[family]?.keys.removeAll { table.rows[$0] == nil }
  }
}

extension Value {
  /// Whether the value is a number, or a date's, that isn't one.
  fileprivate var isNotANumber: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

// MARK: - Links to rows that are gone

extension InMemoryStore {
  /// The rows whose keys lead to a deleted one, as in SQLite, where a relationship to many is nothing
  /// but the keys that lead back: in the order they had, then by key.
  private func strays(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> [ManagedObjectID] {
    guard let inverse = relationship.inverseRelationship, relationship.isToMany, !inverse.isToMany,
      let owner: EntityDescription = inverse.entity,
      let earlier = tables[id.entity.rootEntity.storeIndex]?.graves[id.primaryKey],
      let table = tables[owner.rootEntity.storeIndex]
    else { return [] }
    let strays = table.rows.values.filter { row in
      row.id.entity.isKindOf(entity: owner) && row.values[inverse.slot].objectID == id
    }.map(\.id).sorted { $0.primaryKey < $1.primaryKey }
    guard relationship.isOrdered, let order = earlier[relationship.slot] else { return strays }
    return order.filter(strays.contains) + strays.filter { !order.contains($0) }
  }

  /// Gives a row that is made again the members whose keys still lead to it.
  private func takeBackStrays(_ id: ManagedObjectID) {
    let family = id.entity.rootEntity.storeIndex
    guard tables[family]?.graves[id.primaryKey] != nil else { return }
    for relationship in id.entity.relationships where relationship.isToMany {
      let strays = strays(of: relationship, from: id)
      if !strays.isEmpty { change(id, relationship) { $0.append(contentsOf: strays) } }
    }
    tables[family]?.graves[id.primaryKey] = nil
  }
}

// MARK: - Links reported from one side

extension InMemoryStore {
  private func keys(
    of changes: [SaveRequest.ObjectChange]
  ) -> [ManagedObjectID: ContiguousArray<Value>] {
    Dictionary(
      changes.compactMap { change in storedRow(change.objectID).map { (change.objectID, $0.values) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Gives each link its other side: members of to-many relationships follow the keys of their
  /// inverse, and both sides of many-to-many relationships follow each other.
  private func makeLinksTwoSided(
    _ changes: SaveRequest, _ keysBefore: [ManagedObjectID: ContiguousArray<Value>]
  ) {
    for change in changes.updated + changes.inserted {
      for toMany in change.toMany { followMembers(toMany, of: change.objectID) }
    }
    for change in changes.updated + changes.inserted {
      followKeys(of: change, before: keysBefore[change.objectID])
    }
    for change in changes.updated + changes.inserted {
      for toMany in change.toMany { dropStrayMembers(of: change.objectID, toMany.relationship) }
    }
  }

  /// Whoever deletes an object may not know which other ones it was linked with since.
  private func leaveOwners(_ id: ManagedObjectID) {
    guard let row = storedRow(id) else { return }
    for relationship in id.entity.relationships {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany else { continue }
      let owners =
        relationship.isToMany
        ? row.toMany[relationship.slot].map { Array($0) }
        : row.values[relationship.slot].objectID.map { [$0] }
      for owner in owners ?? [] { change(owner, inverse) { $0.remove(id) } }
    }
  }

  private func followMembers(_ toMany: SaveRequest.ToManyChange, of id: ManagedObjectID) {
    guard let inverse = toMany.relationship.inverseRelationship, inverse.isToMany else { return }
    for other in toMany.removed { change(other, inverse) { $0.remove(id) } }
    for other in toMany.added { change(other, inverse) { $0.append(id) } }
  }

  private func followKeys(
    of change: SaveRequest.ObjectChange, before: ContiguousArray<Value>?
  ) {
    for relationship in change.objectID.entity.relationships where !relationship.isToMany {
      guard let inverse = relationship.inverseRelationship, inverse.isToMany else { continue }
      let (old, new) = (
        before?[relationship.slot].objectID, change.values[relationship.slot].objectID
      )
      if let old, old != new { self.change(old, inverse) { $0.remove(change.objectID) } }
      if let new { self.change(new, inverse) { $0.append(change.objectID) } }
    }
  }

  /// Removes members that are gone, and those whose own key leads elsewhere.
  private func dropStrayMembers(of id: ManagedObjectID, _ relationship: RelationshipDescription) {
    let inverse = relationship.inverseRelationship
    let strays = storedRow(id)?.toMany[relationship.slot]?.filter { member in
      guard let row = storedRow(member) else { return true }
      guard let inverse, !inverse.isToMany else { return false }
      return row.values[inverse.slot].objectID != id
    }
    guard let strays, !strays.isEmpty else { return }
    change(id, relationship) { $0.subtract(strays) }
  }

  private func change(
    _ id: ManagedObjectID, _ relationship: RelationshipDescription,
    _ body: (inout OrderedSet<ManagedObjectID>) -> Void
  ) {
    let family = id.entity.rootEntity.storeIndex
    guard var row = tables[family]?.rows[id.primaryKey] else { return }
    body(&row.toMany[relationship.slot, default: []])
    tables[family]?.rows[id.primaryKey] = row
  }
}

extension CoreDataError {
  /// The conflict of two contexts over one row.
  static func changedSinceRead(_ id: ManagedObjectID) -> CoreDataError {
    CoreDataError(
      .managedObjectMerge, "Could not merge changes.",
      advice: "The row was changed or deleted by another context since this one read it; "
        + "refresh the object and save again."
    ).at(entity: id.entity.name, object: "\(id)")
  }
}
