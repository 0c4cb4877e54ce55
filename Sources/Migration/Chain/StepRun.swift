/// One step under way.
struct StepRun {
  let chain: MigrationChain
  let step: MigrationStep
  var report: StepReport
  /// Where the step failed.
  private(set) var place = CoreDataError.Place()

  init(chain: MigrationChain, step: MigrationStep, report: StepReport) {
    self.chain = chain
    self.step = step
    self.report = report
  }

  /// Chooses mappings, runs them into a new store, and makes that durable. On an error the new
  /// store is gone.
  mutating func perform(
    from source: PersistentStore, into stores: any StoreFactory
  ) throws -> PersistentStore {
    let choice = try step.chooseMapping()
    report.choice = choice
    let store = try stores.makeStore(
      model: step.destinationModel, identifier: source.identifier,
      metadata: Self.appMetadata(of: source))
    do {
      for candidate in choice.mappings { try run(candidate, choice.kind, from: source, to: store) }
      return try stores.seal(store)
    } catch {
      stores.discard(store)
      throw error
    }
  }

  /// What an app keeps in the store's metadata goes along; what describes the model doesn't.
  private static func appMetadata(of store: PersistentStore) -> [String: Any] {
    store.metadata.filter { key, _ in !key.hasPrefix("NS") && !key.hasPrefix("_NS") }
  }

  private mutating func run(
    _ candidate: MappingCandidate, _ kind: MappingChoice.Kind, from source: PersistentStore,
    to destination: PersistentStore
  ) throws {
    let manager = MigrationManager(
      sourceModel: source.model, destinationModel: step.destinationModel)
    manager.policyProvider = chain.policies
    manager.raisesForUnknownMappingNames = chain.raisesForUnknownMappingNames
    manager.validation = kind == .inferred ? .mandatoryValues : .full
    defer {
      report.runs.append(
        StepReport.Run(
          name: candidate.name, entityMappings: manager.entityMappingReports,
          trace: manager.trace))
      place = manager.failurePlace ?? place
    }
    try manager.migrate(from: source, to: destination, with: candidate.model)
    if chain.recordsOrigins { report.origins.add(manager.originLinks) }
  }
}
