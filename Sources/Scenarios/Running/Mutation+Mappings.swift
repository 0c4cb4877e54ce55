extension Mutation {
  /// Makes the fault in the mapping models that a step is offered.
  /// - Throws: ``MutationError`` where there is nothing of the kind.
  func apply(
    to candidates: inout [MappingCandidate], of ends: StepEnds, madeFor: StepEnds,
    in scenario: CheckedScenario
  ) throws {
    switch self {
    case .model(let version, _) where version == madeFor.source || version == madeFor.destination:
      guard let before = scenario.modelsBeforeMutation, let oldSource = before[madeFor.source],
        let oldDestination = before[madeFor.destination]
      else { return }
      let new = (try scenario.model(madeFor.source), try scenario.model(madeFor.destination))
      for candidate in candidates {
        candidate.model.rebind(from: (oldSource, oldDestination), to: new)
      }
    case .mapping(ends.description, let index, let name, let change):
      guard candidates.indices.contains(index),
        let place = candidates[index].model.entityMappings.firstIndex(where: { $0.name == name })
      else { throw MutationError("there is no entity mapping '\(name)' in \(ends)") }
      try change.apply(to: candidates[index].model, at: place)
    case .step, .model, .mapping, .source: break
    }
  }
}

extension MappingMutation {
  fileprivate func apply(to model: MappingModel, at place: Int) throws {
    let mapping: EntityMapping = model.entityMappings[place]
    switch self {
    case .dropped: model.entityMappings.remove(at: place)
    case .withoutPolicy: mapping.entityMigrationPolicyClassName = nil
    case .withoutProperty(let name, isRelationship: true):
      mapping.relationshipMappings?.removeAll { $0.name == name }
    case .withoutProperty(let name, isRelationship: false):
      mapping.attributeMappings?.removeAll { $0.name == name }
    case .value(let name, let isRelationship, let format):
      let property =
        isRelationship
        ? mapping.relationshipMapping(named: name) : mapping.attributeMapping(named: name)
      guard let property else {
        throw MutationError("'\(mapping.name ?? "")' has no property mapping '\(name)'")
      }
      property.valueExpression = try Expression.parse(format, arguments: [])
    case .predicate(let format):
      mapping.sourceExpression =
        GeneratedExpression.fetch(
          entityName: mapping.sourceEntityName ?? "", predicate: format
        ).expression
    }
  }
}
