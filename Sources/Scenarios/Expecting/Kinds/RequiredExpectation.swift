/// `required: Song`.
struct RequiredExpectation: ObjectsExpectation {
  let keys: [PropertyReference]

  static let form = ExpectationForm(
    keyword: "required", example: "required: Song",
    meaning:
      "every required property has a value; `required: Song.album` checks one property, required or not",
    schema: ##"{"$ref": "#/$defs/texts"}"##, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    RequiredExpectation(keys: reader.properties(written.node, of: written.key.value))
  }

  var isEmpty: Bool { keys.isEmpty }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> RequiredCheck? {
    RequiredCheck(
      keys: keys.compactMap { key in
        let resolved = checker.resolve(key, scope)
        checkRequiresSomething(key, by: checker, scope)
        return resolved
      })
  }

  /// Reports `required: Entity` where the entity has nothing that is required.
  private func checkRequiresSomething(
    _ reference: PropertyReference, by checker: ScenarioChecker, _ scope: ModelScope
  ) {
    guard reference.properties.isEmpty,
      let entity = scope.model.entity(named: reference.entity.value),
      entity.properties.allSatisfy({ !$0.mustHaveValue })
    else { return }
    checker.collector.report(
      "no property of '\(entity.name)' is required in \(scope.version), so this can't fail; "
        + "name the properties that must have a value", at: reference.entity.place)
  }
}

struct RequiredCheck: ObjectsCheck {
  let keys: [ResolvedProperties]

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try keys.flatMap { try mismatches($0, in: situation) }
  }

  private func mismatches(_ key: ResolvedProperties, in situation: Situation) throws -> [Failure] {
    let objects = try situation.fetch(key.objects)
    return properties(of: key).compactMap { property in
      let empty = objects.filter { $0.isEmpty(property) }
      if empty.isEmpty { return nil }
      return Failure(
        at: key.written.entity.place, "\(key.entity.name).\(property.name)",
        expected: "a value", found: "none in \(empty.count) of \(objects.count)",
        notes: [situation.list(empty)]
      ).about(empty[0], keyPath: property.name, in: situation)
    }
  }

  /// Those that are named, else all that must have a value.
  func properties(of key: ResolvedProperties) -> [PropertyDescription] {
    key.properties.isEmpty ? key.entity.properties.filter(\.mustHaveValue) : key.properties
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] {
    try check.emptiness(of: looked)
  }

  var looked: [(objects: ResolvedQuery, least: Int)] { keys.map { ($0.objects, 1) } }

  var dependsOnTime: Bool { false }
}

extension PropertyDescription {
  /// Whether an object can't be saved without a value. A to-many relationship without a minimum may be empty,
  /// whether it is optional or not.
  fileprivate var mustHaveValue: Bool {
    if let relationship = self as? RelationshipDescription, relationship.isToMany {
      return !relationship.allows(count: 0)
    }
    return !isOptional
  }
}
