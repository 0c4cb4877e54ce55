/// `inverse: Event.tags`.
struct InverseExpectation: ObjectsExpectation {
  let keys: [PropertyReference]

  static let forms = [
    ExpectationForm(
      "inverse", "inverse: Event.tags", "both sides of the relationship agree, for every object",
      schema: ##"{"$ref": "#/$defs/texts"}"##)
  ]

  static func read(
    _ keyword: Located<String>, _ node: SourceNode, _ fields: Fields, by reader: ScenarioReader
  ) -> Self? {
    InverseExpectation(keys: reader.properties(node, of: keyword.value, needsProperty: true))
  }

  var isEmpty: Bool { keys.isEmpty }

  func check(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) {
    for key in keys { check(key, by: checker, scope) }
  }

  private func check(
    _ reference: PropertyReference, by checker: ScenarioChecker, _ scope: ModelScope
  ) {
    checker.collector.attempt(at: reference.entity.place) {
      let entity = try scope.model.entity(reference.entity, version: scope.version)
      for name in reference.properties {
        let relationship = try entity.relationship(name, version: scope.version)
        if relationship.inverseRelationship == nil {
          throw Diagnostic(
            "'\(reference.shown)' has no inverse in \(scope.version)", at: name.place)
        }
      }
    }
  }

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Mismatch] {
    try keys.flatMap { try mismatches($0, in: situation) }
  }

  private func mismatches(_ reference: PropertyReference, in situation: Situation) throws
    -> [Mismatch]
  {
    try reference.properties.compactMap { name in
      let entity = try situation.model.entity(reference.entity, version: situation.version)
      guard let relationship = entity.relationship(named: name.value),
        let inverse = relationship.inverseRelationship
      else { return nil }
      let there = try links(relationship, of: entity, in: situation)
      let back = try links(inverse, of: relationship.destinationEntity, in: situation)
      let oneSided =
        there.filter { !back.contains($0.reversed) }
        + back.filter { !there.contains($0.reversed) && $0.to.entity.isKindOf(entity: entity) }
      if oneSided.isEmpty { return nil }
      let notes = oneSided.map {
        "\(situation.label($0.from)) leads to \(situation.label($0.to)), which doesn't lead back"
      }
      return Mismatch(
        at: name.place, "\(reference.entity.value).\(name.value)", expected: "both sides agree",
        found: "\(oneSided.count) one-sided", notes: Array(notes.sorted().prefix(5)))
    }
  }

  /// One side of a link between two objects.
  private struct Link: Hashable {
    let from: ManagedObject
    let to: ManagedObject
    var reversed: Link { Link(from: to, to: from) }
  }

  private func links(
    _ relationship: RelationshipDescription, of entity: EntityDescription, in situation: Situation
  ) throws -> Set<Link> {
    let request = FetchRequest<ManagedObject>()
    request.entity = entity
    let objects = try situation.context.fetch(request)
    return Set(
      objects.flatMap { object in
        object.members(of: relationship).map { Link(from: object, to: $0) }
      })
  }

  // MARK: Nothing to look at

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Mismatch] {
    try keys.compactMap { try unlinked($0, check) }
  }

  private func unlinked(_ reference: PropertyReference, _ check: VacuityCheck) throws -> Mismatch? {
    if let mismatch = try check.emptiness(of: reference.entity) { return mismatch }
    if check.isExpectedToBeEmpty(reference.entity.value) { return nil }
    let objects = try check.situation.fetch(ObjectQuery(entity: reference.entity, predicate: nil))
    for name in reference.properties where objects.allSatisfy({ $0.isEmpty(name.value) }) {
      if try isLinkedTo(reference.entity, by: name, check.situation) { continue }
      let unlinked = check.unlinkedObjects["\(reference.entity.value).\(name.value)"] ?? []
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
  private func isLinkedTo(
    _ entity: Located<String>, by name: Located<String>, _ situation: Situation
  ) throws -> Bool {
    guard
      let inverse = situation.model.entity(named: entity.value)?
        .relationship(named: name.value)?.inverseRelationship
    else { return false }
    let other = Located(inverse.entity.name, at: name.place)
    return try situation.fetch(ObjectQuery(entity: other, predicate: nil)).contains {
      !$0.isEmpty(inverse.name)
    }
  }

  var dependsOnTime: Bool { false }
}
