// A mapping model as a plan.

extension MigrationPlan {
  /// What a mapping model does with the objects of a store.
  ///
  /// - Parameters:
  ///   - source: The model of the source store.
  ///   - destination: The model of the destination store.
  /// - Throws: `CoreDataError` for a mapping model that can't run.
  init(
    compiling mappings: MappingModel, from source: ManagedObjectModel,
    to destination: ManagedObjectModel, checks: Checks
  ) throws {
    try mappings.checkFit(source: source, destination: destination)
    let entities = try (mappings.entityMappings ?? []).map { mapping in
      try MappingCompiler(
        mapping: mapping, source: source, destination: destination,
        convertsToDecimal: mappings.isInferred
      ).plan()
    }
    self.init(entities: entities, checks: checks)
  }
}

extension MigrationStep {
  /// What the step's mapping models come to; nothing for stages, in which they play no part.
  /// - Throws: `CoreDataError` for a step without a mapping, and for a mapping model that can't run.
  package func plans() throws -> [MigrationPlan] {
    switch way {
    case .staged, .notAllowed: return []
    case .opening, .stepwise, .manager, .direct:
      let choice = try chooseMapping()
      return try choice.mappings.map { try plan(of: $0.model, in: choice, from: sourceModel) }
    }
  }

  /// - Parameter source: The model of the source store.
  func plan(
    of mappings: MappingModel, in choice: MappingChoice, from source: ManagedObjectModel
  ) throws -> MigrationPlan {
    try MigrationPlan(
      compiling: mappings, from: source, to: destinationModel,
      checks: isLightweight(choice) ? .mandatoryValues : .everything)
  }

  /// Whether Core Data would do the step inside the store: without hooks, checking mandatory values only.
  func isLightweight(_ choice: MappingChoice) -> Bool { choice.kind == .inferred && !makesObjects }
}
