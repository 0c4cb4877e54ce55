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
    try step.checkRoots(choice)
    let work = StepWork(chain: chain, step: step, choice: choice, source: source)
    var refusal = PlanUnsupported("there is no way to carry out a step")
    for type in Self.executors {
      do { return try perform(type.init(work), of: work, into: stores) } catch let unsupported
        as PlanUnsupported
      {
        report.unsupported.append(unsupported.reason)
        refusal = unsupported
      }
    }
    throw refusal
  }

  private mutating func perform(
    _ executor: some StepExecutor, of work: StepWork, into stores: any StoreFactory
  ) throws -> PersistentStore {
    let store = try stores.makeStore(
      model: step.destinationModel, identifier: work.source.identifier,
      metadata: Self.appMetadata(of: work.source))
    do {
      try executor.fill(store, &report, &place)
      return try seal(store, in: stores)
    } catch {
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

  /// What an app keeps in the store's metadata goes along; what is Core Data's, about model or file, doesn't.
  static func appMetadata(of store: PersistentStore) -> [String: Any] {
    store.metadata.filter { key, _ in StoreMetadata.isOwn(key) }
  }
}

extension MigrationStep {
  /// What systems say of a hierarchy whose root goes that migrate no such store.
  fileprivate func checkRoots(_ choice: MappingChoice) throws {
    guard migratesRemovedRoots == false, choice.kind == .inferred, !makesObjects else { return }
    let doubts = InferenceDoubt.inferred(from: sourceModel, to: destinationModel)
    if let doubt = doubts.first(where: { $0.kind == .rootRemoved }) {
      throw CoreDataError.removedRoot(doubt)
    }
  }
}
