import Persistence

/// A store of plain dictionaries, written against ``PersistentStore`` alone: the proof that a backend needs
/// nothing else of Persistence. It is tested like the two that come with it, and is as simple as can be.
public final class DictionaryStore: PersistentStore {
  private var contents = Contents()
  private var ownMetadata: [String: Any]
  /// Who leads to whom by a key, by relationship and destination; nil when something was saved since.
  private var referrers: [String: [Int64: [Int64]]]?

  /// A value, so that a save that fails is undone by taking the one of before.
  private struct Contents {
    /// By the name of the root entity, and key.
    var rows: [String: [Int64: Row]] = [:]
    var lastKeys: [String: Int64] = [:]
    /// The members of relationships to many that no key leads back from, by relationship and owner.
    var links: [String: [Int64: [Int64]]] = [:]
    /// Members of ordered relationships as they were ordered or joined, by relationship and owner.
    var orders: [String: [Int64: [Int64]]] = [:]
  }

  fileprivate struct Row {
    let entity: EntityDescription
    var version: Int64
    var values: ContiguousArray<Value>
  }

  public init(
    configuration: StoreConfiguration, identifier: String = UUID().uuidString, url: URL? = nil,
    metadata: [String: Any] = [:]
  ) {
    ownMetadata = metadata
    super.init(configuration: configuration, identifier: identifier, url: url)
  }

  /// A store with the rows of another, which may be changed without the other.
  public convenience init(copying other: DictionaryStore) {
    self.init(
      configuration: other.configuration, identifier: other.identifier,
      metadata: other.ownMetadata)
    contents = other.contents
    for (root, rows) in contents.rows {
      contents.rows[root] = rows.mapValues { row in
        var row = row
        for case (let slot, .object(let id as ManagedObjectID)) in row.values.enumerated() {
          row.values[slot] = .object(
            ManagedObjectID(entity: id.entity, primaryKey: id.primaryKey, store: self))
        }
        return row
      }
    }
  }

  public override var type: String { "Dictionary" }

  public override var metadata: [String: Any] {
    get {
      ownMetadata.merging([
        "NSStoreType": type, "NSStoreUUID": identifier,
        "NSStoreModelVersionHashes": configuration.versionHashes,
        "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": model.versionIdentifiers,
      ]) { _, new in new }
    }
    set { ownMetadata = newValue }
  }

  // MARK: Reading

  public override func mayHaveRows(of entity: EntityDescription) -> Bool {
    contents.rows[entity.rootEntity.name]?.isEmpty == false
  }

  public override func row(for id: ManagedObjectID) -> StoreRow? {
    row(id).map { stored(id.primaryKey, $0) }
  }

  private func row(_ id: ManagedObjectID) -> Row? {
    contents.rows[id.entity.rootEntity.name]?[id.primaryKey]
  }

  private func stored(_ key: Int64, _ row: Row, withValues: Bool = true) -> StoreRow {
    StoreRow(
      objectID: ManagedObjectID(entity: row.entity, primaryKey: key, store: self),
      version: row.version, values: withValues ? row.values : [])
  }

  public override func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) -> [ManagedObjectID] {
    let rows = contents.rows[relationship.destinationEntity.rootEntity.name] ?? [:]
    let members = Set(members(of: relationship, from: id.primaryKey))
    let known = relationship.isOrdered ? contents.orders[relationship.path]?[id.primaryKey] : nil
    let order = (known ?? []).filter(members.contains)
    return (order + members.subtracting(order).sorted()).compactMap { key in
      rows[key].map { ManagedObjectID(entity: $0.entity, primaryKey: key, store: self) }
    }
  }

  private func members(of relationship: RelationshipDescription, from key: Int64) -> [Int64] {
    guard relationship.isAnsweredByKeys else {
      return contents.links[relationship.path]?[key] ?? []
    }
    let referrers = referrers ?? findReferrers()
    self.referrers = referrers
    return referrers[relationship.path]?[key] ?? []
  }

  private func findReferrers() -> [String: [Int64: [Int64]]] {
    var found: [String: [Int64: [Int64]]] = [:]
    for (key, row) in contents.rows.values.joined() {
      for (inverse, owner) in row.references {
        found[inverse.path, default: [:]][owner, default: []].append(key)
      }
    }
    return found
  }

  public override func capability(for query: StoreQuery) -> QueryCapability {
    query.predicate == nil && query.sortDescriptors.isEmpty ? .all : []
  }

  public override func enumerateRows(
    matching query: StoreQuery, _ body: (StoreRow) throws -> Bool
  ) throws {
    let rows = contents.rows[query.entity.rootEntity.name] ?? [:]
    let isPaged = capability(for: query) == .all
    var found = rows.keys.sorted().filter { rows[$0].map { query.isFor($0.entity) } == true }[...]
    if isPaged { found = found.dropFirst(query.offset) }
    if isPaged, query.limit > 0 { found = found.prefix(query.limit) }
    for key in found {
      guard let row = rows[key] else { continue }
      if try !body(stored(key, row, withValues: query.includesValues)) { return }
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

  public override func owner(
    of key: [Value], under constraint: UniquenessConstraint
  ) -> ManagedObjectID? { owners(under: constraint).first { $0.key == key }?.id }

  private func owners(under constraint: UniquenessConstraint) -> [(
    key: [Value], id: ManagedObjectID
  )] {
    let rows = contents.rows[constraint.entity.rootEntity.name] ?? [:]
    return rows.sorted { $0.key < $1.key }.compactMap { key, row in
      constraint.key(of: row.entity, row.values).map { ($0, stored(key, row).objectID) }
    }
  }

  // MARK: Writing

  public override func reservePrimaryKeys(_ count: Int, for entity: EntityDescription) -> Int64 {
    let first = contents.lastKeys[entity.rootEntity.name, default: 0] + 1
    contents.lastKeys[entity.rootEntity.name] = first + Int64(count) - 1
    return first
  }

  public override func save(_ changes: SaveRequest) throws {
    let before = contents
    defer { referrers = nil }
    do { try deriving(changes, write) } catch {
      contents = before
      throw error
    }
  }

  public override func setDerived(
    _ value: Value, of attribute: AttributeDescription, in id: ManagedObjectID
  ) { contents.rows[id.entity.rootEntity.name]?[id.primaryKey]?.values[attribute.slot] = value }

  private func write(_ changes: SaveRequest) throws {
    try checkVersions(changes)
    for deletion in changes.deleted { delete(deletion.objectID) }
    let reported = changes.updated + changes.inserted
    var written = reported
    // Who joins an owner that doesn't report it comes in the order of keys.
    if changes.linksMayBeOneSided {
      written.sort { $0.objectID.primaryKey < $1.objectID.primaryKey }
    }
    for change in written { set(change) }
    if !changes.mayHaveDuplicates { try checkUniqueness(of: Set(written.map(\.objectID))) }
    for change in written {
      for toMany in change.toMany where toMany.relationship.inverseRelationship != nil {
        link(toMany, of: change.objectID)
      }
    }
    // Of several owners that take a member the last one reported has it.
    for change in reported {
      for toMany in change.toMany where toMany.relationship.inverseRelationship == nil {
        link(toMany, of: change.objectID)
      }
    }
    for change in written { for toMany in change.toMany { order(toMany, of: change.objectID) } }
    referrers = nil
  }

  private func checkVersions(_ changes: SaveRequest) throws {
    let known =
      changes.updated.map { ($0.objectID, $0.version) }
      + changes.deleted.map { ($0.objectID, $0.version) }
    for (id, version) in known where row(id)?.version != version {
      throw CoreDataError.changedSinceRead(id)
    }
    for change in changes.inserted where row(change.objectID) != nil {
      throw CoreDataError.changedSinceRead(change.objectID)
    }
  }

  private func set(_ change: SaveRequest.ObjectChange) {
    let (entity, key) = (change.objectID.entity, change.objectID.primaryKey)
    let before = row(change.objectID)
    let row = Row(
      entity: entity, version: before.map { $0.version + 1 } ?? max(change.version, 1),
      values: entity.stored(change.values))
    contents.rows[entity.rootEntity.name, default: [:]][key] = row
    let (old, new) = (before?.references ?? [], row.references)
    for (inverse, owner) in old where !new.contains(where: { $0 == (inverse, owner) }) {
      contents.orders[inverse.path]?[owner]?.removeAll { $0 == key }
    }
    for (inverse, owner) in new where !old.contains(where: { $0 == (inverse, owner) }) {
      contents.orders[inverse.path, default: [:]][owner, default: []].append(key)
    }
  }

  private func delete(_ id: ManagedObjectID) {
    let key = id.primaryKey
    let row = contents.rows[id.entity.rootEntity.name]?.removeValue(forKey: key)
    for (inverse, owner) in row?.references ?? [] {
      contents.orders[inverse.path]?[owner]?.removeAll { $0 == key }
    }
    for relationship in model.entities.flatMap(\.relationships)
    where relationship.isToMany && !relationship.isAnsweredByKeys {
      if id.entity.isKindOf(entity: relationship.entity) {
        contents.links[relationship.path]?[key] = nil
        contents.orders[relationship.path]?[key] = nil
      }
      if id.entity.rootEntity === relationship.destinationEntity.rootEntity {
        for owner in contents.links[relationship.path, default: [:]].keys {
          contents.links[relationship.path]?[owner]?.removeAll { $0 == key }
          contents.orders[relationship.path]?[owner]?.removeAll { $0 == key }
        }
      }
    }
  }

  private func link(_ change: SaveRequest.ToManyChange, of owner: ManagedObjectID) {
    let relationship = change.relationship
    if relationship.isAnsweredByKeys { return }
    for member in change.removed { unlink(owner.primaryKey, member.primaryKey, relationship) }
    for member in change.added where row(member) != nil {
      // Without inverse a member has one owner.
      if relationship.inverseRelationship == nil {
        for other in contents.links[relationship.path, default: [:]].keys {
          unlink(other, member.primaryKey, relationship)
        }
      }
      link(owner.primaryKey, member.primaryKey, relationship)
    }
  }

  /// Members that their owner doesn't know come last, as they came.
  private func order(_ change: SaveRequest.ToManyChange, of owner: ManagedObjectID) {
    guard let ordered = change.ordered?.map(\.primaryKey) else { return }
    let known = contents.orders[change.relationship.path]?[owner.primaryKey] ?? []
    contents.orders[change.relationship.path, default: [:]][owner.primaryKey] =
      ordered + known.filter { !ordered.contains($0) }
  }

  /// Both sides may report a link, or one of them.
  private func link(_ owner: Int64, _ member: Int64, _ relationship: RelationshipDescription) {
    func add(_ owner: Int64, _ member: Int64, _ path: String) {
      if contents.links[path]?[owner]?.contains(member) == true { return }
      contents.links[path, default: [:]][owner, default: []].append(member)
      contents.orders[path, default: [:]][owner, default: []].append(member)
    }
    add(owner, member, relationship.path)
    if let inverse = relationship.inverseRelationship { add(member, owner, inverse.path) }
  }

  private func unlink(_ owner: Int64, _ member: Int64, _ relationship: RelationshipDescription) {
    func remove(_ owner: Int64, _ member: Int64, _ path: String) {
      contents.links[path]?[owner]?.removeAll { $0 == member }
      contents.orders[path]?[owner]?.removeAll { $0 == member }
    }
    remove(owner, member, relationship.path)
    if let inverse = relationship.inverseRelationship { remove(member, owner, inverse.path) }
  }

  private func checkUniqueness(of changed: Set<ManagedObjectID>) throws {
    for constraint in UniquenessConstraint.all(of: model) {
      var taken: [[Value]: ManagedObjectID] = [:]
      for (key, id) in owners(under: constraint) {
        if let other = taken.updateValue(id, forKey: key), !changed.isDisjoint(with: [id, other]) {
          throw CoreDataError.constraintViolated(
            entity: constraint.entity.name, properties: constraint.names, values: key,
            objects: [other, id])
        }
      }
    }
  }
}

extension DictionaryStore.Row {
  /// The relationships to many that the row is in by a key, and whose.
  fileprivate var references: [(inverse: RelationshipDescription, owner: Int64)] {
    entity.relationships.compactMap { relationship in
      guard let inverse = relationship.inverseRelationship, inverse.isAnsweredByKeys,
        case .object(let id as ManagedObjectID) = values[relationship.slot]
      else { return nil }
      return (inverse, id.primaryKey)
    }
  }
}

extension EntityDescription {
  /// The values that go into a store: transient ones end with their object, and "not a number" is NULL.
  fileprivate func stored(_ values: ContiguousArray<Value>) -> ContiguousArray<Value> {
    var values = values
    for property in properties where property.slot < values.count {
      let isStored = (property as? AttributeDescription)?.isStored ?? !property.isTransient
      if !isStored || values[property.slot].isNotANumber { values[property.slot] = .null }
    }
    return values
  }
}

extension Value {
  fileprivate var isNotANumber: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

extension RelationshipDescription {
  /// The same for the relationship in all entities that inherit it.
  fileprivate var path: String { "\(entity.name).\(name)" }

  /// Whether each member leads back by a key.
  fileprivate var isAnsweredByKeys: Bool {
    isToMany && inverseRelationship.map { !$0.isToMany } == true
  }
}

extension StoreQuery {
  fileprivate func isFor(_ candidate: EntityDescription) -> Bool {
    candidate === entity || includesSubentities && candidate.isKindOf(entity: entity)
  }
}
