extension Situation {
  /// Some of the objects that a query finds, for a note.
  func examples(of query: ResolvedQuery, count: Int) throws -> [String] {
    count == 0 || count > 100 ? [] : ["found: \(list(try fetch(query)))"]
  }
}

extension Failure {
  /// The failure of a number of objects.
  func counting(_ query: ResolvedQuery, hasTooMany: Bool) -> Failure {
    var mismatch = self
    let entity = query.entity.name
    mismatch.target = Failure.Target(entity: entity)
    mismatch.question =
      query.predicate.map {
        .matching(.init(entity: entity, predicate: $0, hasTooMany: hasTooMany))
      } ?? .count(entity: entity)
    return mismatch
  }
}

extension Situation {
  /// Whether each seeded object has a local name that a scenario could write.
  var hasOnlyNamedOrigins: Bool { provenance.origins.allSatisfy { $0.name != nil } }

  /// The labels of the dropped seeded objects, of some entities or of all.
  func droppedOrigins(of entities: [String]) -> [String] {
    zip(provenance.origins, provenance.current).compactMap { origin, objects in
      guard objects.isEmpty, entities.isEmpty || entities.contains(origin.entity) else {
        return nil
      }
      return origin.label
    }
  }
}
