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
  /// Whether mapping models without policies run as SQL where both stores are SQLite files. They give
  /// the same content either way; a step that is managed runs them in a migration manager.
  public var usesSetBasedPlans = true
  /// Told how far the running mapping model is, from 0 to 1.
  public var didProgress: (Float) -> Void = { _ in }
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
    do {
      for step in steps {
        let next = try perform(step, from: current, into: stores, &report)
        if current !== source { stores.discard(current) }
        current = next
        try didFinishStep(report.steps[report.steps.count - 1], current)
      }
      return (current === source ? nil : try stores.publish(current), report)
    } catch {
      if current !== source { stores.discard(current) }
      report.failure = report.failure ?? ChainFailure(error: error, place: .init())
      return (nil, report)
    }
  }

  // MARK: One step

  func perform(
    _ step: MigrationStep, from source: PersistentStore, into stores: any StoreFactory,
    _ report: inout ChainReport
  ) throws -> PersistentStore {
    report.steps.append(
      StepReport(
        name: step.name, sourceModel: step.sourceModel.name,
        destinationModel: step.destinationModel.name))
    let start = ContinuousClock.now
    defer { report.steps[report.steps.count - 1].seconds = (ContinuousClock.now - start).seconds }
    var run = StepRun(chain: self, step: step, report: report.steps[report.steps.count - 1])
    do {
      let store = try run.perform(from: source, into: stores)
      report.steps[report.steps.count - 1] = run.report
      return store
    } catch {
      report.steps[report.steps.count - 1] = run.report
      let located = (error as? CoreDataError)?.at(step: step.name) ?? error
      var place = (located as? CoreDataError)?.place ?? run.place
      place.step = step.name
      report.failure = ChainFailure(error: located, place: place)
      throw located
    }
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
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
