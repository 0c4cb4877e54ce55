extension ScenarioChecker {
  func checkChain() {
    for (index, step) in scenario.chain.enumerated() {
      if index > 0 { checkContinuity(scenario.chain[index - 1], step) }
      checkStages(step)
      let ends = models(of: step.hop)
      let made = step.madeFor.map { models(of: $0) } ?? ends
      for mapping in step.mappings {
        check(mapping, for: step.madeFor ?? step.hop, models: made)
      }
    }
  }

  private func checkContinuity(_ previous: ChainStep, _ step: ChainStep) {
    let reached = previous.hop.value.destination
    if reached != step.hop.value.source {
      collector.report(
        "this step starts at '\(step.hop.value.source)', but the one before it leads to "
          + "'\(reached)'", at: step.hop.place)
    }
  }

  private func check(
    _ mapping: MappingSource, for hop: Located<Hop>,
    models: (source: ManagedObjectModel, destination: ManagedObjectModel)?
  ) {
    switch mapping {
    case .file(let path):
      if FileKind(of: scenario.folder.resolving(path.value)) == .missing { return checkFile(path) }
      guard let models else { return }
      collector.attempt(at: path.place) {
        let file = try MappingFile.load(contentsOf: scenario.folder.resolving(path.value))
        if case .source(let file) = file { try checkVersions(of: file, path, hop.value, models) }
        _ = try file.mappingModel(source: models.source, destination: models.destination)
      }
    case .inline(let inline):
      guard let models else { return }
      for mapping in inline.entityMappings {
        check(mapping, hop: hop.value, from: models.source, to: models.destination)
      }
    }
  }

  /// A file belongs to the versions that it names, as in the app.
  private func checkVersions(
    of file: XcodeMappingFile, _ path: Located<String>, _ hop: Hop,
    _ models: (source: ManagedObjectModel, destination: ManagedObjectModel)
  ) throws {
    guard let source = file.sourceModelHint?.versionName,
      let destination = file.destinationModelHint?.versionName
    else { return }
    if try isMade(
      for: models.source, hop.source, named: source, or: { try file.modelSnapshots().source }),
      try isMade(
        for: models.destination, hop.destination, named: destination,
        or: { try file.modelSnapshots().destination })
    {
      return
    }
    throw Diagnostic(
      "'\(path.value)' was made for \(source) -> \(destination), and this step is \(hop); put it where "
        + "it belongs, or write '.madeFor: \(source) -> \(destination)' if it is meant to be tried here",
      at: path.place)
  }

  /// - Parameters:
  ///   - name: The version that the file names. People rename versions; then the file's own copy of
  ///     it tells.
  private func isMade(
    for model: ManagedObjectModel, _ version: String, named name: String,
    or copy: () throws -> ManagedObjectModel?
  ) throws -> Bool {
    // What a scenario writes itself has names of its own.
    guard scenario.models.isFile(version), model.name != name else { return true }
    let hashes = model.entityVersionHashesByName
    if let named = models[name] { return named.entityVersionHashesByName == hashes }
    return try copy()?.entityVersionHashesByName == hashes
  }

  private func check(
    _ mapping: EntityMappingNotation, hop: Hop, from sourceModel: ManagedObjectModel,
    to destinationModel: ManagedObjectModel
  ) {
    let source = mapping.source.flatMap { entity($0, in: sourceModel, version: hop.source) }
    let destination = mapping.destination.flatMap {
      entity($0, in: destinationModel, version: hop.destination)
    }
    if mapping.source == nil, mapping.destination == nil {
      collector.report(
        "the entity mapping '\(mapping.name.value)' needs a source, a destination or both",
        at: mapping.name.place)
    }
    if let predicate = mapping.predicate {
      checkPredicate(predicate, about: source, version: hop.source)
    }
    let check = { (text: Located<String>) in
      checkExpression(text, source: source, destination: destination, hop: hop)
    }
    if let expression = mapping.sourceExpression { check(expression) }
    checkGroup(mapping.attributes, check) {
      try destination?.attribute($0, version: hop.destination)
    }
    checkGroup(mapping.relationships, check) {
      try destination?.relationship($0, version: hop.destination)
    }
  }

  private func entity(
    _ name: Located<String>, in model: ManagedObjectModel, version: String
  ) -> EntityDescription? {
    collector.attempt(at: name.place) { try model.entity(name, version: version) }
  }

  private func checkGroup(
    _ group: EntityMappingNotation.Group, _ checkExpression: (Located<String>) -> Void,
    property: (Located<String>) throws -> PropertyDescription?
  ) {
    guard case .filled(let expressions) = group else { return }
    for notation in expressions {
      collector.attempt(at: notation.property.place) { _ = try property(notation.property) }
      if let expression = notation.expression { checkExpression(expression) }
    }
  }
}
