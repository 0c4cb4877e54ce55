extension ScenarioChecker {
  mutating func resolve(_ action: Action, names: inout LocalNames) -> ResolvedAction {
    if case .start(let release) = action.kind {
      if !action.expectsFailure { checkKnowsStore(release) }
      check(release)
    }
    let (before, mistakes) = (names, collector.all.count)
    let changes = forEach(finalVersions) { version, model in
      let scope = ModelScope(model: model, version: version, names: before)
      // What an action names it names alike in every version.
      names = before
      return resolve(action, in: scope, names: &names)
    }
    // A step that can't be understood leaves open what there is to expect after it.
    if case .insert = action.kind, changes.isEmpty, collector.all.count > mistakes {
      return ResolvedAction(written: action, changes: [:], expectations: [])
    }
    if let failure = action.failure { check(failure) }
    return ResolvedAction(
      written: action, changes: changes,
      expectations: action.expectations.map { resolve($0, names: names) })
  }

  /// Reports a change at the end that is neither saved nor looked at: nothing could be wrong about it.
  func checkLastChange() {
    // What forgets unsaved changes saves nothing either.
    let rest = scenario.then.reversed().drop { $0.forgetsChanges && $0.isUnchecked }
    guard let last = rest.first, last.changesObjects, last.isUnchecked else { return }
    collector.report(
      "this has no effect: it isn't saved, and nothing is expected after it; add '- save', or an "
        + "'expect' to the step", at: last.place)
  }

  /// - Returns: Nil for what changes no store, and after a report of what is wrong.
  private func resolve(
    _ action: Action, in scope: ModelScope, names: inout LocalNames
  ) -> ResolvedAction.Change? {
    switch action.kind {
    case .insert(let name, let local, let values):
      guard let entity = concreteEntity(name, in: scope.model, version: scope.version) else {
        return nil
      }
      if let local { add(local, entity, to: &names) }
      let inner = ModelScope(model: scope.model, version: scope.version, names: names)
      return .insert(
        entity, name: local?.value, values.compactMap { resolve($0, of: entity, inner) })
    case .set(let object, let values):
      let (object, fields) = resolve(values, of: object, scope)
      return object.map { .set($0, fields) }
    case .link(let object, let members):
      let (object, links) = resolveLinks(members, of: object, scope)
      return object.map { .link($0, links) }
    case .unlink(let object, let members):
      let (object, links) = resolveLinks(members, of: object, scope)
      return object.map { .unlink($0, links) }
    case .delete(let object): return resolve(object, scope).map { .delete($0) }
    case .save:
      if action.failure == nil { names.didSave() }
      return .save
    case .rollback:
      names.didForgetUnsaved()
      return .rollback
    case .start:
      names.didForgetUnsaved()
      return nil
    case .none: return nil
    }
  }

  /// A release without the store's version could only fail. Which version the store has is certain for
  /// the first release after a chain that comes to its end.
  private func checkKnowsStore(_ release: Action.Release) {
    guard released == nil, !scenario.expectations.contains(where: \.check.isFailure),
      let first = release.versions.first, release.opensSource == nil,
      let version = finalVersions.first, let hashes = models[version]?.entityVersionHashesByName,
      release.versions.allSatisfy({ models[$0.value] != nil }),
      !release.versions.contains(where: {
        models[$0.value]?.entityVersionHashesByName == hashes
      })
    else { return }
    collector.report(
      "by then the store is of '\(version)', which this release lacks; add that version, or expect "
        + "the error: 'fails: { code: 134130 }'", at: first.place)
  }

  private mutating func check(_ release: Action.Release) {
    for version in release.versions { _ = model(version) }
    if let last = release.versions.last { released = last.value }
    if let store = release.opensSource, scenario.destination == nil {
      collector.report(
        "the result replaced the source; keep both with 'destination'",
        at: store.place)
    }
  }

  /// A name that stood for two objects would make doubtful all that is said of it.
  private func add(
    _ name: Located<String>, _ entity: EntityDescription, to names: inout LocalNames
  ) {
    if let first = names.place(of: name.value) {
      collector.report(
        "the name '\(name.value)' is already used in line \(first.line)", at: name.place)
    }
    names.addUnsaved(name.value, entity, at: name.place)
  }

  private func resolve(
    _ values: [PropertyValue], of object: ObjectReference, _ scope: ModelScope
  ) -> (ResolvedReference?, [ResolvedField]) {
    let reference = resolve(object, scope)
    // The values are looked at even where there is no such object.
    guard let entity = scope.model.entity(named: object.entity.value) else { return (nil, []) }
    return (reference, values.compactMap { resolve($0, of: entity, scope) })
  }

  private func resolveLinks(
    _ members: [PropertyValue], of object: ObjectReference, _ scope: ModelScope
  ) -> (ResolvedReference?, [ResolvedLinks]) {
    let (reference, fields) = resolve(members, of: object, scope)
    guard let entity = scope.model.entity(named: object.entity.value) else { return (nil, []) }
    for member in members {
      if entity.attribute(named: member.key.value) != nil {
        collector.report(
          "'\(member.key.value)' is an attribute; use 'set' for it", at: member.key.place)
      } else if member.value.list?.isEmpty == true {
        collector.report(
          "'\(member.key.value)' lists nothing, so this changes nothing", at: member.value.place)
      }
    }
    let links = fields.compactMap { field in
      if case .relationship(let links) = field { links } else { nil }
    }
    return (reference, links)
  }
}

extension Action {
  /// Whether an error is what is wanted of it.
  fileprivate var expectsFailure: Bool {
    failure != nil || expectations.contains(where: \.check.isFailure)
  }

  /// Whether nothing about it could be wrong but an error of its own.
  fileprivate var isUnchecked: Bool { !expectsFailure && expectations.isEmpty }

  /// Whether it gives up what an open context hasn't saved.
  fileprivate var forgetsChanges: Bool {
    switch kind {
    case .rollback, .start: true
    case .insert, .set, .link, .unlink, .delete, .save, .none: false
    }
  }

  /// Whether it changes objects of an open context.
  fileprivate var changesObjects: Bool {
    switch kind {
    case .insert, .set, .link, .unlink, .delete: true
    case .save, .rollback, .start, .none: false
    }
  }
}
