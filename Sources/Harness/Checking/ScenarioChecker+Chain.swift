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
        _ = try MappingCandidate(
          mapping, from: models.source, to: models.destination, in: scenario.folder)
      }
    case .inline(let mappings, _):
      guard let models else { return }
      for mapping in mappings {
        check(mapping, hop: hop.value, from: models.source, to: models.destination)
      }
    }
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
