import OrderedCollections

/// A store that lives in memory, with the same content and the same errors as one on disk.
///
/// Shares no code with `SQLiteStore` below the protocol, so that each can be checked against the
/// other. It is plain rather than fast: rows in the order of their keys, and the members of relationships to many.
public final class InMemoryStore: PersistentStore {
  /// By the store index of an entity; only those of root entities are used, each for its whole hierarchy.
  var tables: [RowTable]
  /// The destinations of relationships to many, in order, as the keys of their rows. An object whose row isn't there
  /// has them, too, where keys lead to it: it may come yet, or come again.
  var members: [ObjectRelationship: OrderedSet<Int64>] = [:]
  /// Who has a member, by relationship without inverse and key of the member.
  ///
  /// In SQLite such a link is a key in the member's row, which holds only one: adding the member to one owner takes it
  /// away from the previous one.
  var owners: [ObjectIdentifier: [Int64: ManagedObjectID]] = [:]
  let uniqueness: UniquenessChecker
  private let isOfApp: Bool
  /// By the entity's store index.
  let memberKeys: [[MemberKey]]
  private let withoutInverse: [RelationshipDescription]
  private var extraMetadata: [String: Any]
  /// The slots whose values may not be what goes into the store, and whether any may, by the entity's store index.
  private let slotsToCheck: [[(slot: Int, isStored: Bool)]]

  /// A relationship to many of one object.
  struct ObjectRelationship: Hashable {
    let hierarchy: Int
    let slot: Int
    let key: Int64

    init(_ relationship: RelationshipDescription, of key: Int64) {
      (hierarchy, slot) = (relationship.entity.hierarchyIndex, relationship.slot)
      self.key = key
    }
  }

  /// A relationship to one whose destination has the object as a member.
  struct MemberKey {
    let slot: Int
    /// The relationship that leads back.
    let members: RelationshipDescription
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
  /// - Parameters:
  ///   - url: Where an app thinks it is; nothing is written there.
  ///   - keepsUniquenessConstraints: Whether it does, as the reference for SQLite's stores. An app's store in memory
  ///     doesn't.
  public init(
    configuration: StoreConfiguration, identifier: String = UUID().uuidString, url: URL? = nil,
    metadata: [String: Any] = [:], keepsUniquenessConstraints: Bool = true
  ) {
    let model = configuration.model
    tables = .init(repeating: .init(), count: model.entities.count)
    uniqueness = UniquenessChecker(
      keepsUniquenessConstraints ? UniquenessConstraint.all(of: model) : [])
    isOfApp = !keepsUniquenessConstraints
    extraMetadata = metadata
    memberKeys = model.byStoreIndex { $0.relationships.compactMap(\.memberKey) }
    withoutInverse = model.ownRelationships.filter { $0.isUnanswered && !$0.isTransient }
    slotsToCheck = model.byStoreIndex { $0.properties.compactMap(\.slotToCheck) }
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
    !tables[entity.hierarchyIndex].rows.isEmpty
  }

  public override func row(for id: ManagedObjectID) -> StoreRow? {
    self[id].map { row in
      StoreRow(
        objectID: id.same(of: row.entity, in: anchor), version: row.version, values: row.values)
    }
  }

  subscript(_ id: ManagedObjectID) -> RowTable.Row? {
    // Identifiers of another model may come from anywhere.
    tables.indices.contains(id.entity.hierarchyIndex)
      ? tables[id.entity.hierarchyIndex][id.primaryKey] : nil
  }

  public override func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> [ManagedObjectID] {
    guard let members = members[ObjectRelationship(relationship, of: id.primaryKey)],
      tables.indices.contains(relationship.destinationEntity.hierarchyIndex)
    else { return [] }
    let table = tables[relationship.destinationEntity.hierarchyIndex]
    // A delete rule of no action leaves references behind; they lead nowhere.
    return (relationship.isOrdered ? Array(members) : members.sorted()).compactMap { key in
      table[key].map { ManagedObjectID(entity: $0.entity, primaryKey: key, anchor: anchor) }
    }
  }

  /// Predicates and sort descriptors are left to the caller, which evaluates them on objects.
  public override func capability(for query: StoreQuery) -> QueryCapability {
    query.predicate == nil && query.sortDescriptors.isEmpty ? .all : []
  }

  public override func enumerateRows(
    matching query: StoreQuery, _ body: (StoreRow) throws -> Bool
  ) throws {
    let isPaged = capability(for: query) == .all
    var toSkip = isPaged ? query.offset : 0
    var left = isPaged && query.limit > 0 ? query.limit : .max
    // What is saved meanwhile isn't given.
    for row in rows(concernedBy: query) {
      if toSkip > 0 {
        toSkip -= 1
        continue
      }
      left -= 1
      let id = ManagedObjectID(entity: row.entity, primaryKey: row.key, anchor: anchor)
      let values = query.includesValues ? row.values : []
      if try !body(StoreRow(objectID: id, version: row.version, values: values)) || left == 0 {
        return
      }
    }
  }

  private func rows(concernedBy query: StoreQuery) -> some Sequence<RowTable.Row> {
    var known: (entity: EntityDescription, isWanted: Bool)?
    return tables[query.entity.hierarchyIndex].rows.lazy.filter { row in
      if let known, known.entity === row.entity { return known.isWanted }
      let isWanted = query.concerns(row.entity)
      known = (row.entity, isWanted)
      return isWanted
    }
  }

  public override func count(of query: StoreQuery) throws -> Int {
    var (query, count) = (query, 0)
    query.includesValues = false
    try enumerateRows(matching: query) { _ in
      count += 1
      return true
    }
    return count
  }

  public override func enumerate(
    _ table: TableQuery, _ body: ([Value]) throws -> Bool
  ) throws -> Bool {
    if isOfApp, table.columns.contains(where: \.isAggregate) {
      AppCodeWitness.tell(.aggregatesInMemory)
    }
    return false
  }

  public override var keepsUniquenessConstraints: Bool { !uniqueness.isEmpty }

  public override func owner(
    of key: [Value], under constraint: UniquenessConstraint
  ) -> ManagedObjectID? { uniqueness.owner(of: key, under: constraint) }

  // MARK: Writing

  public override func reservePrimaryKeys(
    _ count: Int, for entity: EntityDescription
  ) -> Int64 {
    let first = tables[entity.hierarchyIndex].lastKey + 1
    tables[entity.hierarchyIndex].lastKey += Int64(count)
    return first
  }

  /// Checks everything before anything is changed, so that a refused save leaves no trace.
  public override func save(_ changes: SaveRequest) throws { try deriving(changes, write) }

  public override func setDerived(
    _ value: Value, of attribute: AttributeDescription, in id: ManagedObjectID
  ) {
    tables[id.entity.hierarchyIndex].change(id.primaryKey) { $0.values[attribute.slot] = value }
  }

  /// The values that go into the store: transient ones end with their object, and SQLite, which this store stands for,
  /// has no "not a number": it keeps NULL.
  func stored(
    _ values: ContiguousArray<Value>, of entity: EntityDescription
  ) -> ContiguousArray<Value> {
    var stored = values
    for (slot, isStored) in slotsToCheck[entity.storeIndex]
    where !values[slot].isNull && (!isStored || values[slot].isNotANumber) { stored[slot] = .null }
    return stored
  }

  /// The relationships without inverse that may lead to an object.
  func relationshipsWithoutInverse(to id: ManagedObjectID) -> [RelationshipDescription] {
    withoutInverse.filter { $0.destinationEntity.rootEntity === id.entity.rootEntity }
  }
}

extension ManagedObjectModel {
  /// What is known of each entity, by its store index.
  fileprivate func byStoreIndex<Known>(_ body: (EntityDescription) -> [Known]) -> [[Known]] {
    var known = [[Known]](repeating: [], count: entities.count)
    for entity in entities { known[entity.storeIndex] = body(entity) }
    return known
  }
}

extension PropertyDescription {
  fileprivate var slotToCheck: (slot: Int, isStored: Bool)? {
    guard let attribute = self as? AttributeDescription else {
      return isTransient ? (slot, false) : nil
    }
    let mayBeNotANumber = [.double, .float, .decimal, .date].contains(attribute.attributeType)
    return attribute.isStored && !mayBeNotANumber ? nil : (slot, attribute.isStored)
  }
}

extension RelationshipDescription {
  /// Whether it leads to many objects that each have a key leading back: they are its members by these
  /// keys alone, whoever reports what.
  var followsKeys: Bool {
    isToMany && !isTransient && inverseRelationship.map { !$0.isToMany } ?? false
  }

  /// Whether it leads to many objects, none of which knows of it.
  var isUnanswered: Bool { isToMany && inverseRelationship == nil }

  fileprivate var memberKey: InMemoryStore.MemberKey? {
    guard !isToMany, !isTransient, let members = inverseRelationship, members.followsKeys else {
      return nil
    }
    return .init(slot: slot, members: members)
  }
}

extension Value {
  /// Whether the value is a number, or a date's, that isn't one and for which a column has NULL. A Decimal's
  /// column has a text.
  fileprivate var isNotANumber: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}
