extension ScenarioChecker {
  mutating func check(_ action: Action, names: inout LocalNames) {
    if case .start(let release) = action.kind {
      if !action.expectsFailure { checkKnowsStore(release) }
      check(release)
    }
    guard let version = finalVersion, let model = models[version] else { return }
    if case .insert(let name, let local, let values) = action.kind {
      guard let entity = concreteEntity(name, in: model, version: version) else { return }
      if let local { add(local, entity, to: &names) }
      for value in values { checkValue(value, of: entity, version: version, names: names) }
    }
    let scope = ModelScope(model: model, version: version, names: names)
    switch action.kind {
    case .set(let object, let values): checkValues(values, of: object, scope)
    case .link(let object, let members), .unlink(let object, let members):
      checkLinks(members, of: object, scope)
    case .delete(let object): check(object, scope)
    case .save: if action.failure == nil { names.didSave() }
    case .rollback, .start: names.didForgetUnsaved()
    case .insert, .none: break
    }
    if let failure = action.failure { check(failure) }
    for expectation in action.expectations { check(expectation, names: names) }
  }

  /// A release without the store's version could only fail. Which version the store has is certain for
  /// the first release after a chain that comes to its end.
  private func checkKnowsStore(_ release: Action.Release) {
    guard released == nil, !scenario.expectations.contains(where: \.check.isFailure),
      let first = release.versions.first, release.opensSource == nil,
      let version = finalVersion, let hashes = models[version]?.entityVersionHashesByName,
      release.versions.allSatisfy({ models[$0.value] != nil }),
      !release.versions.contains(where: {
        models[$0.value]?.entityVersionHashesByName == hashes
      })
    else { return }
    collector.report(
      "the store is one of '\(version)' by then, which this release hasn't got; name it, too, or expect "
        + "the error: 'fails: { code: 134130 }'", at: first.place)
  }

  private mutating func check(_ release: Action.Release) {
    for version in release.versions { _ = model(version) }
    if let last = release.versions.last { released = last.value }
    if let store = release.opensSource, scenario.destination == nil {
      collector.report(
        "the result took the source's place; give it one of its own, with 'destination'",
        at: store.place)
    }
  }

  /// A name that stood for two objects would make doubtful all that is said of it.
  private func add(
    _ name: Located<String>, _ entity: EntityDescription, to names: inout LocalNames
  ) {
    if let first = names.place(of: name.value) {
      collector.report(
        "the name '\(name.value)' is used in line \(first.line) already", at: name.place)
    }
    names.addUnsaved(name.value, entity, at: name.place)
  }

  private func checkValues(
    _ values: [PropertyValue], of object: ObjectReference, _ scope: ModelScope
  ) {
    check(object, scope)
    guard let entity = scope.model.entity(named: object.entity.value) else { return }
    for value in values {
      checkValue(value, of: entity, version: scope.version, names: scope.names)
    }
  }

  private func checkLinks(
    _ members: [PropertyValue], of object: ObjectReference, _ scope: ModelScope
  ) {
    checkValues(members, of: object, scope)
    guard let entity = scope.model.entity(named: object.entity.value) else { return }
    for member in members where entity.attribute(named: member.key.value) != nil {
      collector.report(
        "'\(member.key.value)' is an attribute; use 'set' for it", at: member.key.place)
    }
  }
}

extension Action {
  /// Whether an error is what is wanted of it.
  fileprivate var expectsFailure: Bool {
    failure != nil || expectations.contains(where: \.check.isFailure)
  }
}
