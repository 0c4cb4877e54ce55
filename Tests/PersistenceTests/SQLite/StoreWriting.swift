import Persistence

/// Writes to a store below contexts, row by row.
struct StoreWriting {
  let store: PersistentStore
  private var request = SaveRequest()

  init(_ store: PersistentStore) { self.store = store }

  /// A new row, with the values of some properties by name.
  @discardableResult
  mutating func insert(
    _ entity: String, _ values: [String: Value] = [:], toMany: [String: [ManagedObjectID]] = [:]
  ) throws -> ManagedObjectID {
    guard let description = store.model.entity(named: entity) else {
      throw CoreDataError(.coreData, "no entity \(entity)")
    }
    let key = try store.reservePrimaryKeys(1, for: description)
    let id = ManagedObjectID(entity: description, primaryKey: key, store: store)
    request.inserted.append(
      SaveRequest.ObjectChange(
        objectID: id, version: 0, values: Self.slots(of: description, values),
        toMany: Self.changes(of: description, toMany)))
    return id
  }

  /// Adds links to a row that was inserted before in this save.
  mutating func link(_ id: ManagedObjectID, _ name: String, to destinations: [ManagedObjectID]) {
    guard let index = request.inserted.firstIndex(where: { $0.objectID === id }) else { return }
    let old = request.inserted[index]
    request.inserted[index] = SaveRequest.ObjectChange(
      objectID: id, version: 0, values: old.values,
      toMany: old.toMany + Self.changes(of: id.entity, [name: destinations]))
  }

  mutating func update(
    _ row: StoreRow, _ values: [String: Value] = [:], toMany: [SaveRequest.ToManyChange] = []
  ) {
    var slots = row.values
    for (name, value) in values {
      if let slot = row.objectID.entity.property(named: name)?.slot { slots[slot] = value }
    }
    request.updated.append(
      SaveRequest.ObjectChange(
        objectID: row.objectID, version: row.version, values: slots, toMany: toMany))
  }

  mutating func delete(_ id: ManagedObjectID, version: Int64 = 1) {
    request.deleted.append(SaveRequest.Deletion(objectID: id, version: version))
  }

  /// - Parameter fromOneSide: Whether links may be told from one of their sides only.
  mutating func save(fromOneSide: Bool = false) throws {
    var changes = request
    changes.linksMayBeOneSided = fromOneSide
    request = SaveRequest()
    try store.save(changes)
  }

  private static func slots(
    of entity: EntityDescription, _ values: [String: Value]
  ) -> ContiguousArray<Value> {
    var slots = ContiguousArray<Value>(repeating: .null, count: entity.slotCount)
    for (name, value) in values {
      if let slot = entity.property(named: name)?.slot { slots[slot] = value }
    }
    return slots
  }

  private static func changes(
    of entity: EntityDescription, _ toMany: [String: [ManagedObjectID]]
  ) -> [SaveRequest.ToManyChange] {
    toMany.sorted { $0.key < $1.key }.compactMap { name, destinations in
      entity.relationship(named: name).map {
        SaveRequest.ToManyChange(
          relationship: $0, added: destinations, removed: [],
          ordered: $0.isOrdered ? destinations : nil)
      }
    }
  }
}

extension PersistentStore {
  /// All rows of an entity and its subentities.
  func rows(_ entity: String, subentities: Bool = true) throws -> [StoreRow] {
    guard let description = model.entity(named: entity) else { return [] }
    var query = StoreQuery(entity: description)
    query.includesSubentities = subentities
    var rows: [StoreRow] = []
    try enumerateRows(matching: query) {
      rows.append($0)
      return true
    }
    return rows
  }

  /// The primary keys that a relationship leads to.
  func keys(_ relationship: String, of id: ManagedObjectID) throws -> [Int64] {
    guard let description = id.entity.relationship(named: relationship) else { return [] }
    return try destinations(of: description, from: id).map(\.primaryKey)
  }
}

extension StoreRow {
  func value(_ name: String) -> Value {
    guard let property = objectID.entity.property(named: name) else { return .null }
    return values[property.slot]
  }
}
