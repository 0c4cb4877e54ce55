/// `made: { OldSong waltz: [Song, SongData] }`.
struct MadeExpectation: ObjectsExpectation {
  /// What a source object must have become: one destination entity per object.
  struct Item: Sendable {
    let source: ObjectReference
    let entities: [Located<String>]
  }
  let items: [Item]

  static let form = ExpectationForm(
    keyword: "made", example: "made: { OldSong waltz: [Song, SongData] }",
    meaning: "the seeded object became one object of each of these entities, and no more",
    schema: ##"""
      {"type": "object", "additionalProperties": {"$ref": "#/$defs/texts"},
       "description": "Entities that a seeded object became."}
      """##, countsObjects: true)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    let collector = reader.collector
    guard let entries = written.map else { return nil }
    return MadeExpectation(
      items: entries.compactMap { entry in
        guard let source = collector.reference(entry.key) else { return nil }
        let entities = collector.texts(entry.value, of: entry.key.value)
        return Item(source: source, entities: entities)
      })
  }

  var isEmpty: Bool { items.isEmpty }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> MadeCheck? {
    MadeCheck(
      items: items.compactMap { item in
        let source = checker.resolveSource(item.source, names: scope.names)
        let entities = item.entities.compactMap { entity in
          checker.collector.attempt(at: entity.place) {
            try scope.model.entity(entity, version: scope.version)
          }
        }
        return source.map { (source: $0, entities: entities) }
      })
  }
}

struct MadeCheck: ObjectsCheck {
  let items: [(source: SeededObject, entities: [EntityDescription])]
  private typealias Item = (source: SeededObject, entities: [EntityDescription])

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    items.compactMap { mismatch($0, in: situation) }
  }

  private func mismatch(_ item: Item, in situation: Situation) -> Failure? {
    let name = item.source.name
    let found = situation.provenance.keys(named: name.value).map(\.entity).sorted()
    let expected = item.entities.map(\.name).sorted()
    if found == expected { return nil }
    var mismatch = Failure(
      at: name.place, "made of \(item.source.shown)",
      expected: "[\(expected.joined(separator: ", "))]",
      found: "[\(found.joined(separator: ", "))]",
      repairs: [
        Repair(ofKey: item.source.place, .list(found.map { .text($0) }))
      ])
    mismatch.question = situation.provenance.index(named: name.value).map { .presence(origin: $0) }
    return mismatch
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] { [] }

  var dependsOnTime: Bool { false }
}
