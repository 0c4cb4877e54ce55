/// `everySourceMigrated: true`.
struct EverySourceMigratedExpectation: ObjectsExpectation, ObjectsCheck {
  /// The source entities; empty for all.
  let entities: [Located<String>]

  static let form = ExpectationForm(
    keyword: "everySourceMigrated", example: "everySourceMigrated: true",
    meaning:
      "no seeded object was dropped; or a list of the entities for which this must hold, and for their subentities",
    schema: ##"{"anyOf": [{"const": true}, {"$ref": "#/$defs/texts"}]}"##, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    if written.node.text == "true" { return EverySourceMigratedExpectation(entities: []) }
    let entities = written.texts
    reader.collector.refuseEmptyList(written.node, of: written.key.value, "; write 'true' for all")
    return entities.isEmpty ? nil : EverySourceMigratedExpectation(entities: entities)
  }

  var isEmpty: Bool { false }

  /// Names of entities are all that it compares with; one stands for its subentities, too, as elsewhere.
  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    for entity in entities { checker.checkSeededEntity(entity) }
    let models = checker.seededModels
    return EverySourceMigratedExpectation(
      entities: entities.flatMap { name in
        let kinds = models.flatMap { $0.namesOfKinds(of: name.value) }
        return ([name.value] + kinds).uniqued().map { Located($0, at: name.place) }
      })
  }

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    let lost = situation.droppedOrigins(of: entities.map(\.value))
    if lost.isEmpty { return [] }
    var mismatch = Failure(
      at: place, "seeded objects", expected: "all migrated", found: "\(lost.count) lost",
      notes: [lost.prefix(10).joined(separator: ", ")])
    mismatch.symptom = .unmigrated
    mismatch.question = situation.provenance.firstDropped(of: entities.map(\.value))
      .map { .presence(origin: $0) }
    return [mismatch]
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] {
    check.unseeded(entities, at: place).map { [$0] } ?? []
  }

  var dependsOnTime: Bool { false }
}

extension ScenarioChecker {
  /// The models of the versions that seeds are of.
  fileprivate var seededModels: [ManagedObjectModel] {
    let starts = scenario.starts.map(\.value) + scenario.chain.prefix(1).map(\.ends.value.source)
    return (starts.isEmpty ? models.names : starts).compactMap { models[$0] }
  }
}

extension ManagedObjectModel {
  /// An entity and those below it.
  fileprivate func namesOfKinds(of name: String) -> [String] {
    entities.filter { $0.isNamedOrDescends(from: name) }.map(\.name)
  }
}
