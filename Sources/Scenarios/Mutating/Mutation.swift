/// One deliberate fault in what a scenario was made of, by which to see whether it notices.
///
/// It is applied to what was read, in the process that plays: no file is changed.
package enum Mutation: Codable, Hashable, Sendable {
  case step(StepMutation)
  case model(version: String, ModelMutation)
  /// Of the entity mapping of a name, in one of the mapping models offered for a step.
  case mapping(step: String, candidate: Int, entityMapping: String, MappingMutation)
  /// Of one of the scenario's Swift files.
  case source(SourceMutation)
}

package enum StepMutation: Codable, Hashable, Sendable {
  /// The step, by its place in the chain, is offered no mapping model.
  case withoutMappings(step: Int)
  /// The step leads to where the next one leads, which isn't executed.
  case joined(step: Int)
}

package enum ModelMutation: Codable, Hashable, Sendable {
  /// Another default, or none.
  case `default`(entity: String, attribute: String)
  /// Another delete rule.
  case deleteRule(entity: String, relationship: String)
  /// Neither relationship knows of the other.
  case inverse(entity: String, relationship: String)
  /// The entity, or its property, was never called otherwise.
  case renamingIdentifier(entity: String, property: String?)
}

package enum MappingMutation: Codable, Hashable, Sendable {
  case dropped
  case withoutPolicy
  case withoutProperty(String, isRelationship: Bool)
  /// Another value expression, by its format.
  case value(String, isRelationship: Bool, format: String)
  /// Another source predicate, by its format.
  case predicate(String)
}

/// Bytes of a Swift file that are replaced.
package struct SourceMutation: Codable, Hashable, Sendable {
  /// The file's absolute path.
  package let path: String
  /// Where the bytes begin.
  package let offset: Int
  /// What must be there.
  package let removed: String
  package let added: String

  package init(path: String, offset: Int, removed: String, added: String) {
    self.path = path
    self.offset = offset
    self.removed = removed
    self.added = added
  }

  /// The file's text with the fault; nil where the text isn't the one that the fault was made for.
  package func applied(to text: String) -> String? {
    let bytes = Array(text.utf8)
    let end = offset + removed.utf8.count
    guard offset >= 0, end <= bytes.count, bytes[offset..<end].elementsEqual(removed.utf8) else {
      return nil
    }
    return String(decoding: bytes[..<offset] + Array(added.utf8) + bytes[end...], as: UTF8.self)
  }
}

/// A fault that can't be made: what it is about isn't there, or the result contradicts itself.
package struct MutationError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

// MARK: - Chains and models

extension CheckedScenario {
  /// The scenario with a fault in it. Those in mapping models and Swift files are made when these are read.
  /// - Throws: ``MutationError``; `ModelError` for a model that doesn't fit together any more; ``Diagnostics``
  ///   for what the scenario says that the model hasn't got any more.
  package func mutated(by mutation: Mutation) throws -> CheckedScenario {
    var result =
      switch mutation {
      case .step(let change): try mutated(by: change)
      case .model(let version, let change):
        try resolved(for: models.replacing(version) { try change.applied(to: $0) })
      case .mapping, .source: self
      }
    result.mutation = mutation
    result.modelsBeforeMutation = models
    return result
  }

  private func mutated(by change: StepMutation) throws -> CheckedScenario {
    var (scenario, mappings) = (scenario, mappings)
    try change.apply(to: &scenario.chain, &mappings)
    // A version that isn't passed any more is none to start from.
    let starts = starts.filter { start in
      steps(from: start).isEmpty || !scenario.steps(from: start).isEmpty
    }
    return CheckedScenario(
      scenario: scenario, models: models, starts: starts, seeds: seeds, mappings: mappings,
      expectations: expectations, actions: actions)
  }

  /// The same scenario, what it says looked up in other models.
  private func resolved(for models: VersionedModels) throws -> CheckedScenario {
    let collector = DiagnosticCollector()
    var checker = ScenarioChecker(scenario: scenario, models: models, collector: collector)
    let resolved = checker.resolveAll()
    try collector.throwIfAny()
    return resolved
  }
}

extension StepMutation {
  fileprivate func apply(
    to chain: inout [ChainStep], _ mappings: inout [[ResolvedMapping]]
  ) throws {
    switch self {
    case .withoutMappings(let step):
      guard chain.indices.contains(step) else { throw MutationError("the chain has no such step") }
      chain[step].mappings = []
      mappings[step] = []
    case .joined(let step):
      guard chain.indices.contains(step + 1) else {
        throw MutationError("the chain has no such step")
      }
      let ends = StepEnds(
        source: chain[step].ends.value.source, destination: chain[step + 1].ends.value.destination)
      chain.replaceSubrange(
        step...(step + 1), with: [ChainStep(ends: Located(ends, at: chain[step].ends.place))])
      mappings.replaceSubrange(step...(step + 1), with: [[]])
    }
  }
}

extension ModelMutation {
  fileprivate func applied(to model: ManagedObjectModel) throws -> ManagedObjectModel {
    let entities = model.entities.map { $0.unattachedCopy() }
    func property<Property: PropertyDescription>(
      _ name: String, of entity: String, _: Property.Type = Property.self
    ) throws -> Property {
      let owner = try self.entity(entity, entities)
      guard let found = owner.ownProperties.first(where: { $0.name == name }) as? Property else {
        throw MutationError("'\(entity)' has no such property '\(name)'")
      }
      return found
    }
    switch self {
    case .default(let entity, let name):
      let attribute: AttributeDescription = try property(name, of: entity)
      attribute.typedDefaultValue = attribute.alteredDefault
      attribute.defaultValueString = nil
    case .deleteRule(let entity, let name):
      let relationship: RelationshipDescription = try property(name, of: entity)
      relationship.deleteRule = relationship.alteredDeleteRule
    case .inverse(let entity, let name):
      let relationship: RelationshipDescription = try property(name, of: entity)
      let other = relationship.destinationEntityName
      let inverse = relationship.inverseName
      relationship.inverseName = nil
      for back in entities.flatMap(\.ownRelationships)
      where back !== relationship && back.name == inverse && back.inverseName == name
        && (back.destinationEntityName == entity
          || entities.contains { $0.name == other && $0.ownProperties.contains(back) })
      {
        back.inverseName = nil
      }
    case .renamingIdentifier(let name, nil):
      try entity(name, entities).explicitRenamingIdentifier = nil
    case .renamingIdentifier(let entity, let name?):
      let renamed: PropertyDescription = try property(name, of: entity)
      renamed.explicitRenamingIdentifier = nil
    }
    let mutated = try ManagedObjectModel(
      entities: entities, name: model.name, versionIdentifiers: model.versionIdentifiers,
      configurations: model.configurations, fetchRequestTemplates: model.fetchRequestTemplates)
    mutated.isPartlyVersionedMerge = model.isPartlyVersionedMerge
    return mutated
  }

  private func entity(
    _ name: String, _ entities: [EntityDescription]
  ) throws -> EntityDescription {
    if let entity = entities.first(where: { $0.name == name }) { return entity }
    throw MutationError("there is no entity '\(name)'")
  }
}

extension AttributeDescription {
  /// A default that is another one: the next number, another text, the next day; none where nothing else can
  /// be made up.
  package var alteredDefault: Value {
    switch typedDefaultValue {
    case .integer(let number) where attributeType == .boolean: .integer(number == 0 ? 1 : 0)
    case .integer(let number): .integer(number == .max ? number - 1 : number + 1)
    case .double(let number): .double(number + 1)
    case .decimal(let number): .decimal(number + 1)
    case .string(let text): .string(text + "x")
    case .date(let date): .date(date.addingTimeInterval(86400))
    case .null, .data, .uuid, .uri, .transformable, .object, .collection: .null
    }
  }
}

extension RelationshipDescription {
  /// The rule that does most otherwise.
  package var alteredDeleteRule: DeleteRule {
    switch deleteRule {
    case .nullify: .cascade
    case .noAction, .cascade, .deny: .nullify
    }
  }
}

extension VersionedModels {
  fileprivate func replacing(
    _ version: String, by change: (ManagedObjectModel) throws -> ManagedObjectModel
  ) throws -> VersionedModels {
    guard let old = self[version] else { throw MutationError("there is no version '\(version)'") }
    let new = try change(old)
    // Several names may stand for one model.
    var result = VersionedModels(
      names.compactMap { name in
        self[name].map { (name, $0 === old ? new : $0) }
      })
    result.unreadable = unreadable
    result.orderProblems = orderProblems
    return result
  }
}
