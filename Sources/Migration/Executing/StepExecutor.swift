/// What has to be done in one go, and where its data is: one step, or several that come to one plan.
struct StepWork {
  let chain: MigrationChain
  /// The step; of several the last one.
  let step: MigrationStep
  let choice: MappingChoice
  /// What each of the choice's mapping models was compiled to; of several steps the one plan they come to.
  let plans: [MigrationPlan]
  let source: PersistentStore
  /// Whether the plan is that of several steps.
  var isComposed = false

  var isLightweight: Bool { step.isLightweight(choice) }
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
    _ destination: PersistentStore, report: inout StepReport, place: inout CoreDataError.Place
  ) throws
}

extension StepRun {
  /// The ways to carry out a step, the one that is taken first in front: SQL where it gives what objects
  /// would give, else objects, which do everything.
  static var executors: [any StepExecutor.Type] { [SQLExecutor.self, ObjectExecutor.self] }
}

/// Does something in the first of several ways that supports it.
/// - Parameter refusals: Takes why ways couldn't be taken.
func firstSupported<Way, Result>(
  _ ways: [Way], refusals: inout [String], _ body: (Way) throws -> Result
) throws -> Result {
  var refusal = PlanUnsupported("there is no way to carry out a step")
  for way in ways {
    do { return try body(way) } catch let unsupported as PlanUnsupported {
      refusals.append(unsupported.reason)
      refusal = unsupported
    }
  }
  throw refusal
}
