/// How many objects of each entity a store holds, those of subentities not included.
struct EntityCounts: Hashable, Sendable {
  private(set) var byEntity: [String: Int] = [:]

  /// - Complexity: One count per entity that isn't abstract.
  init(of store: PersistentStore) throws {
    for entity in store.model.entities where !entity.isAbstract {
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      byEntity[entity.name] = try store.count(of: query)
    }
  }

  var total: Int { byEntity.values.reduce(0, +) }
}
