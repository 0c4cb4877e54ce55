extension ScenarioChecker {
  func resolve(_ expectation: Expectation, names: LocalNames) -> ResolvedExpectation {
    for start in expectation.starts + expectation.exceptStarts { _ = model(start) }
    if let version = expectation.version, model(version) == nil {
      return ResolvedExpectation(expectation, [:])
    }
    checkIsNotEmpty(expectation)
    let versions = expectation.version.map { [$0.value] } ?? finalVersions(of: expectation)
    return ResolvedExpectation(
      expectation,
      forEach(versions) { version, model in
        let scope = ModelScope(model: model, version: version, names: names)
        return expectation.check.resolve(by: self, scope, at: expectation.place)
      })
  }

  /// The versions at which runs look at an expectation without `at`.
  private func finalVersions(of expectation: Expectation) -> [String] {
    guard released == nil, scenario.chain.isEmpty else { return finalVersions }
    let wanted = starts.filter(expectation.isWanted)
    return wanted.isEmpty ? starts : wanted
  }

  /// Resolves something for several versions. What is wrong at one isn't told again of the next.
  func forEach<Resolved>(
    _ versions: [String], _ resolve: (String, ManagedObjectModel) -> Resolved?
  ) -> [String: Resolved] {
    var resolved: [String: Resolved] = [:]
    let mistakes = collector.all.count
    for version in versions where collector.all.count == mistakes {
      guard let model = models[version] else { continue }
      resolved[version] = resolve(version, model)
    }
    return resolved
  }

  // MARK: Queries and objects

  /// A query that asks how many objects there are.
  package func resolveQuestion(_ query: ObjectQuery, _ scope: ModelScope) -> ResolvedQuery? {
    let mistakes = collector.all.count
    let (entity, predicate) = parts(of: query, scope)
    if let text = query.predicate, let predicate, let entity, collector.all.count == mistakes {
      checkDependsOnObjects(TriedCondition(predicate, about: entity), text, isQuestion: true)
    }
    return entity.map { ResolvedQuery(query, of: $0, where: predicate) }
  }

  package func resolve(_ query: ObjectQuery, _ scope: ModelScope) -> ResolvedQuery? {
    let (entity, predicate) = parts(of: query, scope)
    return entity.map { ResolvedQuery(query, of: $0, where: predicate) }
  }

  private func parts(
    of query: ObjectQuery, _ scope: ModelScope
  ) -> (EntityDescription?, Predicate?) {
    let entity = collector.attempt(at: query.entity.place) {
      try scope.model.entity(query.entity, version: scope.version)
    }
    let predicate = query.predicate.flatMap { resolve($0, about: entity, version: scope.version) }
    return (entity, predicate)
  }

  /// A member of a relationship that leads to an entity.
  private func resolve(
    _ reference: ObjectReference, _ scope: ModelScope, ofEntity entity: EntityDescription
  ) throws -> ResolvedReference {
    switch reference {
    case .named(let written, let name):
      try scope.names.require(name)
      return .named(name, entity, place: written.place)
    case .query(let query):
      let found = try scope.model.entity(query.entity, version: scope.version)
      guard found.isKindOf(entity: entity) || entity.isKindOf(entity: found) else {
        throw Diagnostic("'\(found.name)' isn't a kind of '\(entity.name)'", at: query.entity.place)
      }
      let predicate = query.predicate.flatMap { resolve($0, about: found, version: scope.version) }
      return .query(ResolvedQuery(query, of: found, where: predicate))
    }
  }

  package func resolve(_ reference: ObjectReference, _ scope: ModelScope) -> ResolvedReference? {
    switch reference {
    case .query(let query): return resolve(query, scope).map { .query($0) }
    case .named(let written, let name):
      return collector.attempt(at: written.place) {
        let entity = try scope.model.entity(written, version: scope.version)
        try scope.names.require(name)
        return .named(name, entity, place: written.place)
      }
    }
  }

  /// The objects that a relationship is set to, or expected to have.
  func resolve(
    _ members: Members, of relationship: RelationshipDescription, _ scope: ModelScope
  ) throws -> ResolvedLinks {
    ResolvedLinks(
      relationship: relationship,
      members: try members.references.map {
        try resolve($0, scope, ofEntity: relationship.destinationEntity)
      })
  }

  /// A seeded object, by the entity it was seeded with.
  package func resolveSource(_ reference: ObjectReference, names: LocalNames) -> SeededObject? {
    guard case .named(let entity, let name) = reference else {
      collector.report("name a seeded object here, not a query", at: reference.entity.place)
      return nil
    }
    checkSeededEntity(entity)
    collector.attempt(at: name.place) { try names.require(name, ofEntity: entity.value) }
    return SeededObject(name: name, place: entity.place, shown: reference.shown)
  }

  package func checkSeededEntity(_ entity: Located<String>) {
    let sources = Set(
      scenario.starts.map(\.value)
        + [scenario.chain.first?.ends.value.source]
        .compactMap { $0 })
    let known = sources.flatMap { models[$0]?.entitiesByName.keys.map { $0 } ?? [] }
    if known.contains(entity.value) { return }
    collector.report(
      "there is no source entity", unknown: entity, among: Set(known), called: "source entities")
  }

  /// What is expected at a key path, in the form that the path asks for.
  package func resolve(
    _ node: SourceNode, at path: ModelPath, _ scope: ModelScope
  ) throws -> ExpectedContent {
    switch path.end {
    case .count:
      guard let count = node.text.flatMap({ Int($0) }) else {
        throw Diagnostic("'@count' is a whole number, not \(node.kind)", at: node.place)
      }
      return .count(count)
    case .attribute(let attribute):
      return .attribute(attribute, try ExpectedValue(node, at: path, of: attribute))
    case .relationship(let relationship):
      if !path.isPlural, case .scalar("present", isPlain: true) = node.content,
        scope.names.place(of: "present") == nil
      {
        return .linked(relationship)
      }
      return .links(
        try resolve(path.members(node, of: relationship), of: relationship, scope))
    }
  }

  // MARK: Properties

  package func resolve(_ reference: PropertyReference, _ scope: ModelScope) -> ResolvedProperties? {
    collector.attempt(at: reference.entity.place) {
      let entity = try scope.model.entity(reference.entity, version: scope.version)
      return ResolvedProperties(
        written: reference, entity: entity,
        properties: try reference.properties.map {
          try entity.property($0, version: scope.version)
        })
    }
  }

  // MARK: Errors

  package func check(_ failure: FailureExpectation) {
    if let step = failure.step { _ = models(of: step) }
    if let code = failure.code, failure.domain == nil,
      CoreDataErrorCode(rawValue: code.value) == nil
    {
      collector.report(
        "Core Data has no error code \(code.value); for an error of Foundation or of a policy, give its 'domain', too",
        at: code.place)
    }
    // The entity that an error is about can be of any version.
    if let name = failure.entity { _ = isEntityOfAnyVersion(name) }
    for error in failure.errors { check(error) }
  }
}

extension ScenarioChecker {
  /// Whether some version has an entity; if none has, that is reported.
  package func isEntityOfAnyVersion(_ name: Located<String>) -> Bool {
    let known = Set(models.names.flatMap { models[$0]?.entities.map(\.name) ?? [] })
    if known.contains(name.value) { return true }
    collector.report("no version has an entity", unknown: name, among: known, called: "entities")
    return false
  }

  /// Whether an entity has a property in some version; if in none, that is reported.
  package func isPropertyOfAnyVersion(_ name: Located<String>, of entity: String) -> Bool {
    let known = propertiesOfAnyVersion(entity)
    if known.contains(name.value) { return true }
    let hint = Spelling.hint(for: name.value, among: known, called: "properties")
    collector.report(
      "no version of '\(entity)' has a property '\(name.value)'\(hint)", at: name.place)
    return false
  }

  func propertiesOfAnyVersion(_ entity: String) -> Set<String> {
    Set(
      models.names.flatMap { version -> [String] in
        models[version]?.entity(named: entity).map { Array($0.propertiesByName.keys) } ?? []
      })
  }
}

/// The model that names are looked up in.
package struct ModelScope {
  package let model: ManagedObjectModel
  package let version: String
  package let names: LocalNames
}

extension ModelPath {
  /// The values a path is expected to give: a list where it gives several.
  func items(of node: SourceNode) throws -> [SourceNode] {
    guard isPlural else { return [node] }
    if let items = node.list { return items }
    throw Diagnostic("this leads to several values; give a list", at: node.place)
  }

  package func members(_ node: SourceNode, of relationship: RelationshipDescription) throws
    -> Members
  {
    if isPlural, !relationship.isToMany || !steps.isEmpty {
      return try Members(list: node, of: relationship)
    }
    return try Members(node, of: relationship)
  }
}
