/// `object: Event dinner`, with the values it must have and the object it must come from.
struct ObjectExpectation: ObjectsExpectation {
  let object: ObjectReference
  let values: [PropertyValue]
  /// The source object it was made from.
  let origin: ObjectReference?

  static let form = ExpectationForm(
    keyword: "object", example: "object: Event dinner",
    meaning: "the object exists (and is the only one)",
    schema: """
      {"type": "string", "description": "Entity name, or Entity where predicate."}
      """, countsObjects: true)
  static let modifiers = [
    "has": ##"{"$ref": "#/$defs/values", "minProperties": 1}"##,
    "from": #"{"type": "string", "description": "The seeded object it was made from."}"#,
  ]

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    guard let text = written.text,
      let object = reader.collector.reference(text)
    else { return nil }
    if let has = written.fields.node("has"), has.isNull || has.map?.isEmpty == true {
      reader.collector.report("'has' lists nothing, so it can't fail", at: has.place)
    }
    return ObjectExpectation(
      object: object, values: reader.values(written.fields.node("has"), of: "has"),
      origin: written.fields.text("from").flatMap { reader.collector.reference($0) })
  }

  var isEmpty: Bool { false }

  func resolve(
    by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace
  ) -> ObjectCheck? {
    let reference = checker.resolve(object, scope)
    let origin = origin.flatMap { checker.resolveSource($0, names: scope.names) }
    // The values are looked at even where there is no such object.
    guard let entity = scope.model.entity(named: object.entity.value) else { return nil }
    let values = values.compactMap { field in
      checker.collector.attempt(at: field.key.place) {
        let path = try ModelPath(field.key, from: entity, version: scope.version)
        return ObjectCheck.Field(
          written: field, path: path,
          content: try checker.resolve(field.value, at: path, scope))
      }
    }
    return reference.map { ObjectCheck(object: $0, values: values, origin: origin) }
  }
}

struct ObjectCheck: ObjectsCheck {
  /// What is expected at a key path.
  struct Field {
    let written: PropertyValue
    let path: ModelPath
    let content: ExpectedContent
  }
  let object: ResolvedReference
  let values: [Field]
  /// The source object it was made from.
  let origin: SeededObject?

  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure] {
    try ObjectComparison(situation: situation, expectation: self).mismatches(at: place)
  }

  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure] { [] }

  var dependsOnTime: Bool {
    values.contains { field in
      if case .attribute(_, let value) = field.content { value.dependsOnTime } else { false }
    }
  }

  var unlinkedObjects: [String: [ResolvedReference]] {
    let empty = values.filter { $0.written.value.list?.isEmpty == true }
    let names = empty.map { String($0.written.key.value.prefix { $0 != "." }) }
    return Dictionary(firstOf: names.map { ($0, [object]) })
  }

  var orderedRelationships: [RelationshipDescription] {
    values.filter { $0.path.isOrdered && $0.written.value.list?.count ?? 0 > 1 }
      .flatMap(\.path.toManyRelationships)
  }
}

/// Compares one object with what it must hold.
private struct ObjectComparison {
  let situation: Situation
  let expectation: ObjectCheck

  func mismatches(at place: SourcePlace) throws -> [Failure] {
    let object: ManagedObject
    do {
      object = try situation.object(expectation.object)
    } catch let error as ReferenceError {
      return [missing(expectation.object, error, at: place)]
    }
    let wrongOrigin = expectation.origin.flatMap { origin(of: object, expected: $0, at: place) }
    return try [wrongOrigin].compactMap { $0 }
      + expectation.values.compactMap { field in
        try value(field, of: object)?.about(object, keyPath: field.written.key.value, in: situation)
      }
  }

  private func missing(
    _ reference: ResolvedReference, _ error: ReferenceError, at place: SourcePlace
  ) -> Failure {
    var mismatch = Failure(
      at: place, reference.shown, expected: "one object", found: error.description
    ).showing(error.symptom)
    mismatch.target = Failure.Target(entity: reference.entity.name)
    if case .named(let name, _, _) = reference {
      mismatch.target?.name = name.value
      mismatch.question = situation.provenance.index(named: name.value).map {
        .presence(origin: $0)
      }
    }
    return mismatch
  }

  private func origin(
    of object: ManagedObject, expected: SeededObject, at place: SourcePlace
  ) -> Failure? {
    let origins = situation.provenance.origins(of: object.objectID).map {
      situation.provenance.origins[$0]
    }
    if origins.contains(where: { $0.name == expected.name.value }) { return nil }
    return Failure(
      at: expected.place, "\(situation.label(object)), from",
      expected: expected.shown,
      found: origins.isEmpty ? "no known source" : origins.map(\.label).joined(separator: ", "),
      repairs: origins.first { $0.name != nil }.map {
        [Repair(of: "from", besideKey: place, .text($0.label))]
      } ?? [])
  }

  /// Compares the value at one key path.
  private func value(_ field: ObjectCheck.Field, of object: ManagedObject) throws -> Failure? {
    let (path, key) = (field.path, field.written.key)
    let reached = objects(from: object, along: path.steps)
    let (expected, found): ([String], [String])
    let notations: [Notation?]
    var absences: [String] = []
    var hasLost = false
    switch field.content {
    case .count(let count): return compare(count, with: reached, of: object, key)
    case .attribute(let attribute, let expectation):
      let values = reached.map { path.value(of: attribute, in: $0).rounded(as: attribute) }
      guard case .values(let wanted) = expectation else {
        return expectation.isKind(of: values, isPlural: path.isPlural) == true
          ? nil
          : wrongKind(
            field.written, found: values.map { $0.shown(as: attribute) }, of: object, at: path)
      }
      if equal(wanted, path.isPlural ? values : [values.first ?? .null], ordered: path.isOrdered) {
        return nil
      }
      (expected, found) = (
        wanted.map { $0.shown(as: attribute) }, values.map { $0.shown(as: attribute) }
      )
      notations = values.map { $0.notation(as: attribute) }
    case .linked(let relationship):
      let isLinked = reached.contains { !$0.members(of: relationship).isEmpty }
      return isLinked ? nil : wrongKind(field.written, found: [], of: object, at: path)
    case .links(let links):
      let members = reached.flatMap { $0.members(of: links.relationship) }
      var wanted: [ManagedObject] = []
      var labels: [String] = []
      for reference in links.members {
        do {
          wanted.append(try situation.object(reference))
          labels.append(situation.label(wanted[wanted.count - 1]))
        } catch let error as ReferenceError {
          // It can't be linked, which is no reason to say nothing of the others.
          labels.append(reference.shown)
          absences.append("\(reference.shown): \(error)")
          hasLost = hasLost || error.symptom == .lostObject
        }
      }
      if absences.isEmpty, equal(wanted, members, ordered: path.isOrdered) { return nil }
      (expected, found) = (labels, members.map(situation.label))
      notations = members.map { situation.notation(of: $0, nameOnly: true) }
    }
    var mismatch = Failure(
      at: key.place, "\(expectation.object.shown), \(key.value)",
      expected: text(expected, path), found: text(found, path), notes: absences,
      // What is lost isn't to be written down as right.
      repairs: absences.isEmpty ? repairs(of: field.written, notations, path) : [])
    mismatch.expectedItems = expected
    return mismatch.showing(
      hasLost ? .lostObject : found.isEmpty || notations == [.null] ? .noValue : nil)
  }

  /// A kind is a rule, which is not rewritten into what was found.
  private func wrongKind(
    _ field: PropertyValue, found: [String], of object: ManagedObject, at path: ModelPath
  ) -> Failure {
    Failure(
      at: field.key.place, "\(situation.label(object)), \(field.key.value)",
      expected: field.value.shown, found: text(found, path))
  }

  /// The value as the scenario would write it; nothing where it has no notation for it.
  private func repairs(
    of field: PropertyValue, _ notations: [Notation?], _ path: ModelPath
  ) -> [Repair] {
    let known = notations.compactMap(\.self)
    guard known.count == notations.count else { return [] }
    let value =
      path.isPlural ? .list(path.isOrdered ? known : known.sorted()) : known.first ?? .null
    return [Repair(ofKey: field.key.place, value)]
  }

  private func compare(
    _ count: Int, with reached: [ManagedObject], of object: ManagedObject, _ key: Located<String>
  ) -> Failure? {
    if count == reached.count { return nil }
    return Failure(
      at: key.place, "\(situation.label(object)), \(key.value)", expected: "\(count)",
      found: "\(reached.count)", notes: reached.isEmpty ? [] : [situation.list(reached)],
      repairs: [Repair(ofKey: key.place, .number(reached.count))])
  }

  /// The objects at the end of a way, in order where the relationships have one.
  private func objects(
    from object: ManagedObject, along steps: [RelationshipDescription]
  ) -> [ManagedObject] {
    steps.reduce([object]) { objects, step in objects.flatMap { $0.members(of: step) } }
  }

  /// Equality in order, or of how often each element occurs.
  private func equal<Element: Hashable>(
    _ a: [Element], _ b: [Element], ordered: Bool
  ) -> Bool {
    if ordered || a.count != b.count { return a == b }
    var balance: [Element: Int] = [:]
    for element in a { balance[element, default: 0] += 1 }
    for element in b { balance[element, default: 0] -= 1 }
    return balance.values.allSatisfy { $0 == 0 }
  }

  private func text(_ values: [String], _ path: ModelPath) -> String {
    if !path.isPlural { return values.first ?? "null" }
    let shown = path.isOrdered ? values : values.sorted()
    return "[\(shown.joined(separator: ", "))]"
  }
}
