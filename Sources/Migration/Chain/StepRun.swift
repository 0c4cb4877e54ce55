/// One step under way.
struct StepRun {
  let chain: MigrationChain
  let step: MigrationStep
  var report: StepReport
  /// Whether the step makes the result of the chain.
  var isLast = true
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
    if !step.migratesAutomatically {
      throw CoreDataError.incompatibleStore(source.metadata, with: step.destinationModel)
    }
    let choice = try step.chooseMapping()
    report.choice = choice
    if isLightweight(choice.kind), chain.lightweightMethod == .inPlace {
      if let store = try performInPlace(choice, from: source, into: stores) { return store }
    }
    if let store = try performBySets(choice, from: source, into: stores) { return store }
    return try making(from: source, into: stores) { run, store in
      for candidate in choice.mappings {
        try run.run(candidate, choice.kind, from: source, to: store)
      }
      return try run.seal(store, in: stores)
    }
  }

  /// Makes a new store for `body` to fill and seal; on an error it is gone.
  private mutating func making<Result>(
    from source: PersistentStore, into stores: any StoreFactory,
    _ body: (inout StepRun, PersistentStore) throws -> Result
  ) throws -> Result {
    let store = try stores.makeStore(
      model: step.destinationModel, identifier: source.identifier,
      metadata: Self.appMetadata(of: source))
    do { return try body(&self, store) } catch {
      stores.discard(store)
      throw error
    }
  }

  private mutating func seal(
    _ store: PersistentStore, in stores: any StoreFactory
  ) throws -> PersistentStore {
    let start = ContinuousClock.now
    defer { report.sealSeconds = (ContinuousClock.now - start).seconds }
    return try measure(.sync, by: chain.meter) { try stores.seal(store, isLast: isLast) }
  }

  // MARK: Inside SQLite

  /// - Returns: Nil when it takes a migration manager to do it.
  private mutating func performInPlace(
    _ choice: MappingChoice, from source: PersistentStore, into stores: any StoreFactory
  ) throws -> PersistentStore? {
    guard let source = source as? SQLiteStore, let candidate = choice.mappings.first else {
      return nil
    }
    return try making(from: source, into: stores) { run, store in
      if let store = store as? SQLiteStore, try run.fill(store, from: source, by: candidate) {
        return try run.seal(store, in: stores)
      }
      stores.discard(store)
      return nil
    }
  }

  /// - Returns: False when it takes a migration manager to do it.
  private mutating func fill(
    _ store: SQLiteStore, from source: SQLiteStore, by candidate: MappingCandidate
  ) throws -> Bool {
    let run = InPlaceRun(mappings: candidate.model, source: source, destination: store)
    do {
      let outcome = try measure(.sql, by: chain.meter) {
        try run.perform(recordingOrigins: chain.recordsOrigins)
      }
      chain.didProgress(1)
      note(outcome, of: candidate, MigrationTrace(), .inPlace)
      return true
    } catch let obstacle as LightweightObstacle {
      report.inPlaceObstacle = obstacle.reason
      return false
    } catch let error as CoreDataError {
      place = error.place
      throw error
    }
  }

  /// A mapping model without policies, as SQL.
  /// - Returns: Nil when it takes a migration manager to do it.
  private mutating func performBySets(
    _ choice: MappingChoice, from source: PersistentStore, into stores: any StoreFactory
  ) throws -> PersistentStore? {
    guard chain.usesSetBasedPlans, choice.kind == .custom, !step.isManaged,
      let source = source as? SQLiteStore, choice.mappings.count == 1,
      let candidate = choice.mappings.first, candidate.model.hasNoPolicies
    else { return nil }
    return try makingWithoutObjects(from: source, into: stores) { run, store in
      try run.fillBySets(store, from: source, by: candidate)
    }
  }

  /// Makes a store of the source's type without objects; where that fails, it takes a migration manager,
  /// whose errors say more.
  private mutating func makingWithoutObjects<Store: PersistentStore>(
    from source: Store, into stores: any StoreFactory,
    _ fill: (inout StepRun, Store) throws -> Void
  ) throws -> PersistentStore? {
    try making(from: source, into: stores) { run, store in
      do {
        guard let store = store as? Store else { throw OtherStore() }
        try fill(&run, store)
      } catch {
        stores.discard(store)
        return nil
      }
      return try run.seal(store, in: stores)
    }
  }

  /// The destination isn't of the source's type.
  private struct OtherStore: Error {}

  private mutating func note(
    _ outcome: StoreTransferOutcome, of candidate: MappingCandidate, _ trace: MigrationTrace,
    _ method: MigrationMethod
  ) {
    report.origins.add(outcome.origins)
    report.sourceCounts = outcome.sourceCounts
    report.runs.append(
      StepReport.Run(
        name: candidate.name, entityMappings: outcome.reports, trace: trace, method: method))
  }

  private mutating func fillBySets(
    _ store: SQLiteStore, from source: SQLiteStore, by candidate: MappingCandidate
  ) throws {
    let manager = manager(for: .custom, from: source)
    let run = SetBasedRun(
      manager: manager, mappings: candidate.model, source: source, destination: store)
    let outcome = try measure(.sql, by: chain.meter) {
      try run.perform(recordingOrigins: chain.recordsOrigins)
    }
    note(outcome, of: candidate, manager.trace, .sets)
  }

  // MARK: Object by object

  /// What an app keeps in the store's metadata goes along; what describes the model doesn't.
  static func appMetadata(of store: PersistentStore) -> [String: Any] {
    store.metadata.filter { key, _ in !key.hasPrefix("NS") && !key.hasPrefix("_NS") }
  }

  private mutating func run(
    _ candidate: MappingCandidate, _ kind: MappingChoice.Kind, from source: PersistentStore,
    to destination: PersistentStore
  ) throws {
    let manager = manager(for: kind, from: source)
    defer {
      report.runs.append(
        StepReport.Run(
          name: candidate.name, entityMappings: manager.entityMappingReports,
          trace: hidesHooks(of: kind) ? MigrationTrace() : manager.trace, method: .manager,
          passSeconds: manager.passSeconds, readSeconds: manager.readSeconds))
      place = manager.failurePlace ?? place
    }
    try manager.migrate(from: source, to: destination, with: candidate.model)
    report.sourceCounts.merge(manager.sourceCounts) { $1 }
    if chain.recordsOrigins { report.origins.add(manager.originLinks) }
  }

  private func manager(
    for kind: MappingChoice.Kind, from source: PersistentStore
  ) -> MigrationManager {
    let manager = MigrationManager(
      sourceModel: source.model, destinationModel: step.destinationModel)
    manager.policyProvider = chain.policies
    manager.raisesForUnknownMappingNames = chain.raisesForUnknownMappingNames
    manager.didProgress = chain.didProgress
    manager.forgetsObjects = true
    manager.didCallHook = chain.didCallHook
    manager.meter = chain.meter
    manager.validation = isLightweight(kind) ? .mandatoryValues : .full
    return manager
  }

  /// A lightweight migration calls no hooks, wherever it runs.
  private func hidesHooks(of kind: MappingChoice.Kind) -> Bool {
    isLightweight(kind) && chain.lightweightMethod == .inPlace
  }

  private func isLightweight(_ kind: MappingChoice.Kind) -> Bool {
    kind == .inferred && !step.isManaged
  }
}
