/// Finds expectations that hold only because there is nothing they could be wrong about, unless the
/// scenario expects just that.
struct VacuityCheck {
  let situation: Situation
  /// The entities that the scenario expects to have no objects here.
  private let emptyEntities: Set<String>
  /// The objects that the scenario expects to lead nowhere here, by the relationship's name.
  private let unlinkedObjects: [String: [ResolvedReference]]
  /// Where the scenario expects all objects of an entity to lead nowhere here, as `Entity.relationship`.
  private let emptyPaths: Set<String>

  /// - Parameter expectations: All that the scenario expects here.
  init(_ situation: Situation, expecting expectations: [ResolvedExpectation]) {
    self.situation = situation
    let checks = Self.checks(of: expectations, at: situation.version)
    emptyEntities = Set(checks.flatMap(\.emptyEntities))
    unlinkedObjects = checks.reduce(into: [:]) {
      $0.merge($1.unlinkedObjects) { $0 + $1 }
    }
    emptyPaths = Set(checks.flatMap(\.emptyPaths))
  }

  /// What is looked at in the objects of a version.
  static func checks(
    of expectations: [ResolvedExpectation], at version: String
  ) -> [any ObjectsCheck] {
    expectations.compactMap { expectation in
      if case .objects(let check) = expectation.subject(at: version) { check } else { nil }
    }
  }

  /// - Parameter looked: See ``ObjectsCheck/looked``.
  func emptiness(of looked: [(objects: ResolvedQuery, least: Int)]) throws -> [Failure] {
    try looked.compactMap { try emptiness(of: $0, ofAtLeast: $1) }
  }

  /// - Parameters:
  ///   - query: All objects of an entity.
  ///   - least: So many there must be to be wrong about.
  func emptiness(of query: ResolvedQuery, ofAtLeast least: Int = 1) throws -> Failure? {
    if isExpectedToBeEmpty(query.entity) { return nil }
    let count = try situation.count(query)
    if count >= least { return nil }
    return vacuous(query.entity.name, count: count, at: query.written.entity.place)
  }

  /// That a condition holds, or doesn't, says nothing where what it looks at isn't there and would decide.
  /// - Parameters:
  ///   - truth: What the query's condition must come to.
  ///   - isOfEach: Whether it must do so for every object, rather than for some.
  func emptiness(
    ofObjectsBehind query: ResolvedQuery, toBe truth: Bool, ofEach isOfEach: Bool,
    at place: SourcePlace
  ) throws -> Failure? {
    guard let predicate = query.predicate else { return nil }
    let condition = TriedCondition(predicate, about: query.entity)
    let ways = condition.ways
    if ways.isEmpty { return nil }
    let all = try situation.fetch(query.withoutCondition)
    let looked = try isOfEach ? all : all.filter { try predicate.evaluate(keyed: $0) == truth }
    for way in ways {
      var resting: [ManagedObject] = []
      var meantCount = 0
      var hasObjects = false
      var isDecided = false
      for object in looked where !isDecided {
        let weight = try condition.weight(of: way, for: object, where: truth) {
          isExpectedToLeadNowhere($0.relationships, from: [object], query.entity)
        }
        if case .lacking(let has) = weight {
          resting.append(object)
          hasObjects = hasObjects || has
        } else {
          if weight == .meant { meantCount += 1 }
          isDecided = weight == .decisive || !isOfEach
        }
      }
      if resting.isEmpty || isDecided { continue }
      let isOfRest = resting.count + meantCount < looked.count
      return vacuous(
        query, lacking: hasObjects ? condition.paths(at: way) : [way.path],
        note: hasObjects
          ? "what is nil is passed over: expect something of each \(way.entity.name) instead"
          : remedy(
            way.relationships, query.entity, isOfRest: isOfRest, toBe: truth),
        isOfRest: isOfRest || !hasObjects && all.contains { !way.end(from: $0).isEmpty }, at: place)
    }
    return nil
  }

  private func vacuous(
    _ query: ResolvedQuery, lacking paths: [String], note: String, isOfRest: Bool,
    at place: SourcePlace
  ) -> Failure {
    let rest = isOfRest ? " that the rest of the condition leaves" : ""
    let shown = paths.map { "'\($0)'" }.joined(separator: " or ")
    return Failure(
      .nothingLookedAt, at: place, query.shown, expected: "values to look at",
      found: "no \(query.entity.name)\(rest) has any \(shown)", notes: [note])
  }

  /// What to write where objects are meant to have nothing at the end of a way.
  private func remedy(
    _ way: [RelationshipDescription], _ entity: EntityDescription, isOfRest: Bool, toBe truth: Bool
  ) -> String {
    // A count can't be taken through several to-many relationships.
    let start = (way.dropLast().lastIndex(where: \.isToMany) ?? -1) + 1
    let owner = start == 0 ? entity : way[start - 1].destinationEntity ?? entity
    let path = way[start...].map(\.name).joined(separator: ".")
    let isToMany = way[start...].contains(where: \.isToMany)
    let (nothing, something) =
      isToMany
      ? ("\(path).@count == 0", "\(path).@count > 0") : ("\(path) == nil", "\(path) != nil")
    return switch (isOfRest && start == 0, truth) {
    case (false, _):
      "if that is intended, expect it, too: - all: \(owner.name) where \(nothing)"
    case (true, true): "if that is intended, say so in the condition: \(nothing) OR …"
    case (true, false): "if that is intended, say so in the condition: \(something) AND …"
    }
  }

  /// Whether another expectation says that a way ends at an entity without objects, that nothing leads along a
  /// part of it, or that none of the objects leads anywhere by its first relationship.
  func isExpectedToLeadNowhere(
    _ way: [RelationshipDescription], from objects: [ManagedObject], _ entity: EntityDescription
  ) -> Bool {
    guard let first = way.first else { return false }
    return areExpectedToBeUnlinked(objects, by: first)
      || way.contains { $0.destinationEntity.map(isExpectedToBeEmpty) ?? false }
      || way.indices.contains { start in
        let owner: EntityDescription? = start == 0 ? entity : way[start - 1].destinationEntity
        return isSaidToLeadNowhere(way[start...].map(\.name), from: owner)
      }
  }

  private func areExpectedToBeUnlinked(
    _ objects: [ManagedObject], by relationship: RelationshipDescription
  ) -> Bool {
    guard let references = unlinkedObjects[relationship.name] else { return false }
    // An expectation of an object that isn't there fails by itself.
    let unlinked = Set(references.compactMap { try? situation.object($0).objectID })
    return objects.allSatisfy { unlinked.contains($0.objectID) }
  }

  /// Whether another expectation says that nothing is at the end of a path, or on the way.
  private func isSaidToLeadNowhere(_ path: [String], from entity: EntityDescription?) -> Bool {
    let owners = entity.map { Array(sequence(first: $0, next: \.superentity)) } ?? []
    return owners.contains { owner in
      path.indices.contains {
        emptyPaths.contains("\(owner.name).\(path[...$0].joined(separator: "."))")
      }
    }
  }

  private func vacuous(_ entity: String, count: Int, at place: SourcePlace) -> Failure {
    return Failure(
      .nothingLookedAt, at: place, entity, expected: "objects to look at",
      found: count == 0 ? "there is no \(entity) at all" : "there is but one \(entity)",
      notes: [
        count == 0
          ? "if that is intended, expect it: - count: { \(entity): 0 }"
          : "seed another \(entity): one object alone repeats nothing"
      ])
  }

  /// Whether another expectation says that there is none of an entity, or of one above it.
  func isExpectedToBeEmpty(_ entity: EntityDescription) -> Bool {
    emptyEntities.contains { entity.isNamedOrDescends(from: $0) }
  }

  func unseeded(_ entities: [Located<String>], at place: SourcePlace) -> Failure? {
    let wanted = Set(entities.map(\.value))
    let isSeeded = situation.provenance.origins.contains {
      wanted.isEmpty || wanted.contains($0.entity)
    }
    if isSeeded { return nil }
    let names = entities.map(\.value).joined(separator: ", ")
    return Failure(
      .nothingLookedAt, at: place, "seeded objects", expected: "objects to look at",
      found: names.isEmpty ? "the seed is empty" : "the seed has no \(names)")
  }
}

extension ResolvedQuery {
  /// What is looked at where none may be found. That there is none of an entity says enough; that none has a property
  /// says nothing if there is none at all.
  var lookedAtForNone: [(objects: ResolvedQuery, least: Int)] {
    predicate == nil ? [] : [(withoutCondition, 1)]
  }
}
