/// `dropped: [User ola]`.
struct DroppedExpectation: ObjectsExpectation {
  let objects: [ObjectReference]

  static let form = ExpectationForm(
    keyword: "dropped", example: "dropped: [User ola]",
    meaning: "exactly these seeded objects were dropped; `[]`: none were",
    schema: ##"{"$ref": "#/$defs/texts"}"##, countsObjects: true)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    DroppedExpectation(objects: reader.references(written.node, of: written.key.value))
  }

  var isEmpty: Bool { false }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> DroppedCheck? {
    DroppedCheck(
      objects: objects.compactMap { checker.resolveSource($0, names: scope.names) })
  }
}

struct DroppedCheck: ObjectsCheck {
  let objects: [SeededObject]

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    let found = situation.droppedOrigins(of: []).sorted()
    let expected = objects.map(\.shown).sorted()
    if found == expected { return [] }
    return [
      Failure(
        at: place, "dropped seeded objects",
        expected: "[\(expected.joined(separator: ", "))]",
        found: "[\(found.joined(separator: ", "))]",
        repairs: situation.hasOnlyNamedOrigins
          ? [Repair(ofKey: place, .list(found.map { .text($0) }))] : [])
    ]
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] {
    guard objects.isEmpty else { return [] }
    return check.unseeded([], at: place).map { [$0] } ?? []
  }

  var dependsOnTime: Bool { false }
}
