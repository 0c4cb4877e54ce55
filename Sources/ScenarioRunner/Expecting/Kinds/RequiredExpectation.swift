/// `required: Song`.
struct RequiredExpectation: ObjectsExpectation {
  let keys: [PropertyReference]

  static let forms = [
    ExpectationForm(
      "required", "required: Song",
      "every required property has a value; `required: Song.album` asks for one property, required or not",
      schema: ##"{"$ref": "#/$defs/texts"}"##)
  ]

  static func read(
    _ keyword: Located<String>, _ node: SourceNode, _ fields: Fields, by reader: ScenarioReader
  ) -> Self? {
    RequiredExpectation(keys: reader.properties(node, of: keyword.value))
  }

  var isEmpty: Bool { keys.isEmpty }

  func check(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) {
    for key in keys {
      checker.check(key, scope)
      checkRequiresSomething(key, by: checker, scope)
    }
  }

  /// Reports `required: Entity` where the entity has nothing that is required.
  private func checkRequiresSomething(
    _ reference: PropertyReference, by checker: ScenarioChecker, _ scope: ModelScope
  ) {
    guard reference.properties.isEmpty,
      let entity = scope.model.entity(named: reference.entity.value),
      entity.properties.allSatisfy(\.isOptional)
    else { return }
    checker.collector.report(
      "no property of '\(entity.name)' is required in \(scope.version), so this can't fail; "
        + "name the properties that must have a value", at: reference.entity.place)
  }

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Mismatch] {
    try keys.flatMap { try mismatches($0, in: situation) }
  }

  private func mismatches(_ reference: PropertyReference, in situation: Situation) throws
    -> [Mismatch]
  {
    let objects = try situation.fetch(ObjectQuery(entity: reference.entity, predicate: nil))
    guard let entity = situation.model.entity(named: reference.entity.value) else { return [] }
    let names =
      reference.properties.isEmpty
      ? entity.properties.filter { !$0.isOptional }.map(\.name)
      : reference.properties.map(\.value)
    return names.compactMap { name in
      let empty = objects.filter { $0.isEmpty(name) }
      if empty.isEmpty { return nil }
      return Mismatch(
        at: reference.entity.place, "\(reference.entity.value).\(name)", expected: "a value",
        found: "none in \(empty.count) of \(objects.count)", notes: [situation.list(empty)]
      ).about(empty[0], name, situation)
    }
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Mismatch] {
    try keys.compactMap { try check.emptiness(of: $0.entity) }
  }

  var dependsOnTime: Bool { false }
}
