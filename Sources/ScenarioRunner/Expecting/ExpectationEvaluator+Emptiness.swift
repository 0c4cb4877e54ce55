// Expectations that hold only because there is nothing they could be wrong about.

extension ExpectationEvaluator {
  /// A statement about each object of an entity that has none, unless the scenario expects just
  /// that.
  func emptiness(of expectation: Expectation) throws -> [Mismatch] {
    switch expectation.check {
    case .unique(let keys), .required(let keys):
      return try keys.compactMap { try emptiness(of: $0.entity) }
    case .inverse(let keys): return try keys.compactMap(unlinked)
    case .count(let counts):
      return try counts.filter { $0.count.value == 0 }.compactMap { try emptiness(of: $0.query) }
    case .quantity(.none, let query), .quantity(.exactly(0), let query):
      return try emptiness(of: query).map { [$0] } ?? []
    case .everySourceMigrated(let entities):
      return unseeded(entities, at: expectation.place).map { [$0] } ?? []
    case .dropped(let list) where list.isEmpty:
      return unseeded([], at: expectation.place).map { [$0] } ?? []
    default: return []
    }
  }

  /// That there is none of an entity says enough; that none has a property says nothing if there is
  /// none at all.
  private func emptiness(of query: ObjectQuery) throws -> Mismatch? {
    query.predicate == nil ? nil : try emptiness(of: query.entity)
  }

  private func emptiness(of entity: Located<String>) throws -> Mismatch? {
    if isExpectedToBeEmpty(entity.value) { return nil }
    let count = try situation.count(ObjectQuery(entity: entity, predicate: nil))
    return count > 0 ? nil : vacuous(entity.value, at: entity.place)
  }

  private func vacuous(_ entity: String, at place: SourcePlace) -> Mismatch {
    var mismatch = Mismatch(
      at: place, entity, expected: "objects to look at", found: "there is no \(entity) at all",
      notes: ["if that is right, expect it: - count: { \(entity): 0 }"])
    mismatch.isVacuous = true
    return mismatch
  }

  /// Whether another expectation says that there is none of an entity, or of one above it.
  private func isExpectedToBeEmpty(_ name: String) -> Bool {
    var entity = situation.model.entity(named: name)
    while let current = entity {
      if emptyEntities.contains(current.name) { return true }
      entity = current.superentity
    }
    return false
  }

  private func unlinked(_ reference: PropertyReference) throws -> Mismatch? {
    if let mismatch = try emptiness(of: reference.entity) { return mismatch }
    if isExpectedToBeEmpty(reference.entity.value) { return nil }
    let objects = try situation.fetch(ObjectQuery(entity: reference.entity, predicate: nil))
    for name in reference.properties where objects.allSatisfy({ $0.isEmpty(name.value) }) {
      if try isLinkedTo(reference.entity, by: name) { continue }
      let unlinked = unlinkedObjects["\(reference.entity.value).\(name.value)"] ?? []
      if unlinked.count >= objects.count { continue }
      var mismatch = Mismatch(
        at: name.place, reference.shown, expected: "links to look at",
        found: "no \(reference.entity.value) leads anywhere by '\(name.value)'",
        notes: ["if that is right, expect it of each of them: has: { \(name.value): [] }"])
      mismatch.isVacuous = true
      return mismatch
    }
    return nil
  }

  /// Whether an object leads to one of an entity by the inverse of a relationship.
  private func isLinkedTo(_ entity: Located<String>, by name: Located<String>) throws -> Bool {
    guard
      let inverse = situation.model.entity(named: entity.value)?
        .relationship(named: name.value)?.inverseRelationship
    else { return false }
    let other = Located(inverse.entity.name, at: name.place)
    return try situation.fetch(ObjectQuery(entity: other, predicate: nil)).contains {
      !$0.isEmpty(inverse.name)
    }
  }

  private func unseeded(_ entities: [Located<String>], at place: SourcePlace) -> Mismatch? {
    let wanted = Set(entities.map(\.value))
    let isSeeded = situation.provenance.origins.contains {
      wanted.isEmpty || wanted.contains($0.entity)
    }
    if isSeeded { return nil }
    let names = entities.map(\.value).joined(separator: ", ")
    var mismatch = Mismatch(
      at: place, "seeded objects", expected: "objects to look at",
      found: names.isEmpty ? "the seed is empty" : "the seed has no \(names)")
    mismatch.isVacuous = true
    return mismatch
  }
}

extension [Expectation] {
  /// The entities that are expected to have no objects.
  var emptyEntities: Set<String> {
    Set(
      flatMap { expectation -> [String] in
        switch expectation.check {
        case .count(let counts):
          counts.filter { $0.count.value == 0 && $0.query.predicate == nil }.map(
            \.query.entity.value)
        case .quantity(.none, let query), .quantity(.exactly(0), let query):
          query.predicate == nil ? [query.entity.value] : []
        default: []
        }
      })
  }

  /// The objects that are expected to lead nowhere, by `Entity.relationship`.
  var unlinkedObjects: [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for expectation in self {
      guard case .object(let object) = expectation.check else { continue }
      for value in object.values where value.value.list?.isEmpty == true {
        let name = value.key.value.prefix { $0 != "." }
        found["\(object.object.entity.value).\(name)", default: []].insert(object.object.shown)
      }
    }
    return found
  }
}
