/// What came of migrating one store.
package struct StoreMigrationReport: Sendable {
  package let store: String
  /// Where the result is, unless there is a failure.
  package let output: String
  /// The model as it was given; nil where a scenario brings it.
  var models: String?
  var route = StoreRoute()
  /// The versions that the store fits; none when it fits no version.
  package var versions: [String] { route.versions }
  /// The configuration of them that it holds; nil when it holds all entities.
  package var configuration: String? { route.configuration }
  /// The version to end with; nil when no way leads there.
  package var target: String? { route.target }
  /// The steps that were begun; none for a store that has the target's version already.
  package var steps: [ExecutedStep] = []
  /// What was wrong with rows of the store that could be read all the same.
  package var findings: [String] = []
  /// The tables with rows that belong to no entity, and columns with values that belong to no property, which the
  /// result hasn't got: persistent history, say. A copy has them.
  package var leftBehind: [StoreInspection.TableRows] = []
  /// The mapping files that were given and didn't run.
  package var unusedMappings: [UnusedMapping] = []
  package var failure: ChainFailure?
  /// Whether the result is there in spite of a failure, which nothing could undo.
  package var isResultThere = false
  package var seconds = 0.0
  /// When the migration began, all preparations done.
  var began = ContinuousClock.now
  /// What the process had used by then that isn't the migration's.
  var usedBefore = UseSoFar.none
  /// What the migration used of the machine, if somebody wants to know.
  var usage: MigrationUsage?
  var before: EntityCounts?
  var after: EntityCounts?

  package var exitStatus: ExitStatus {
    guard let failure else { return .passed }
    if MachineFault(failure.error) != nil { return .notJudged }
    // The same as for what is found before anything runs.
    let isOfCall = failure.error is PolicyCompilationError || CoreDataError.isTaken(failure.error)
    return isOfCall ? .badInput : .failed
  }

  /// How many objects of an entity there were, and are.
  package struct EntityCount: Hashable, Sendable {
    package let entity: String
    /// Nil for an entity that the store's version doesn't have.
    package let before: Int?
    /// Nil for an entity that the result's version doesn't have, and after a failure.
    package let after: Int?
  }

  /// The entities of both versions that aren't abstract, sorted by name.
  package var entities: [EntityCount] {
    let (old, new) = (before?.byEntity ?? [:], after?.byEntity ?? [:])
    return Set(old.keys).union(new.keys).sorted().map {
      EntityCount(entity: $0, before: old[$0], after: new[$0])
    }
  }
}
