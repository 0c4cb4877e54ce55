/// What a step has to do, and where its data is.
struct StepWork {
  let chain: MigrationChain
  let step: MigrationStep
  let choice: MappingChoice
  let source: PersistentStore

  /// Whether Core Data would do the step inside the store: without hooks, checking mandatory values only.
  var isLightweight: Bool { choice.kind == .inferred && !step.makesObjects }
}

/// A way to carry out a step.
protocol StepExecutor {
  /// - Throws: ``Persistence/PlanUnsupported`` where the step can't be done this way.
  init(_ work: StepWork) throws

  /// Fills a store, which is new and empty.
  ///
  /// - Parameters:
  ///   - report: Takes what was done, also by a step that fails.
  ///   - place: Takes where the step failed, for errors that can't say so themselves.
  /// - Throws: ``Persistence/PlanUnsupported`` where another way is to be tried with another store; else
  ///   why the step failed.
  func fill(
    _ destination: PersistentStore, _ report: inout StepReport, _ place: inout CoreDataError.Place
  ) throws
}

extension StepRun {
  /// The ways to carry out a step, the one that is taken first in front: SQL where it gives what objects
  /// would give, else objects, which do everything.
  static var executors: [any StepExecutor.Type] { [SQLExecutor.self, ObjectExecutor.self] }
}
