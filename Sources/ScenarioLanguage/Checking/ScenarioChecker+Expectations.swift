extension ScenarioChecker {
  func check(_ expectation: Expectation, names: LocalNames) {
    for start in expectation.starts { _ = model(start) }
    if let version = expectation.version, model(version) == nil { return }
    guard let version = expectation.version?.value ?? finalVersion, let model = models[version]
    else { return }
    let scope = ModelScope(model: model, version: version, names: names)
    checkIsNotEmpty(expectation)
    expectation.check.check(by: self, scope, at: expectation.place)
  }

  // MARK: Queries and objects

  /// Checks a query that asks how many objects there are.
  package func checkQuestion(_ query: ObjectQuery, _ scope: ModelScope) {
    check(query, scope)
    checkDependsOnObjects(query.predicate)
  }

  package func check(_ query: ObjectQuery, _ scope: ModelScope) {
    let entity = collector.attempt(at: query.entity.place) {
      try scope.model.entity(query.entity, version: scope.version)
    }
    if let predicate = query.predicate {
      checkPredicate(predicate, about: entity, version: scope.version)
    }
  }

  func check(
    _ reference: ObjectReference, version: String, names: LocalNames,
    ofEntity entity: EntityDescription
  ) throws {
    switch reference {
    case .named(_, let name): try names.require(name)
    case .query(let query):
      let found = try entity.managedObjectModel.entity(query.entity, version: version)
      guard found.isKindOf(entity: entity) || entity.isKindOf(entity: found) else {
        throw Diagnostic("'\(found.name)' isn't a kind of '\(entity.name)'", at: query.entity.place)
      }
      if let predicate = query.predicate {
        checkPredicate(predicate, about: found, version: version)
      }
    }
  }

  package func check(_ reference: ObjectReference, _ scope: ModelScope) {
    switch reference {
    case .query(let query): check(query, scope)
    case .named(let entity, let name):
      collector.attempt(at: entity.place) {
        _ = try scope.model.entity(entity, version: scope.version)
        try scope.names.require(name)
      }
    }
  }

  /// A seeded object, by the entity it was seeded with.
  package func checkSource(_ reference: ObjectReference, names: LocalNames) {
    guard case .named(let entity, let name) = reference else {
      collector.report("name a seeded object here, not a query", at: reference.entity.place)
      return
    }
    checkSeededEntity(entity)
    collector.attempt(at: name.place) { try names.require(name, ofEntity: entity.value) }
  }

  package func checkSeededEntity(_ entity: Located<String>) {
    let sources = Set(
      scenario.starts.map(\.value)
        + [scenario.chain.first?.hop.value.source]
        .compactMap { $0 })
    let known = sources.flatMap { models[$0]?.entitiesByName.keys.map { $0 } ?? [] }
    if known.contains(entity.value) { return }
    let hint = Spelling.hint(for: entity.value, among: Set(known), called: "source entities")
    collector.report("there is no source entity '\(entity.value)'\(hint)", at: entity.place)
  }

  /// Checks that an expected value has the form its key path asks for.
  package func check(_ node: SourceNode, at path: ModelPath, _ scope: ModelScope) throws {
    switch path.end {
    case .count:
      if node.text.flatMap({ Int($0) }) == nil {
        throw Diagnostic("'@count' is a whole number, not \(node.kind)", at: node.place)
      }
    case .attribute(let attribute):
      _ = try ExpectedValue(node, at: path, of: attribute)
    case .relationship(let relationship):
      let members = try path.members(node, of: relationship)
      for member in members.references {
        try check(
          member, version: scope.version, names: scope.names,
          ofEntity: relationship.destinationEntity)
      }
    }
  }

  // MARK: Properties

  package func check(_ reference: PropertyReference, _ scope: ModelScope) {
    collector.attempt(at: reference.entity.place) {
      let entity = try scope.model.entity(reference.entity, version: scope.version)
      for name in reference.properties { _ = try entity.property(name, version: scope.version) }
    }
  }

  // MARK: Errors

  package func check(_ failure: FailureExpectation) {
    if let step = failure.step { _ = models(of: step) }
    if let code = failure.code, failure.domain == nil,
      CoreDataErrorCode(rawValue: code.value) == nil
    {
      collector.report("Core Data has no error code \(code.value)", at: code.place)
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
    let hint = Spelling.hint(for: name.value, among: known, called: "entities")
    collector.report("no version has an entity '\(name.value)'\(hint)", at: name.place)
    return false
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
