/// A store that lives in memory, with the same content and the same errors as one on disk.
///
/// Shares no code with `SQLiteStore` below the protocol, so that each can be checked against the
/// other.
public final class InMemoryStore: PersistentStore {
  /// By the store index of an entity; only those of root entities are used, each for its whole hierarchy.
  var tables: ContiguousArray<InMemoryTable>
  let uniqueness: UniquenessChecker
  var unanswered: UnansweredLinks
  private var extraMetadata: [String: Any]
  /// By the entity's store index.
  let memberKeys: [[MemberKey]]
  /// The slots of properties that aren't stored, by the entity's store index.
  let transientSlots: [[Int]]
  /// The slots of values that may be "not a number", by the entity's store index.
  let numberSlots: [[Int]]

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
    tables = .init(repeating: .init(), count: configuration.model.entities.count)
    uniqueness = UniquenessChecker(
      keepsUniquenessConstraints ? UniquenessConstraint.all(of: configuration.model) : [])
    unanswered = UnansweredLinks(model: configuration.model)
    extraMetadata = metadata
    memberKeys = MemberKey.all(in: configuration.model)
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
    tables[entity.rootEntity.storeIndex].count > 0
  }

  public override func row(for id: ManagedObjectID) -> StoreRow? {
    let hierarchy = hierarchy(of: id)
    return number(of: id).map { storeRow($0, id, hierarchy: hierarchy) }
  }

  /// A row by its number.
  /// - Parameter id: An identifier with its key, which serves where it is as one that is made now.
  func storeRow(_ number: Int, _ id: ManagedObjectID, hierarchy: Int) -> StoreRow {
    var values: ContiguousArray<Value> = []
    tables[hierarchy].rows.copyValues(number, to: &values)
    let objectID = id.same(of: tables[hierarchy].rows.entity(number), in: anchor)
    return StoreRow(
      objectID: objectID, version: tables[hierarchy].rows.version(number), values: values)
  }

  public override func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> [ManagedObjectID] {
    var keys = members(of: relationship, from: id).keys
    if !relationship.isOrdered { keys.sort() }
    let hierarchy = relationship.destinationEntity.hierarchyIndex
    guard hierarchy < tables.count else { return [] }
    // A delete rule of no action leaves references behind; they lead nowhere.
    return keys.compactMap { key in
      tables[hierarchy].number(of: key).map {
        ManagedObjectID(entity: tables[hierarchy].rows.entity($0), primaryKey: key, anchor: anchor)
      }
    }
  }

  /// As in SQLite, members are what leads to a key, even where its row is gone.
  private func members(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> InMemoryMembers {
    let hierarchy = hierarchy(of: id)
    if let number = number(of: id) {
      return tables[hierarchy].rows.members(number, relationship.slot)
    }
    guard hierarchy < tables.count else { return .none }
    return tables[hierarchy].absent[id.primaryKey]?.members[relationship.slot] ?? .none
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
    let rows = InMemoryRows(of: query, in: self)
    try rows.forEachRow { row in
      if toSkip > 0 {
        toSkip -= 1
        return true
      }
      left -= 1
      let goesOn = try body(rows.storeRow(row, withValues: query.includesValues))
      return goesOn && left > 0
    }
  }

  public override func count(of query: StoreQuery) throws -> Int {
    if query.predicate == nil, query.limit == 0, query.offset == 0 {
      return tables[query.entity.hierarchyIndex].count(where: query.concerns)
    }
    var (query, count) = (query, 0)
    query.includesValues = false
    try enumerateRows(matching: query) { _ in
      count += 1
      return true
    }
    return count
  }

  func hierarchy(of id: ManagedObjectID) -> Int {
    id.entity.hierarchyIndex
  }

  /// The number of a row in its hierarchy's table; nil when there is no such row.
  func number(of id: ManagedObjectID) -> Int? {
    let hierarchy = hierarchy(of: id)
    // Identifiers of another model may come from anywhere.
    return hierarchy < tables.count ? tables[hierarchy].number(of: id.primaryKey) : nil
  }

  public override var keepsUniquenessConstraints: Bool { !uniqueness.isEmpty }

  public override func owner(
    of key: [Value], under constraint: UniquenessConstraint
  ) -> ManagedObjectID? { uniqueness.owner(of: key, under: constraint) }

  // MARK: Writing

  public override func reservePrimaryKeys(
    _ count: Int, for entity: EntityDescription
  ) -> Int64 {
    let hierarchy = entity.rootEntity.storeIndex
    let first = tables[hierarchy].lastKey + 1
    tables[hierarchy].lastKey += Int64(count)
    return first
  }

  /// Checks everything before anything is changed, so that a refused save leaves no trace.
  public override func save(_ changes: SaveRequest) throws {
    try deriving(changes, write)
  }

  /// Writes values as they are, those of derived attributes too.
  func saveUnderived(_ changes: SaveRequest) throws { try write(changes) }

  public override func setDerived(
    _ value: Value, of attribute: AttributeDescription, in id: ManagedObjectID
  ) {
    guard let number = number(of: id) else { return }
    tables[hierarchy(of: id)].rows.setValue(value, number, attribute.slot)
  }
}

// MARK: - Slots that need care

extension InMemoryStore {
  fileprivate static func transientSlots(of model: ManagedObjectModel) -> [[Int]] {
    slots(of: model) { entity in
      let attributes = entity.attributes.filter { !$0.isStored }.map(\.slot)
      let others = entity.properties.filter { $0.isTransient && !($0 is AttributeDescription) }
      return attributes + others.map(\.slot)
    }
  }

  fileprivate static func numberSlots(of model: ManagedObjectModel) -> [[Int]] {
    let types: Set<AttributeType> = [.double, .float, .decimal, .date]
    return slots(of: model) { entity in
      entity.attributes.filter { types.contains($0.attributeType) }.map(\.slot)
    }
  }

  private static func slots(
    of model: ManagedObjectModel, _ body: (EntityDescription) -> [Int]
  ) -> [[Int]] {
    var slots = [[Int]](repeating: [], count: model.entities.count)
    for entity in model.entities { slots[entity.storeIndex] = body(entity) }
    return slots
  }
}
