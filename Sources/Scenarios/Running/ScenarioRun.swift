/// Plays a scenario once: from one start, on one backend.
package final class ScenarioRun {
  package let scenario: CheckedScenario
  let start: String
  let stores: any ScenarioStores
  let policies: any PolicyProvider
  package var result: RunResult
  package var provenance = Provenance()
  package var facts = RunFacts()
  /// What each version held, for the comparison of backends.
  package private(set) var snapshots: [(stage: String, content: ContentSnapshot)] = []
  /// What to look up in the stores of earlier versions, by the failure it is about.
  private(set) var questions: [Int: (version: String, question: HistoryQuestion)] = [:]
  /// Called before each step.
  var log: ((PlayLog) -> Void)?
  /// What other runs left for this one; nil to do everything anew.
  var cache: RunCache?
  /// Mappings that other runs of the scenario inferred; nil to infer them anew.
  package var inferences: InferredMappings?
  /// Whether the result has the steps' plans.
  var explainsSteps = false
  /// Whether the run keeps what the store held at each version, to find where a value went wrong and to compare
  /// backends. Without, only what the end holds.
  package var keepsVersions = true
  /// How many checks were about what the run starts from: no migration can break them.
  var sourceCheckCount = 0
  /// What was wrong with results, and accepted.
  var acceptedDamage = Set<IntegrityFinding>()
  /// Whether the result was looked at before, and whether something was saved since.
  var (isAudited, hasSaved) = (false, false)
  /// What is wrong with rows that got past validation.
  var seedDamage: [IntegrityFinding] = []
  /// Of the store that the run starts from, what nobody knows of a device.
  var sourceUnknowns: [ExecutedStep.UnknownOnDevice] = []
  /// The entities and names of ordered relationships that steps filled by the inverse only.
  var orderedByInverse: Set<[String]> = []
  /// Expectations that were looked at, by their place in the list.
  private var checked = Set<Int>()

  package init(
    _ scenario: CheckedScenario, id: RunID, stores: any ScenarioStores,
    policies: any PolicyProvider
  ) {
    self.scenario = scenario
    self.stores = stores
    self.policies = policies
    start = id.start
    result = RunResult(id: id)
    facts.isSourceUntouched = stores.isSourceUntouched
    facts.isDestinationAbsent = { stores.isDestinationAbsent }
    facts.storeVersions = { scenario.models.names(fitting: try stores.metadataOfCurrent()) }
  }

  /// The release of the app that opened the store last.
  var release = Action.Release()

  package var finalVersion: String {
    release.versions.last?.value ?? scenario.finalVersion(from: start)
  }

  /// Runs everything. What goes wrong is in the result.
  package func play() {
    let clock = ContinuousClock()
    let began = clock.now
    var place = sourcePlace
    do {
      try prepareSource()
      place = scenario.scenario.title.place
      try migrate()
      checkExecution()
      try checkEnd()
      try followUp()
    } catch let mistake as Diagnostic {
      result.failures.append(
        Failure(
          .error, at: mistake.place ?? place, "the seed", expected: "objects that \(start) allows",
          found: mistake.message, notes: ["correct the seed: nothing was migrated"]))
    } catch {
      result.failures.append(
        Failure(error: error, at: place, step: nil, "the run"))
    }
    reportUnreached()
    reportSQLDifferences()
    reportUnknowns()
    noteUnusedAcceptances()
    if result.checkCount == sourceCheckCount, result.failures.isEmpty {
      result.failures = [nothingExpected]
    }
    if migratedNothing, result.failures.isEmpty { result.failures = [nothingMigrated] }
    if !result.failures.isEmpty {
      result.failures[0].notes += result.executedSteps.orderNotes
    }
    if keepsVersions { lookBack() }
    result.seconds = (clock.now - began).seconds
  }

  private var nothingExpected: Failure {
    Failure(
      .nothingExpected, at: scenario.scenario.title.place, "the scenario",
      expected: "something to check",
      found: sourceCheckCount == 0
        ? "nothing is expected of a start at \(start)"
        : "of a start at \(start), only the store before the first step is checked",
      notes: sourceCheckCount == 0
        ? [] : ["expect something of \(finalVersion), to which the steps lead"])
  }

  /// Whether all steps went through stores without objects, which neither an error nor the scenario explains.
  private var migratedNothing: Bool {
    !result.executedSteps.isEmpty
      && result.executedSteps.allSatisfy {
        $0.sourceObjectCount == 0 && $0.destinationObjectCount == 0
      }
      && !expectations.contains { $0.expectation.isFailure || $0.expectation.saysEmpty }
  }

  private var nothingMigrated: Failure {
    Failure(
      .nothingLookedAt, at: scenario.scenario.title.place, "the seed",
      expected: "objects to migrate", found: "no object in any store",
      notes: ["seed objects; if an empty store is meant, expect it: - count: { Entity: 0 }"])
  }

  // MARK: Expectations

  /// The expectations of this start.
  private var expectations: [(index: Int, expectation: ResolvedExpectation)] {
    scenario.expectations.enumerated().filter { $0.element.written.isWanted(from: start) }
      .map { ($0.offset, $0.element) }
  }

  /// Those whose order is expected anywhere.
  var orderedRelationships: [RelationshipDescription] {
    expectations.flatMap(\.expectation.allSubjects).flatMap {
      subject -> [RelationshipDescription] in
      if case .objects(let check) = subject { check.orderedRelationships } else { [] }
    }
  }

  /// Checks those about a version on the way, whose store is open.
  func checkWaypoint(_ version: String, _ store: PersistentStore, step: String?) throws {
    // After another start they have been checked already.
    let due = expectations.filter {
      $0.expectation.written.version?.value == version && !checked.contains($0.index)
    }
    let situation = try Situation(
      version: version, context: .init(readingFrom: store), provenance: provenance, run: facts)
    check(due, in: situation, step: step)
    if keepsVersions { try keepSnapshot(version, of: situation.context) }
  }

  func check(
    _ due: [(index: Int, expectation: ResolvedExpectation)], in situation: Situation, step: String?
  ) {
    let evaluator = ExpectationEvaluator(situation, expecting: due.map(\.expectation))
    for (index, expectation) in due {
      checked.insert(index)
      count(evaluator.mismatches(expectation), step: step, version: situation.version)
    }
  }

  /// - Parameter version: The version whose store was looked at, where that is one of the chain.
  func count(_ mismatches: [Failure], step: String?, version: String? = nil) {
    result.checkCount += 1
    for mismatch in mismatches {
      if let version, let question = mismatch.question {
        questions[result.failures.count] = (version, question)
      }
      result.failures.append(mismatch.at(step))
    }
  }

  func keepSnapshot(_ stage: String, of context: ManagedObjectContext) throws {
    snapshots.append((stage, try ContentSnapshot(context: context, provenance: provenance)))
  }

  /// Those about the end of the chain: without a version, or with the last one.
  private var expectationsOfEnd: [(index: Int, expectation: ResolvedExpectation)] {
    let last = finalVersion
    return expectations.filter { $0.expectation.written.version.map { $0.value == last } ?? true }
  }

  /// All steps from the start must have been executed, unless the chain failed or the scenario says
  /// which steps it expects.
  private func checkExecution() {
    let steps = scenario.stepsToExecute(from: start)
    guard facts.failure == nil, facts.executedSteps.count < steps.count,
      !expectations.contains(where: \.expectation.decidesSteps)
    else { return }
    let executed = facts.executedSteps.map(\.name)
    let step =
      steps.first { !executed.contains($0.ends.value.description) }
      ?? steps[facts.executedSteps.count]
    result.failures.append(
      Failure(
        .notExecuted, at: step.ends.place, step: step.ends.value.description, "the step",
        expected: "to be executed",
        found:
          "the store already fits \(executed.isEmpty ? finalVersion : step.ends.value.destination)",
        notes: ["if that is intended, expect it: - steps: [\(executed.joined(separator: ", "))]"]))
  }

  private func checkEnd() throws {
    let due = expectationsOfEnd
    let step = facts.executedSteps.last?.name
    if facts.failure != nil {
      checkFailure(due, step: step)
      return try compareWithDevice(step: step)
    }
    let store = try stores.openCurrent(model: scenario.model(finalVersion))
    let situation = try Situation(
      version: finalVersion, context: .init(readingFrom: store), provenance: provenance, run: facts)
    check(due, in: situation, step: step)
    noteLosses(due, in: situation)
    try keepSnapshot(finalVersion, of: situation.context)
    try compareWithDevice(step: step)
    if !facts.executedSteps.isEmpty { try audit(store, after: step) }
  }

  /// What is expected was somebody's word once; a green that loses rows says so every time.
  private func noteLosses(
    _ due: [(index: Int, expectation: ResolvedExpectation)], in situation: Situation
  ) {
    guard result.failures.isEmpty,
      due.contains(where: { $0.expectation.written.check is DroppedExpectation })
    else { return }
    let lost = situation.droppedOrigins(of: [])
    if lost.isEmpty { return }
    result.notes.append(
      "as expected, \(lost.count.counted("seeded object")) became nothing: "
        + lost.listed(most: 5))
  }

  /// After an error only what concerns the run itself can be checked.
  private func checkFailure(
    _ due: [(index: Int, expectation: ResolvedExpectation)], step: String?
  ) {
    if let failure = facts.failure {
      let told = Failure(
        error: advised(failure), at: scenario.steps(from: start).place(of: step), step: step,
        "the chain")
      if due.contains(where: \.expectation.isFailure) {
        result.expectedError = told
        if due.contains(where: { $0.expectation.written.check.expectedFailure?.isVague == true }) {
          result.notes.append(
            "'fails' meets any error there: say the code, as in '{ code: \((failure.error as NSError).code) }'"
          )
        }
      } else {
        result.failures.append(told)
      }
    }
    for (index, expectation) in due {
      guard case .run(let check) = expectation.subject(at: finalVersion) else { continue }
      checked.insert(index)
      do {
        count(try check.mismatches(of: facts, at: expectation.place), step: step)
      } catch {
        result.failures.append(
          Failure(error: error, at: expectation.place, step: step, expectation.keyword))
      }
    }
  }

  /// Where a policy can't be found and the scenario names no Swift files, there is nothing to compare.
  private func advised(_ failure: ChainFailure) -> ChainFailure {
    guard var error = failure.error as? CoreDataError,
      case .missingPolicy(let name) = error.mistake, name.contains("."),
      scenario.scenario.policies.isEmpty
    else { return failure }
    error.advice = "Name the Swift file with this class: the scenario has no 'policies'."
    var advised = failure
    advised.error = error
    return advised
  }

  /// An expectation that was never looked at isn't fulfilled.
  private func reportUnreached() {
    // After an error that nobody expected, what follows from it isn't worth telling.
    if hasUnexpectedError { return }
    let path = scenario.steps(from: start).reduce([start]) { $0 + $1.passedVersions }
    for (index, expectation) in expectations where !checked.contains(index) {
      // A version that this start doesn't pass isn't this run's business.
      if let version = expectation.written.version, !path.contains(version.value) { continue }
      result.failures.append(expectation.unreached.at(facts.executedSteps.last?.name))
    }
  }

  var hasUnexpectedError: Bool { result.failures.contains { $0.kind == .error } }

  func close(_ store: PersistentStore) {
    // What is saved is in the file or its log, whose next reader finds it.
    try? store.close()
  }
}

extension ManagedObjectContext {
  /// A context of its own for one store.
  /// - Throws: `CoreDataError` where the store can't be used, as when it can't derive an attribute.
  package convenience init(readingFrom store: PersistentStore) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    try coordinator.use(store)
    self.init(coordinator: coordinator)
    // A scenario's own questions are no app's fetches.
    unsupportedFetches = .evaluatedInMemory
  }
}

extension [ChainStep] {
  /// Where a step is written; for one to a version within stages, where they are.
  func place(of step: String?) -> SourcePlace? {
    let written =
      first { $0.ends.value.description == step }
      ?? first { $0.passedVersions.contains { step?.hasSuffix(" -> \($0)") == true } }
    return written?.ends.place
  }
}
