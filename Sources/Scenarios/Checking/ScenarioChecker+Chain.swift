extension ScenarioChecker {
  /// - Returns: The mapping models of the steps, in their order.
  func resolveChain() -> [[ResolvedMapping]] {
    scenario.chain.enumerated().map { index, step in
      if index > 0, scenario.route?.value != .direct {
        checkContinuity(scenario.chain[index - 1], step)
        checkReturn(to: scenario.chain[..<index].map(\.ends.value.source), step)
      }
      checkStages(step)
      checkDirection(step)
      checkSecondPass(step)
      let own = models(of: step.ends)
      let made = step.madeFor.map { models(of: $0) } ?? own
      return step.mappings.compactMap {
        resolve($0, for: step.madeFor ?? step.ends, models: made)
      }
    }
  }

  /// A mapping that is inferred runs inside the store, which has no passes.
  private func checkSecondPass(_ step: ChainStep) {
    guard let place = step.secondPassPlace, step.mappings.isEmpty, scenario.manager(of: step) == nil
    else { return }
    collector.report(
      "'.secondPass' has no effect: this step has no mapping model; give it one, or write '.manager: true'",
      at: place)
  }

  private func checkDirection(_ step: ChainStep) {
    if step.ends.value.source == step.ends.value.destination {
      collector.report(
        "this step leads from '\(step.ends.value.source)' to itself: name another version",
        at: step.ends.place)
    }
  }

  private func checkContinuity(_ previous: ChainStep, _ step: ChainStep) {
    let reached = previous.ends.value.destination
    if reached != step.ends.value.source {
      collector.report(
        "this step starts at '\(step.ends.value.source)', but the one before it leads to "
          + "'\(reached)'", at: step.ends.place)
    }
  }

  /// A chain that comes back to a version leaves open which of its steps a store of that version needs; one that
  /// ends where it began needs none.
  private func checkReturn(to passed: [String], _ step: ChainStep) {
    let reached = step.ends.value.destination
    // A step to itself is reported as such.
    if reached == step.ends.value.source || !passed.contains(reached) { return }
    collector.report(
      "the chain comes back to '\(reached)', which it has passed: a chain passes each version once; write a "
        + "scenario of its own for the way back", at: step.ends.place)
  }

  private func resolve(
    _ mapping: MappingSource, for ends: Located<StepEnds>,
    models: (source: ManagedObjectModel, destination: ManagedObjectModel)?
  ) -> ResolvedMapping? {
    switch mapping {
    case .file(let path):
      if FileKind(of: scenario.folder.resolving(path.value)) == .missing {
        checkFile(path)
        return nil
      }
      guard let models else { return nil }
      return collector.attempt(at: path.place) {
        let file = try MappingFile.load(contentsOf: scenario.folder.resolving(path.value))
        if case .source(let file) = file {
          try checkVersions(of: file, at: path, ends: ends.value, models: models)
        }
        _ = try file.mappingModel(source: models.source, destination: models.destination)
        return switch file {
        case .source(let file): .file(file, path: path.value)
        case .compiled(let file): .compiledFile(file.url, path: path.value)
        }
      }
    case .inline(let inline):
      guard let models else { return nil }
      let drafts = inline.entityMappings.map {
        resolve($0, ends: ends.value, from: models.source, to: models.destination)
      }
      if inline.copiesRest {
        let builder = MappingBuilder(source: models.source, destination: models.destination)
        checkNames(of: inline, besides: builder.withRest(drafts).dropFirst(drafts.count))
      }
      return .inline(drafts, inline)
    }
  }

  /// Reports an entity mapping with the name of one that `.rest` adds.
  private func checkNames(of inline: InlineMapping, besides rest: ArraySlice<EntityMappingDraft>) {
    for mapping in inline.entityMappings {
      guard let other = rest.first(where: { $0.name == mapping.name.value }) else { continue }
      collector.report(
        "'.rest' copies '\(other.destinationEntityName ?? "")' by a mapping of this name; give this one another",
        at: mapping.name.place)
    }
  }

  /// A file belongs to the versions that it names, as in the app, and to those with the same hashes.
  private func checkVersions(
    of file: XcodeMappingFile, at path: Located<String>, ends: StepEnds,
    models: (source: ManagedObjectModel, destination: ManagedObjectModel)
  ) throws {
    guard let source = file.sourceModelHint?.versionName,
      let destination = file.destinationModelHint?.versionName
    else { return }
    if let from = try made(
      for: models.source, version: ends.source, named: source,
      copy: { try file.modelSnapshots().source }),
      let to = try made(
        for: models.destination, version: ends.destination, named: destination,
        copy: { try file.modelSnapshots().destination }),
      // What doesn't fit the versions that it names is told where the step's own are tried.
      from === models.source && to === models.destination
        || (try? file.mappingModel(source: from, destination: to))?
          .fits(source: models.source, destination: models.destination) == true
    {
      return
    }
    throw Diagnostic(
      "'\(path.value)' was made for \(source) -> \(destination), and this step is \(ends); put it where "
        + "it belongs, or write '.madeFor: \(source) -> \(destination)' to try it here anyway",
      at: path.place)
  }

  /// The model that a file was made for, where a step has a version.
  /// - Parameters:
  ///   - name: The version that the file names. People rename versions; then the file's own copy of
  ///     it tells.
  private func made(
    for model: ManagedObjectModel, version: String, named name: String,
    copy: () throws -> ManagedObjectModel?
  ) throws -> ManagedObjectModel? {
    // What a scenario writes itself has names of its own.
    guard scenario.models.isFile(version), model.name != name else { return model }
    return try models[name] ?? copy()
  }

  private func resolve(
    _ mapping: EntityMappingNotation, ends: StepEnds, from sourceModel: ManagedObjectModel,
    to destinationModel: ManagedObjectModel
  ) -> EntityMappingDraft {
    let source = mapping.source.flatMap { entity($0, in: sourceModel, version: ends.source) }
    let destination = mapping.destination.flatMap {
      entity($0, in: destinationModel, version: ends.destination)
    }
    if mapping.source == nil, mapping.destination == nil {
      collector.report(
        "the entity mapping '\(mapping.name.value)' needs a source, a destination or both",
        at: mapping.name.place)
    }
    checkEnds(of: mapping)
    if mapping.kind == .copy, let kind = mapping.kindPlace, let source, let destination,
      sourceModel.entityVersionHashesByName[source.name]
        != destinationModel.entityVersionHashesByName[destination.name]
    {
      collector.report(
        "'copy' is for an entity that is the same in both versions, and '\(destination.name)' of "
          + "\(ends.destination) differs from '\(source.name)' of \(ends.source): leave out the type, or write "
          + "'transform'", at: kind)
    }
    if let predicate = mapping.predicate {
      resolve(predicate, about: source, version: ends.source, isFetched: true)
    }
    let read = { (text: Located<String>) in
      resolve(text, source: source, destination: destination, ends: ends)
    }
    var draft = EntityMappingDraft(
      source: mapping.source?.value, destination: mapping.destination?.value,
      name: mapping.name.value, policy: mapping.policy?.value)
    draft.explicitType = mapping.kind?.mappingType
    draft.sourcePredicate = mapping.predicate?.value
    draft.sourceExpression = mapping.sourceExpression.flatMap(read)
    draft.userInfo = mapping.userInfo.isEmpty ? nil : mapping.userInfo
    draft.attributes = resolve(mapping.attributes, read) {
      try destination?.attribute($0, version: ends.destination)
    }
    draft.relationships = resolve(mapping.relationships, read) {
      try destination?.relationship($0, version: ends.destination)
    }
    return draft
  }

  /// Reports what an entity mapping says of an end that it doesn't have: it would have no effect.
  private func checkEnds(of mapping: EntityMappingNotation) {
    if let predicate = mapping.predicate, mapping.source == nil, mapping.destination != nil {
      collector.report(
        "'predicate' chooses among source objects, and this mapping has no 'source'",
        at: predicate.place)
    }
    if let predicate = mapping.predicate, mapping.sourceExpression != nil {
      collector.report(
        "write 'predicate' or 'sourceExpression': of both, only the expression counts",
        at: predicate.place)
    }
    guard mapping.destination == nil, mapping.source != nil else { return }
    for case .filled(let expressions) in [mapping.attributes, mapping.relationships] {
      guard let first = expressions.first else { continue }
      collector.report(
        "'\(first.property.value)' would be set in a destination object, and this mapping has no 'destination'",
        at: first.property.place)
    }
  }

  private func entity(
    _ name: Located<String>, in model: ManagedObjectModel, version: String
  ) -> EntityDescription? {
    collector.attempt(at: name.place) { try model.entity(name, version: version) }
  }

  private func resolve(
    _ group: EntityMappingNotation.Group, _ read: (Located<String>) -> Expression?,
    property: (Located<String>) throws -> PropertyDescription?
  ) -> EntityMappingDraft.PropertySelection {
    guard case .filled(let expressions) = group else { return .none }
    let sources =
      expressions.map { notation in
        collector.attempt(at: notation.property.place) { _ = try property(notation.property) }
        let source = notation.expression.flatMap(read)
        return (notation.property.value, source.map { .expression($0) } ?? .nothing)
      } as [(String, EntityMappingDraft.PropertySource)]
    return .sameNamed(except: Dictionary(firstOf: sources))
  }
}

extension EntityMappingNotation.Kind {
  fileprivate var mappingType: EntityMappingType {
    switch self {
    case .custom: .customEntityMappingType
    case .add: .addEntityMappingType
    case .remove: .removeEntityMappingType
    case .copy: .copyEntityMappingType
    case .transform: .transformEntityMappingType
    }
  }
}
