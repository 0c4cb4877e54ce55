/// `unique: Tag.name`.
struct UniqueExpectation: ObjectsExpectation {
  let keys: [PropertyReference]

  static let form = ExpectationForm(
    keyword: "unique", example: "unique: Tag.name",
    meaning: "no value occurs twice; `Tag.(name, kind)` for values together; a list of either",
    schema: ##"{"$ref": "#/$defs/texts"}"##, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    UniqueExpectation(
      keys: reader.properties(written.node, of: written.key.value, needsProperty: true))
  }

  var isEmpty: Bool { keys.isEmpty }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> UniqueCheck? {
    UniqueCheck(keys: keys.compactMap { checker.resolve($0, scope) })
  }
}

struct UniqueCheck: ObjectsCheck {
  let keys: [ResolvedProperties]

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try keys.compactMap { try mismatch($0, in: situation) }
  }

  private func mismatch(_ key: ResolvedProperties, in situation: Situation) throws -> Failure? {
    let objects = try situation.fetch(key.objects)
    let names = key.properties.map(\.name)
    var byValues: [[Value]: [ManagedObject]] = [:]
    for object in objects {
      byValues[try names.map { try object.typedValue(forKey: $0) }, default: []].append(object)
    }
    let repeated = byValues.filter { $0.value.count > 1 }
    if repeated.isEmpty { return nil }
    let notes = repeated.map { values, objects in
      "\(values.map(\.shown).joined(separator: ", ")): \(objects.count) objects"
    }
    let mismatch = Failure(
      at: key.written.entity.place, key.written.shown, expected: "every value once",
      found: "\(repeated.count) repeated", notes: Array(notes.sorted().prefix(5))
    ).showing(
      repeated.keys.allSatisfy { $0.contains(where: \.isNull) } ? .repeatedNil : .repeatedValues)
    let second = repeated.values.compactMap { $0.dropFirst().first }
      .min { situation.label($0) < situation.label($1) }
    guard let second, let name = names.first else { return mismatch }
    return mismatch.about(second, keyPath: name, in: situation)
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] {
    try check.emptiness(of: looked)
  }

  var looked: [(objects: ResolvedQuery, least: Int)] { keys.map { ($0.objects, 2) } }

  var dependsOnTime: Bool { false }
}
