import OrderedCollections

extension InMemoryStore {
  /// A store in memory with the rows of another, row numbers included. The models may be different
  /// objects, but must be equal to Core Data.
  ///
  /// What is wrong with the rows is for the migration to find, as it does in the file. A file that is opened with
  /// another model of the same version derives nothing, either.
  package static func copying(
    _ store: PersistentStore, model: ManagedObjectModel? = nil
  ) throws -> InMemoryStore {
    let copy = InMemoryStore(
      model: model ?? store.model, identifier: store.identifier, metadata: store.metadata)
    copy.foundFileOfOriginal = try store.foundFile()
    let entities = store.model.entities.filter { !$0.isAbstract }.compactMap { entity in
      copy.model.entity(named: entity.name).map { (entity, $0) }
    }
    for (entity, target) in entities { try copy.copyRows(of: entity, in: store, as: target) }
    for (entity, target) in entities { try copy.copyMembers(of: entity, in: store, as: target) }
    return copy
  }

  private func copyRows(
    of entity: EntityDescription, in store: PersistentStore, as target: EntityDescription
  ) throws {
    let slots = target.properties.map { entity.property(named: $0.name)?.slot }
    var moves = Moves()
    try store.enumerateRows(matching: Self.query(for: entity, withValues: true)) { row in
      let id = carried(row.objectID, of: target)
      let values = slots.map { $0.map { carried(row.values[$0], of: target) } ?? .null }
      uniqueness.take(id, ContiguousArray(values))
      insert(id, version: 1, values: ContiguousArray(values), moves: &moves)
      let hierarchy = target.hierarchyIndex
      tables[hierarchy].lastKey = max(tables[hierarchy].lastKey, id.primaryKey)
      return true
    }
    carryOut(moves, inKeyOrder: false)
  }

  /// Copies the links that aren't by a key, and the order of those that are.
  private func copyMembers(
    of entity: EntityDescription, in store: PersistentStore, as target: EntityDescription
  ) throws {
    let relationships = target.relationships.filter {
      $0.isToMany && !$0.isTransient && ($0.isOrdered || !$0.followsKeys)
    }.compactMap { relationship in
      entity.relationship(named: relationship.name).map { ($0, relationship) }
    }
    if relationships.isEmpty { return }
    try store.enumerateRows(matching: Self.query(for: entity, withValues: false)) { row in
      let id = carried(row.objectID, of: target)
      for (source, relationship) in relationships {
        let keys = try store.destinations(of: source, from: row.objectID).map(\.primaryKey)
        if relationship.followsKeys {
          order(relationship, of: id, as: keys)
        } else if relationship.isUnanswered {
          for key in keys { give(key, to: id, relationship) }
        } else if !keys.isEmpty {
          members[ObjectRelationship(relationship, of: id.primaryKey)] = OrderedSet(keys)
        }
      }
      return true
    }
  }

  private static func query(for entity: EntityDescription, withValues: Bool) -> StoreQuery {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    query.includesValues = withValues
    return query
  }

  private func carried(_ value: Value, of entity: EntityDescription) -> Value {
    guard case .object(let id as ManagedObjectID) = value else { return value }
    return .object(carried(id, of: entity))
  }

  /// The identifier of the same row in this store.
  /// - Parameter entity: Stands in for one that the model hasn't.
  private func carried(_ id: ManagedObjectID, of entity: EntityDescription) -> ManagedObjectID {
    ManagedObjectID(
      entity: model.entity(named: id.entity.name) ?? entity, primaryKey: id.primaryKey,
      anchor: anchor)
  }
}
