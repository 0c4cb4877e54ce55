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
  /// How inferred steps run where both stores are SQLite files.
  public var lightweightMethod = MigrationMethod.inPlace
  /// Whether mapping models without policies run as SQL where both stores are SQLite files. They give the same
  /// content either way; a migration manager of the app's own is always one.
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
  /// Whether policies' fetches in no order give the newest of new objects first in memory, which SQLite gives last:
  /// what depends on the order differs.
  public var givesNewestFirst = false
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
    defer { for step in report.steps { step.tellDoubts() } }
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
        // Where it fails, the error is met again step by step, and told with its step.
        if obstacle == nil, var group = StepRun(together: rest, of: self, from: current),
          let next = try? group.perform(from: current, into: stores)
        {
          try group.noteLosses(from: current, to: next)
          report.steps += group.reports
          advance(to: next)
          rest = rest.dropFirst(group.reports.count)
          for report in group.reports { try didFinishStep(report, current) }
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
    let witness = AppCodeWitness()
    defer { report.note(witness.doubts) }
    return try AppCodeWitness.$current.withValue(witness) {
      switch part.work {
      case .migrate(let step):
        if part.beginsStep { report.steps.append(StepReport(of: step, part.doubts)) }
        return try perform(step, from: source, into: stores, isLast: isLast, &report)
      case .call(let call):
        if part.beginsStep { report.steps.append(StepReport(of: call.step, part.doubts)) }
        return try perform(call, on: source, into: stores, &report)
      }
    }
  }

  /// Performs the step that the last report is about.
  /// - Parameter isLast: Whether the store is the result of the chain, so that it must be durable.
  private func perform(
    _ step: MigrationStep, from source: PersistentStore, into stores: any StoreFactory,
    isLast: Bool, _ report: inout ChainReport
  ) throws -> PersistentStore {
    let last = report.steps.count - 1
    report.steps[last].followsPendingMigration = StoreMetadata.isMigrationPending(
      in: source.metadata)
    var run = StepRun(step, of: self, isLast: isLast, report: report.steps[last])
    do {
      let store = try run.perform(from: source, into: stores)
      try run.noteLosses(from: source, to: store)
      report.steps[last] = run.reports[0]
      return store
    } catch {
      report.steps[last] = run.reports[0]
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

  /// A migration that an app's code starts is a part of the step under way.
  func tellDoubts() {
    let all: [any CustomStringConvertible] = doubts + stepDoubts + doubtfulLinks + unreadableValues
    for doubt in all { AppCodeWitness.tell(.migration("\(doubt)")) }
  }
}

extension ChainReport {
  /// Notes what the app's code did in the last step.
  fileprivate mutating func note(_ doubts: [AppCodeDoubt]) {
    guard let last = steps.indices.last else { return }
    for doubt in doubts.map(StepDoubt.appCode) where !steps[last].stepDoubts.contains(doubt) {
      // Of a hint people are told, without failing.
      if doubt == .appCode(.managerUsedAgain), let run = steps[last].runs.last {
        run.trace.warn("\(doubt). \(doubt.doubt) \(doubt.remedy).", entityMapping: nil)
      } else {
        steps[last].stepDoubts.append(doubt)
      }
    }
  }

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
