/// `inverse: Event.tags`.
struct InverseExpectation: ObjectsExpectation {
  let keys: [PropertyReference]

  static let form = ExpectationForm(
    keyword: "inverse", example: "inverse: Event.tags",
    meaning: "both sides of the relationship agree, for every object",
    schema: ##"{"$ref": "#/$defs/texts"}"##, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    InverseExpectation(
      keys: reader.properties(written.node, of: written.key.value, needsProperty: true))
  }

  var isEmpty: Bool { keys.isEmpty }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> InverseCheck? {
    InverseCheck(keys: keys.map { sides(of: $0, by: checker, scope) })
  }

  private func sides(
    of reference: PropertyReference, by checker: ScenarioChecker, _ scope: ModelScope
  ) -> [InverseCheck.Side] {
    checker.collector.attempt(at: reference.entity.place) {
      let entity = try scope.model.entity(reference.entity, version: scope.version)
      return try reference.properties.map { name in
        let relationship = try entity.relationship(name, version: scope.version)
        guard let inverse = relationship.inverseRelationship else {
          throw Diagnostic(
            "'\(reference.shown)' has no inverse in \(scope.version)", at: name.place)
        }
        return InverseCheck.Side(
          written: reference, place: name.place, entity: entity, relationship: relationship,
          inverse: inverse)
      }
    } ?? []
  }
}

struct InverseCheck: ObjectsCheck {
  /// A relationship, and the one that leads back.
  struct Side {
    let written: PropertyReference
    /// Where the relationship's name is written.
    let place: SourcePlace
    let entity: EntityDescription
    let relationship: RelationshipDescription
    let inverse: RelationshipDescription

    /// All objects of the entity.
    var objects: ResolvedQuery { ResolvedQuery(all: written.entity, of: entity) }
  }
  /// The relationships that are written together.
  let keys: [[Side]]

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try keys.joined().compactMap { try mismatch($0, in: situation) }
  }

  private func mismatch(_ side: Side, in situation: Situation) throws -> Failure? {
    let there = try links(side.relationship, of: side.entity, in: situation)
    let back = try links(side.inverse, of: side.relationship.destinationEntity, in: situation)
    let oneSided =
      there.filter { !back.contains($0.reversed) }
      + back.filter { !there.contains($0.reversed) && $0.to.entity.isKindOf(entity: side.entity) }
    if oneSided.isEmpty { return nil }
    let notes = oneSided.map {
      "\(situation.label($0.from)) leads to \(situation.label($0.to)), which doesn't lead back"
    }
    return Failure(
      at: side.place, "\(side.entity.name).\(side.relationship.name)",
      expected: "both sides agree", found: "\(oneSided.count) one-sided",
      notes: Array(notes.sorted().prefix(5))
    ).showing(.oneSidedLinks)
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

  /// Of the relationships that are written together the first says it.
  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] {
    try keys.compactMap { sides in
      for side in sides {
        if let mismatch = try unlinked(side, check) { return mismatch }
      }
      return nil
    }
  }

  var looked: [(objects: ResolvedQuery, least: Int)] { keys.joined().map { ($0.objects, 1) } }

  private func unlinked(_ side: Side, _ check: VacuityCheck) throws -> Failure? {
    let (entity, name) = (side.entity, side.relationship.name)
    if let mismatch = try check.emptiness(of: side.objects) { return mismatch }
    if check.isExpectedToBeEmpty(entity) { return nil }
    let objects = try check.situation.fetch(side.objects)
    guard objects.allSatisfy({ $0.isEmpty(side.relationship) }),
      try !isLinkedTo(side, check.situation)
    else { return nil }
    if check.isExpectedToLeadNowhere([side.relationship], from: objects, entity) {
      return nil
    }
    return Failure(
      .nothingLookedAt, at: side.place, side.written.shown, expected: "links to look at",
      found: "no \(entity.name) leads anywhere by '\(name)'",
      notes: ["if that is intended, expect it of each of them: has: { \(name): [] }"])
  }

  /// Whether an object leads to one of the entity by the inverse of the relationship.
  private func isLinkedTo(_ side: Side, _ situation: Situation) throws -> Bool {
    let other = ResolvedQuery(
      all: Located(side.inverse.entity.name, at: side.place), of: side.inverse.entity)
    return try situation.fetch(other).contains { !$0.isEmpty(side.inverse) }
  }

  var dependsOnTime: Bool { false }
}
