// What one object must hold.

extension ExpectationEvaluator {
  func object(_ expectation: ObjectExpectation, at place: SourcePlace) throws -> [Mismatch] {
    let object: ManagedObject
    do {
      object = try situation.object(expectation.object)
    } catch let error as ReferenceError {
      return [missing(expectation.object, error, at: place)]
    }
    let wrongOrigin = expectation.origin.flatMap { origin(of: object, expected: $0, at: place) }
    return try [wrongOrigin].compactMap { $0 }
      + expectation.values.compactMap { field in
        try value(field, of: object, in: expectation)?.about(object, field.key.value, situation)
      }
  }

  private func missing(
    _ reference: ObjectReference, _ error: ReferenceError, at place: SourcePlace
  ) -> Mismatch {
    var mismatch = Mismatch(
      at: place, reference.shown, expected: "one object", found: error.description)
    mismatch.target = Failure.Target(entity: reference.entity.value)
    if case .named(_, let name) = reference {
      mismatch.target?.name = name.value
      mismatch.question = situation.provenance.index(named: name.value).map {
        .presence(origin: $0)
      }
    }
    return mismatch
  }

  private func origin(
    of object: ManagedObject, expected: ObjectReference, at place: SourcePlace
  ) -> Mismatch? {
    let origins = situation.provenance.origins(of: object.objectID).map {
      situation.provenance.origins[$0]
    }
    guard case .named(_, let name) = expected else { return nil }
    if origins.contains(where: { $0.name == name.value }) { return nil }
    return Mismatch(
      at: expected.entity.place, "\(situation.label(object)), from",
      expected: expected.shown,
      found: origins.isEmpty ? "no known source" : origins.map(\.label).joined(separator: ", "),
      repairs: origins.first { $0.name != nil }.map {
        [Repair(of: "from", besideKey: place, .text($0.label))]
      } ?? [])
  }

  /// Compares the value at one key path.
  private func value(
    _ field: PropertyValue, of object: ManagedObject, in expectation: ObjectExpectation
  ) throws -> Mismatch? {
    let path = try ModelPath(field.key, from: object.entity, version: situation.version)
    let reached = objects(from: object, along: path.steps)
    let (expected, found): ([String], [String])
    let notations: [Notation?]
    switch path.end {
    case .count: return count(field, of: object, reached, path)
    case .attribute(let attribute):
      let values = reached.map { path.value(of: attribute, in: $0) }
      let expectation = try ExpectedValue(field.value, at: path, of: attribute)
      guard case .values(let wanted) = expectation else {
        return expectation.isKind(of: values) == true
          ? nil : wrongKind(field, values.map { $0.shown(as: attribute) }, of: object, path)
      }
      if equal(wanted, path.isPlural ? values : [values.first ?? .null], ordered: path.isOrdered) {
        return nil
      }
      (expected, found) = (
        wanted.map { $0.shown(as: attribute) }, values.map { $0.shown(as: attribute) }
      )
      notations = values.map { $0.notation(as: attribute) }
    case .relationship(let relationship):
      let wanted = try path.members(field.value, of: relationship).references.map(situation.object)
      let members = reached.flatMap { $0.members(of: relationship) }
      if equal(wanted, members, ordered: path.isOrdered) { return nil }
      (expected, found) = (wanted.map(situation.label), members.map(situation.label))
      notations = members.map { situation.notation(of: $0, nameOnly: true) }
    }
    var mismatch = Mismatch(
      at: field.key.place, "\(expectation.object.shown), \(field.key.value)",
      expected: text(expected, path), found: text(found, path),
      repairs: repairs(of: field, notations, path))
    mismatch.expectedItems = expected
    return mismatch
  }

  /// A kind is a rule, which is not rewritten into what was found.
  private func wrongKind(
    _ field: PropertyValue, _ found: [String], of object: ManagedObject, _ path: ModelPath
  ) -> Mismatch {
    Mismatch(
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

  private func count(
    _ field: PropertyValue, of object: ManagedObject, _ reached: [ManagedObject], _ path: ModelPath
  ) -> Mismatch? {
    let expected = field.value.text ?? ""
    if expected == "\(reached.count)" { return nil }
    return Mismatch(
      at: field.key.place, "\(situation.label(object)), \(field.key.value)", expected: expected,
      found: "\(reached.count)", notes: reached.isEmpty ? [] : [situation.list(reached)],
      repairs: [Repair(ofKey: field.key.place, .number(reached.count))])
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

extension Mismatch {
  /// The mismatch with the object and the key path that it is about.
  func about(_ object: ManagedObject, _ keyPath: String, _ situation: Situation) -> Mismatch {
    var mismatch = self
    let name = situation.provenance.name(of: object)
    let id = object.objectID
    mismatch.target = Failure.Target(
      entity: object.entity.name, name: name,
      row: name == nil ? "\(id.entity.name)/p\(id.primaryKey)" : nil, property: keyPath)
    let origins = situation.provenance.origins(of: id)
    if !origins.isEmpty {
      mismatch.question = .value(
        origins: origins, keyPath: keyPath.split(separator: ".").map(String.init),
        expected: expectedItems)
    }
    return mismatch
  }
}
