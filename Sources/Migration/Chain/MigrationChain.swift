/// A migration of any number of steps, each from one model to the next.
///
/// Every step reads the store of the step before and writes a new one. The source store is never
/// written to. Only when all steps have succeeded the last store is put where the result belongs,
/// so a chain that fails or is killed leaves the old state whole.
public struct MigrationChain {
  public var steps: [MigrationStep]
  public var policies: any PolicyProvider
  /// Whether reports say which object was made from which; takes memory for every object.
  public var recordsOrigins = false
  /// How inferred steps run where both stores are SQLite files, or in memory.
  public var lightweightMethod = MigrationMethod.inPlace
  /// Whether mapping models without policies run as SQL where both stores are SQLite files, and from row to
  /// row where both are in memory. They give
  /// the same content either way; a step that is managed runs them in a migration manager.
  public var usesSetBasedPlans = true
  /// Whether what is told after each step has to see each step's store. If not, consecutive lightweight
  /// steps may run as one; a step is then told of with the store that is made next.
  public var observesEveryStep = true
  /// Told how far the running mapping model is, from 0 to 1.
  public var didProgress: (Float) -> Void = { _ in }
  /// Told when the parts of each step begin and end.
  public var meter: (any StepMeter)?
  /// Told of each call of a policy's hook when it has returned.
  public var didCallHook: ((HookCall) -> Void)?
  /// Whether unknown mapping names in policies are errors.
  public var raisesForUnknownMappingNames = false

  public init(steps: [MigrationStep], policies: any PolicyProvider = PolicyRegistry()) {
    self.steps = steps
    self.policies = policies
  }

  /// What is told after each step: its report and its store, open for reading until the call
  /// returns.
  public typealias StepObserver = (StepReport, PersistentStore) throws -> Void

  /// Runs all steps.
  ///
  /// - Parameters:
  ///   - source: The store to start from, which is left as it is, and open.
  ///   - stores: Where the steps' stores and the result go.
  ///   - didFinishStep: Called after each step, before the next one; an error stops the chain.
  /// - Returns: The store at its final place, or nil when a step failed (or there is none, for then
  ///   the source already is the result); and what happened, the failure included.
  public func run(
    from source: PersistentStore, into stores: any StoreFactory,
    didFinishStep: StepObserver = { _, _ in }
  ) -> (store: PersistentStore?, report: ChainReport) {
    var report = ChainReport()
    var current = source
    let obstacle = obstacle(in: source)
    do {
      var rest = steps[...]
      func advance(to next: PersistentStore) {
        if current !== source, current !== next { stores.discard(current) }
        current = next
      }
      while let step = rest.first {
        if let obstacle, steps.count - rest.count == obstacle.step {
          report.steps.append(StepReport(of: step))
          throw report.fail(with: obstacle.error, in: step.name)
        }
        if obstacle == nil,
          let (next, reports) = performTogether(rest, from: current, into: stores)
        {
          report.steps += reports
          advance(to: next)
          rest = rest.dropFirst(reports.count)
          for report in reports { try didFinishStep(report, current) }
          continue
        }
        rest = rest.dropFirst()
        for part in try parts(of: step, &report) {
          advance(
            to: try perform(part, from: current, into: stores, isLast: rest.isEmpty, &report))
          if part.completesStep {
            try didFinishStep(report.steps[report.steps.count - 1], current)
          }
        }
      }
      return (current === source ? nil : try stores.publish(current), report)
    } catch {
      if current !== source { stores.discard(current) }
      report.failure = report.failure ?? ChainFailure(error: error, place: .init())
      return (nil, report)
    }
  }

  // MARK: One step

  private func perform(
    _ part: ChainPart, from source: PersistentStore, into stores: any StoreFactory, isLast: Bool,
    _ report: inout ChainReport
  ) throws -> PersistentStore {
    switch part.work {
    case .migrate(let step):
      if part.beginsStep { report.steps.append(StepReport(of: step, part.doubts)) }
      return try perform(step, from: source, into: stores, isLast: isLast, &report)
    case .call(let call):
      if part.beginsStep { report.steps.append(StepReport(of: call.step, part.doubts)) }
      return try perform(call, on: source, into: stores, &report)
    }
  }

  /// Performs the step that the last report is about.
  /// - Parameter isLast: Whether the store is the result of the chain, so that it must be durable.
  private func perform(
    _ step: MigrationStep, from source: PersistentStore, into stores: any StoreFactory,
    isLast: Bool, _ report: inout ChainReport
  ) throws -> PersistentStore {
    let last = report.steps.count - 1
    let start = ContinuousClock.now
    defer { report.steps[last].seconds += (ContinuousClock.now - start).seconds }
    var run = StepRun(chain: self, step: step, report: report.steps[last])
    run.isLast = isLast
    run.report.followsPendingMigration = StoreMetadata.isMigrationPending(in: source.metadata)
    do {
      let store = try run.perform(from: source, into: stores)
      report.steps[last] = run.report
      report.steps[last].emptied = try step.emptiedEntities(
        by: run.report.choice, run.report.runs, from: source, to: store)
      report.steps[last].doubts += try step.doubts(about: source, by: run.report.choice)
      report.steps[last].doubtfulLinks += try step.doubtfulLinks(
        by: run.report.choice, from: source, to: store)
      report.steps[last].unreadableValues += try step.unreadableValues(
        by: run.report.choice, run.report.runs, from: source, to: store)
      return store
    } catch {
      report.steps[last] = run.report
      throw report.fail(with: error, in: step.name, at: run.place)
    }
  }
}

extension StepReport {
  init(of step: MigrationStep, _ doubts: [StepDoubt] = []) {
    self.init(
      name: step.name, sourceModel: step.sourceModel.name,
      destinationModel: step.destinationModel.name)
    stepDoubts = doubts
  }
}

extension ChainReport {
  /// Notes why the chain stops.
  /// - Returns: The error with the step in it, where it has room for that.
  mutating func fail(
    with error: any Error, in step: String, at place: CoreDataError.Place = .init()
  ) -> any Error {
    let located = (error as? CoreDataError)?.at(step: step) ?? error
    var place = (located as? CoreDataError)?.place ?? place
    place.step = step
    failure = ChainFailure(error: located, place: place)
    return located
  }
}

/// How a step carries data over.
public enum MigrationMethod: String, Sendable, Hashable {
  /// By SQL inside the store, as Core Data does it with inferred mappings: no objects are made, no
  /// hooks are called, and object identifiers stay what they were.
  case inPlace = "in place"
  /// By SQL that does what a mapping model without policies asks for, with everything that a migration
  /// manager validates.
  case sets = "as SQL"
  /// By a migration manager, object by object.
  case manager
}

extension Duration {
  /// The duration as a number of seconds.
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

// MARK: - Lightweight steps as one

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
    // What can't be done by statements is done object by object; where links are doubtful, those before
    // and after the step are counted.
    guard choice.doubts.isEmpty,
      LinkInference(from: step.sourceModel, to: step.destinationModel).suspicions.isEmpty,
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
