extension ScenarioChecker {
  func check(_ expectation: Expectation, names: LocalNames) {
    for start in expectation.starts { _ = model(start) }
    if let version = expectation.version, model(version) == nil { return }
    guard let version = expectation.version?.value ?? finalVersion, let model = models[version]
    else { return }
    let scope = ModelScope(model: model, version: version, names: names)
    checkIsNotEmpty(expectation)
    switch expectation.check {
    case .count(let counts): each(counts) { checkQuestion($0.query, scope) }
    case .unique(let keys): each(keys) { check($0, scope) }
    case .required(let keys):
      each(keys) {
        check($0, scope)
        checkRequiresSomething($0, scope)
      }
    case .inverse(let keys): each(keys) { checkInverse($0, scope) }
    case .quantity(_, let query): checkQuestion(query, scope)
    case .object(let object): check(object, scope)
    case .made(let list): each(list) { check($0, scope) }
    case .dropped(let list): each(list) { checkSource($0, names: names) }
    case .everySourceMigrated(let entities): each(entities) { checkSeededEntity($0) }
    case .model(let facts): each(facts) { check($0, scope) }
    case .hops(let hops): each(hops) { _ = models(of: $0.hop) }
    case .store(let version): _ = self.model(version)
    case .fails(let failure): check(failure)
    case .calls(let calls): each(calls) { check($0) }
    case .prints: checkSomethingPrints(expectation)
    case .destinationAbsent: checkDestinationIsNamed(expectation)
    case .trace, .mapping, .sourceUntouched: break
    }
  }

  private func each<Element>(_ list: [Element], _ check: (Element) -> Void) {
    for element in list { check(element) }
  }

  // MARK: Queries and objects

  /// Checks a query that asks how many objects there are.
  private func checkQuestion(_ query: ObjectQuery, _ scope: ModelScope) {
    check(query, scope)
    checkDependsOnObjects(query.predicate)
  }

  func check(_ query: ObjectQuery, _ scope: ModelScope) {
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

  func check(_ reference: ObjectReference, _ scope: ModelScope) {
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
  private func checkSource(_ reference: ObjectReference, names: LocalNames) {
    guard case .named(let entity, let name) = reference else {
      collector.report("name a seeded object here, not a query", at: reference.entity.place)
      return
    }
    checkSeededEntity(entity)
    collector.attempt(at: name.place) { try names.require(name, ofEntity: entity.value) }
  }

  private func checkSeededEntity(_ entity: Located<String>) {
    let sources = Set(
      scenario.starts.map(\.value)
        + [scenario.chain.first?.hop.value.source]
        .compactMap { $0 })
    let known = sources.flatMap { models[$0]?.entitiesByName.keys.map { $0 } ?? [] }
    if known.contains(entity.value) { return }
    let hint = Spelling.hint(for: entity.value, among: Set(known), called: "source entities")
    collector.report("there is no source entity '\(entity.value)'\(hint)", at: entity.place)
  }

  private func check(_ made: MadeExpectation, _ scope: ModelScope) {
    checkSource(made.source, names: scope.names)
    for entity in made.entities {
      collector.attempt(at: entity.place) {
        _ = try scope.model.entity(entity, version: scope.version)
      }
    }
  }

  private func check(_ expectation: ObjectExpectation, _ scope: ModelScope) {
    check(expectation.object, scope)
    if let origin = expectation.origin { checkSource(origin, names: scope.names) }
    guard let entity = scope.model.entity(named: expectation.object.entity.value) else { return }
    for field in expectation.values {
      collector.attempt(at: field.key.place) {
        let path = try ModelPath(field.key, from: entity, version: scope.version)
        try check(field.value, at: path, scope)
      }
    }
  }

  /// Checks that an expected value has the form its key path asks for.
  private func check(_ node: SourceNode, at path: ModelPath, _ scope: ModelScope) throws {
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

  private func check(_ reference: PropertyReference, _ scope: ModelScope) {
    collector.attempt(at: reference.entity.place) {
      let entity = try scope.model.entity(reference.entity, version: scope.version)
      for name in reference.properties { _ = try entity.property(name, version: scope.version) }
    }
  }

  private func checkInverse(_ reference: PropertyReference, _ scope: ModelScope) {
    collector.attempt(at: reference.entity.place) {
      let entity = try scope.model.entity(reference.entity, version: scope.version)
      for name in reference.properties {
        let relationship = try entity.relationship(name, version: scope.version)
        if relationship.inverseRelationship == nil {
          throw Diagnostic(
            "'\(reference.shown)' has no inverse in \(scope.version)", at: name.place)
        }
      }
    }
  }

  /// An entity or property that exists, or existed in some version.
  private func check(_ fact: ModelFact, _ scope: ModelScope) {
    if case .facts(let facts) = fact.claim { each(facts) { ModelFacts.check($0, collector) } }
    let entities = models.names.compactMap { models[$0]?.entity(named: fact.subject.entity.value) }
    guard !entities.isEmpty else {
      let known = Set(models.names.flatMap { models[$0]?.entitiesByName.keys.map { $0 } ?? [] })
      let hint = Spelling.hint(for: fact.subject.entity.value, among: known, called: "entities")
      collector.report(
        "no version has an entity '\(fact.subject.entity.value)'\(hint)",
        at: fact.subject.entity.place)
      return
    }
    for name in fact.subject.properties
    where !entities.contains(where: { $0.property(named: name.value) != nil }) {
      let known = Set(entities.flatMap { $0.propertiesByName.keys })
      let hint = Spelling.hint(for: name.value, among: known, called: "properties")
      collector.report(
        "no version of '\(entities[0].name)' has a property '\(name.value)'\(hint)",
        at: name.place)
    }
  }

  // MARK: The run

  private func check(_ call: CallCount) {
    let mappings = scenario.chain.flatMap(\.mappings)
    // What a mapping file has shows only when it is read.
    if mappings.contains(where: { if case .file = $0 { true } else { false } }) { return }
    let known = Set(
      mappings.flatMap { source -> [String] in
        guard case .inline(let entityMappings, _) = source else { return [] }
        return entityMappings.flatMap { [$0.name.value, $0.policy?.value].compactMap { $0 } }
      } + scenario.chain.flatMap { $0.stages?.stages.compactMap(\.callName) ?? [] })
    if known.contains(call.target.value) { return }
    let hint = Spelling.hint(
      for: call.target.value, among: known, called: "policies, entity mappings and stages")
    collector.report(
      "no step has a policy, an entity mapping or a stage '\(call.target.value)'\(hint)",
      at: call.target.place)
  }

  func check(_ failure: FailureExpectation) {
    if let step = failure.step { _ = models(of: step) }
    if let code = failure.code, failure.domain == nil,
      CoreDataErrorCode(rawValue: code.value) == nil
    {
      collector.report("Core Data has no error code \(code.value)", at: code.place)
    }
    checkEntity(failure)
    each(failure.errors) { check($0) }
  }

  /// The entity that an error is about can be of any version.
  private func checkEntity(_ failure: FailureExpectation) {
    guard let name = failure.entity else { return }
    let known = Set(models.names.flatMap { models[$0]?.entities.map(\.name) ?? [] })
    if known.contains(name.value) { return }
    let hint = Spelling.hint(for: name.value, among: known, called: "entities")
    collector.report("no version has an entity '\(name.value)'\(hint)", at: name.place)
  }
}

/// The model that names are looked up in.
struct ModelScope {
  let model: ManagedObjectModel
  let version: String
  let names: LocalNames
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
