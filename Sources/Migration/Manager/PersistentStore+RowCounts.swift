extension PersistentStore {
  /// How many rows each entity has, those of subentities not included.
  func rowCounts() throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for entity in model.entities where !entity.isAbstract {
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      counts[entity.name] = try count(of: query)
    }
    return counts
  }
}
