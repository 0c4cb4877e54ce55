/// Carries out a step object by object: the three passes of a migration manager, for each mapping model in
/// turn. It does everything, policies included.
struct ObjectExecutor: StepExecutor {
  private let work: StepWork

  init(_ work: StepWork) throws {
    if work.isComposed { throw PlanUnsupported("objects see the stores between steps") }
    self.work = work
  }

  func fill(
    _ destination: PersistentStore, report: inout StepReport, place: inout CoreDataError.Place
  ) throws {
    for (candidate, plan) in zip(work.choice.mappings, work.plans) {
      try run(candidate, plan: plan, destination: destination, report: &report, place: &place)
    }
  }

  private func run(
    _ candidate: MappingCandidate, plan: MigrationPlan, destination: PersistentStore,
    report: inout StepReport, place: inout CoreDataError.Place
  ) throws {
    let manager = makeManager()
    defer {
      report.runs.append(
        StepReport.Run(
          name: candidate.name, plan: plan, entityMappings: manager.entityMappingReports,
          trace: hidesHooks ? manager.trace.withoutHooks : manager.trace, method: .manager,
          passSeconds: manager.passSeconds, readSeconds: manager.readSeconds,
          hookWork: manager.hookWork))
      report.sqlDifferences += manager.sqlDifferences
      report.stepDoubts += manager.stepDoubts.filter { !report.stepDoubts.contains($0) }
      report.unorderedEntities.formUnion(manager.destinationContext.unorderedEntities)
      place = manager.failurePlace ?? place
    }
    try manager.migrate(from: work.source, to: destination, with: candidate.model, by: plan)
    report.sourceCounts.merge(manager.sourceCounts) { $1 }
    if work.chain.recordsOrigins { report.origins.add(manager.originLinks) }
  }

  private func makeManager() -> MigrationManager {
    let chain = work.chain
    let make = work.step.manager?.make ?? MigrationManager.init(sourceModel:destinationModel:)
    let manager = make(work.source.model, work.step.destinationModel)
    if let userInfo = work.step.manager?.userInfo { manager.userInfo = userInfo }
    manager.policyProvider = chain.policies
    manager.raisesForUnknownMappingNames = chain.raisesForUnknownMappingNames
    manager.didProgress = chain.didProgress
    manager.forgetsObjects = true
    manager.didCallHook = chain.didCallHook
    manager.meter = chain.meter
    manager.secondPass = work.step.secondPass
    manager.givesNewestFirst = chain.givesNewestFirst
    return manager
  }

  /// A lightweight migration calls no hooks, wherever it runs.
  private var hidesHooks: Bool {
    work.isLightweight && work.chain.lightweightMethod == .inPlace
  }
}
