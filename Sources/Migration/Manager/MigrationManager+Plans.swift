// A migration whose plans another carries out.

extension MigrationManager {
  /// The plans of a migration, made and checked as one that runs makes them.
  final func plans(
    from source: PersistentStore, to destination: PersistentStore, with mappings: MappingModel
  ) throws -> MigrationRun {
    defer { run = nil }
    try ExceptionTrap.catching { try prepare(source, destination, mappings) }
    let plans = run ?? MigrationRun([], in: destinationContext)
    for plan in plans.plans { plan.finish() }
    return plans
  }

  /// Traces what the three passes would have called; `reports` are in the order of the plans.
  final func noteHooks(of run: MigrationRun, _ reports: [EntityMappingReport]) {
    let made = Array(zip(run.plans.map(\.mapping.name), reports.map(\.destinationCount)))
    for (name, count) in made {
      trace.record(.begin, entityMapping: name)
      trace.record(.createDestinationInstances, entityMapping: name, count: count)
      trace.record(.endInstanceCreation, entityMapping: name)
    }
    for (name, count) in made {
      trace.record(.createRelationships, entityMapping: name, count: count)
      trace.record(.endRelationshipCreation, entityMapping: name)
    }
    for (name, _) in made { trace.record(.performCustomValidation, entityMapping: name) }
    for (name, _) in made { trace.record(.end, entityMapping: name) }
    let total = made.reduce(0) { $0 + $1.1 }
    trace.record(.validate, count: total)
    trace.record(.save, count: total)
    didProgress(1)
  }
}
