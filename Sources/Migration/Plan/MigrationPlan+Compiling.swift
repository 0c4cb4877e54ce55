// A mapping model as a plan.

extension MigrationPlan {
  /// What a mapping model whose policy is Core Data's own does with the rows of a store.
  ///
  /// - Parameters:
  ///   - source: The model of the source store.
  ///   - destination: The model of the destination store.
  /// - Throws: ``PlanUnsupported`` where it takes objects: for policies and source expressions.
  ///   `CoreDataError` for a mapping model that can't run.
  init(
    compiling mappings: MappingModel, from source: ManagedObjectModel,
    to destination: ManagedObjectModel, checks: Checks
  ) throws {
    try mappings.checkFit(source: source, destination: destination)
    let compiled = try (mappings.entityMappings ?? []).map { mapping in
      try MappingCompiler(mapping: mapping, source: source, destination: destination).compiled()
    }
    self.init(entities: try compiled.compactMap { try EntityPlan($0) }, checks: checks)
  }
}

extension EntityPlan {
  /// Nil for a mapping that reads nothing.
  fileprivate init?(_ compiled: CompiledMapping) throws {
    let name = compiled.mapping.name ?? ""
    if compiled.needsPolicy { throw PlanUnsupported("'\(name)' has a policy") }
    let request: FetchRequest<ManagedObject>
    switch compiled.source {
    case .none: return nil
    case .expression: throw PlanUnsupported("'\(name)' has a source expression of its own")
    case .request(let found): request = found
    }
    guard let source = compiled.sourceEntity, request.entityName == source.name,
      let destination = compiled.destinationEntity
    else { throw PlanUnsupported("'\(name)' makes nothing that can be stored") }
    self.init(
      name: name, source: source, destination: destination, condition: request.predicate)
    for step in compiled.attributes { fill(step.property, from: step.source) }
    for step in compiled.relationships { link(step.property, from: step.source) }
  }
}
