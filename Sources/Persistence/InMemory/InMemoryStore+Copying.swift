extension InMemoryStore {
  /// A store in memory with the rows of another, row numbers included. The models may be different
  /// objects, but must be equal to Core Data.
  package static func copying(
    _ store: PersistentStore, model: ManagedObjectModel? = nil
  ) throws -> InMemoryStore {
    let model = model ?? store.model
    let copy = InMemoryStore(model: model, identifier: store.identifier, metadata: store.metadata)
    copy.foundFileOfOriginal = try store.foundFile()
    var changes = SaveRequest()
    // What is wrong with the rows is for the migration to find, as it does in the file.
    changes.mayHaveDuplicates = true
    var lastKeys: [String: Int64] = [:]
    for entity in store.model.entities where !entity.isAbstract {
      guard let target = model.entity(named: entity.name) else { continue }
      let row = RowCopy(source: entity, target: target, from: store, to: copy)
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      try store.enumerateRows(matching: query) { stored in
        changes.inserted.append(try row.change(for: stored))
        let hierarchy = target.rootEntity.name
        lastKeys[hierarchy] = max(lastKeys[hierarchy] ?? 0, stored.objectID.primaryKey)
        try copy.saveEarly(&changes)
        return true
      }
    }
    for (hierarchy, key) in lastKeys {
      guard let root = model.entity(named: hierarchy) else { continue }
      _ = copy.reservePrimaryKeys(Int(key), for: root)
    }
    // A file that is opened with another model of the same version derives nothing, either.
    try copy.saveUnderived(changes)
    try copy.orderMembers(like: store)
    return copy
  }
}

extension InMemoryStore {
  /// Members are there by their keys, in no order.
  fileprivate func orderMembers(like store: PersistentStore) throws {
    for entity in store.model.entities where !entity.isAbstract {
      guard let target = model.entity(named: entity.name) else { continue }
      let ordered = target.relationships.filter { $0.isOrdered && $0.followsKeys }.compactMap {
        relationship in entity.relationship(named: relationship.name).map { ($0, relationship) }
      }
      if ordered.isEmpty { continue }
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      query.includesValues = false
      try store.enumerateRows(matching: query) { row in
        let owner = carried(row.objectID, of: target)
        for (source, relationship) in ordered {
          let members = try store.destinations(of: source, from: row.objectID)
          change(owner, relationship) { $0.order(as: members.map(\.primaryKey)) }
        }
        return true
      }
    }
  }

  /// The identifier of the same row in this store.
  /// - Parameter entity: Stands in for one that the model hasn't.
  fileprivate func carried(
    _ id: ManagedObjectID, of entity: EntityDescription
  ) -> ManagedObjectID {
    ManagedObjectID(
      entity: model.entity(named: id.entity.name) ?? entity, primaryKey: id.primaryKey, store: self)
  }

  /// Rows in one save.
  private static let batchCount = 1000

  /// Saves a part of many changes, so that not all of them are held twice; what is derived from other
  /// rows needs all of them.
  private func saveEarly(_ changes: inout SaveRequest) throws {
    guard changes.inserted.count >= Self.batchCount, derivations.isEmpty else { return }
    try save(changes)
    changes.inserted.removeAll(keepingCapacity: true)
  }
}

/// Carries rows of an entity over to the equal entity of another model.
private struct RowCopy {
  let target: EntityDescription
  /// By slot of the target, the source's slot.
  let slots: [Int?]
  let toMany: [(source: RelationshipDescription, target: RelationshipDescription)]
  let from: PersistentStore
  let to: InMemoryStore

  init(
    source: EntityDescription, target: EntityDescription, from: PersistentStore,
    to: InMemoryStore
  ) {
    self.target = target
    self.from = from
    self.to = to
    slots = target.properties.map { source.property(named: $0.name)?.slot }
    toMany = target.relationships.filter {
      $0.isToMany && !$0.isTransient && !$0.followsKeys
    }.compactMap { relationship in
      source.relationship(named: relationship.name).map { ($0, relationship) }
    }
  }

  func change(for row: StoreRow) throws -> SaveRequest.ObjectChange {
    let values = slots.map { $0.map { carried(row.values[$0]) } ?? .null }
    let links = try toMany.map { source, target in
      let members = try from.destinations(of: source, from: row.objectID).map(carried)
      return SaveRequest.ToManyChange(
        relationship: target, added: members, removed: [],
        ordered: target.isOrdered ? members : nil)
    }
    return SaveRequest.ObjectChange(
      objectID: carried(row.objectID), version: 0, values: ContiguousArray(values), toMany: links)
  }

  private func carried(_ value: Value) -> Value {
    guard case .object(let id as ManagedObjectID) = value else { return value }
    return .object(carried(id))
  }

  private func carried(_ id: ManagedObjectID) -> ManagedObjectID {
    to.carried(id, of: target)
  }
}
