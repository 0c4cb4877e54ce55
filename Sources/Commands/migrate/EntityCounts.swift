/// How many objects of each entity a store holds, those of subentities not included.
struct EntityCounts: Hashable, Sendable {
  private(set) var byEntity: [String: Int] = [:]

  /// - Parameter known: The counts that are known already, by entity name.
  /// - Complexity: One count per entity that isn't abstract.
  init(of store: PersistentStore, known: [String: Int] = [:]) throws {
    for entity in store.model.entities where !entity.isAbstract {
      if let count = known[entity.name] {
        byEntity[entity.name] = count
        continue
      }
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      byEntity[entity.name] = try store.count(of: query)
    }
  }

  /// What a new store holds, by what was written into it; nil where a policy may have made more.
  init?(of store: PersistentStore, madeBy step: StepReport) {
    guard step.runs.allSatisfy({ $0.method != .manager }) else { return nil }
    for entity in store.model.entities where !entity.isAbstract { byEntity[entity.name] = 0 }
    for mapping in step.runs.flatMap(\.entityMappings) where mapping.destinationCount > 0 {
      byEntity[mapping.destinationEntity ?? "", default: 0] += mapping.destinationCount
    }
  }

  var total: Int { byEntity.values.reduce(0, +) }
}
