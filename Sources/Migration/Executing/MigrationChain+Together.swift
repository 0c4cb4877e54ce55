// Consecutive lightweight steps as one, where nobody looks at the stores between them.

extension MigrationChain {
  /// Runs the lightweight steps that `steps` begins with as one.
  ///
  /// - Returns: The sealed store and the steps' reports; nil when there are fewer
  ///   than two such steps, or when one of them might fail: then each has to run by itself, for its
  ///   own error.
  func performTogether(
    _ steps: ArraySlice<MigrationStep>, from source: PersistentStore, into stores: any StoreFactory
  ) -> (store: PersistentStore, reports: [StepReport])? {
    guard !observesEveryStep, !recordsOrigins, lightweightMethod == .inPlace,
      source.isFilledBySQL,
      let group = LightweightGroup(steps, from: source), group.steps.count > 1
    else { return nil }
    let start = ContinuousClock.now
    let isLast = group.steps.count == steps.count
    // Step by step the error is met again, and told with its step.
    guard
      let (store, sealSeconds) = try? group.makeStore(
        from: source, by: stores, isLast: isLast, meter)
    else { return nil }
    didProgress(1)
    var reports = group.reports
    for index in reports.indices.dropLast() { reports[index].isPassedThrough = true }
    reports[reports.count - 1].seconds = (ContinuousClock.now - start).seconds
    reports[reports.count - 1].sealSeconds = sealSeconds
    return (store, reports)
  }
}

/// Steps that come to one plan.
private struct LightweightGroup {
  private(set) var steps: [MigrationStep] = []
  private(set) var reports: [StepReport] = []
  private var plan: MigrationPlan?
  /// Rows of the source, by entity name.
  private var counts: [String: Int] = [:]

  /// Takes steps as long as they can be put together.
  /// - Returns: Nil when the source can't be counted.
  init?(_ steps: ArraySlice<MigrationStep>, from source: PersistentStore) {
    // Step by step the error is met again.
    guard steps.prefix(2).count == 2, steps.prefix(2).allSatisfy(\.isPlain),
      let counts = try? source.rowCounts()
    else { return nil }
    self.counts = counts
    for step in steps {
      // A step that has no mapping fails by itself.
      guard step.isPlain, let choice = try? step.chooseMapping(), choice.kind == .inferred,
        let candidate = choice.mappings.first, add(step, choice, candidate)
      else { break }
    }
  }

  private mutating func add(
    _ step: MigrationStep, _ choice: MappingChoice, _ candidate: MappingCandidate
  ) -> Bool {
    // What can't be done by statements is done object by object.
    guard
      let next = try? MigrationPlan(
        compiling: candidate.model, from: step.sourceModel, to: step.destinationModel,
        checks: .mandatoryValues)
    else { return false }
    if let plan {
      guard let both = plan.followed(by: next) else { return false }
      self.plan = both
    } else {
      plan = next
    }
    steps.append(step)
    reports.append(report(of: step, choice, candidate))
    return true
  }

  private func report(
    of step: MigrationStep, _ choice: MappingChoice, _ candidate: MappingCandidate
  ) -> StepReport {
    var report = StepReport(of: step)
    report.choice = choice
    let made = plan?.entities ?? []
    report.runs = [
      StepReport.Run(
        name: candidate.name,
        entityMappings: candidate.model.reports(
          names: made.map(\.name), counts: made.map { counts[$0.source.name] ?? 0 }),
        trace: MigrationTrace(), method: .inPlace)
    ]
    return report
  }

  /// - Returns: The sealed store, and the seconds that sealing took.
  func makeStore(
    from source: PersistentStore, by stores: any StoreFactory, isLast: Bool,
    _ meter: (any StepMeter)?
  ) throws -> (PersistentStore, sealSeconds: Double)? {
    guard let last = steps.last, let plan else { return nil }
    let store = try stores.makeStore(
      model: last.destinationModel, identifier: source.identifier,
      metadata: StepRun.appMetadata(of: source))
    do {
      try measure(.sql, by: meter) {
        _ = try SQLExecutor.fill(store, from: source, by: plan)
      }
      let start = ContinuousClock.now
      let sealed = try measure(.sync, by: meter) { try stores.seal(store, isLast: isLast) }
      return (sealed, (ContinuousClock.now - start).seconds)
    } catch {
      stores.discard(store)
      throw error
    }
  }
}

extension MigrationStep {
  /// Whether nothing about the step keeps it from running together with its neighbours.
  fileprivate var isPlain: Bool {
    migratesAutomatically && !isDirect && !isManaged && infersMapping && stages == nil
  }
}
