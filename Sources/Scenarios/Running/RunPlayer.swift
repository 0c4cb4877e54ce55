/// Plays runs of one scenario in this process.
struct RunPlayer {
  let scenario: CheckedScenario
  let policies: any PolicyProvider
  /// Where stores of earlier runs are; nil to do everything anew.
  var stores: StoreCache?
  /// A folder for copies of stores of earlier runs, which need be there only while the run plays.
  var scratch: URL?
  /// Where this process prints while the run plays; nil where others print there, too.
  var output: URL?
  /// Mappings that other runs inferred; nil to infer them anew.
  var inferences: InferredMappings?
  /// Whether the result has the steps' plans.
  var explainsSteps = false

  /// - Parameters:
  ///   - folder: Where the run's stores go.
  ///   - log: Called before each step with what it is about.
  ///   - willReplay: Called with what is known so far before a step is played once more to find the
  ///     hook in which a value went wrong; nil to do without.
  func play(
    _ id: RunID, in folder: URL, log: ((PlayLog) -> Void)? = nil,
    willReplay: ((PlayedRun) throws -> Void)? = nil
  ) throws -> PlayedRun {
    let run = ScenarioRun(
      scenario, id: id, stores: try stores(id.backend, folder), policies: policies)
    run.log = log
    run.inferences = inferences
    run.explainsSteps = explainsSteps
    run.facts.printed = output.map(PrintedSinceStart.init)
    // The keys of kept stores say nothing of the rules that objects are made by.
    let isHandwritten = scenario.seed(for: id.start)?.plan == nil
    if id.backend == .sqlite, isHandwritten, !scenario.asksForThisPlay, let stores, let scratch {
      // Whatever keeps the cache from being used only costs time.
      run.cache = try? RunCache(stores, for: scenario, start: id.start, scratch: scratch)
    }
    let watch = MachineFaultWatch()
    MachineFaultWatch.$own.withValue(watch) { scenario.withSurroundings { run.play() } }
    if let fault = watch.faultSoFar ?? run.result.machineFault {
      MachineFaultWatch.note(fault)
      return PlayedRun(failed: id, fault, at: scenario.scenario.title.place)
    }
    run.remarkOnHooks(
      willReplay == nil ? "hooks are found only if runs have their own processes" : nil)
    let ending = run.ending()
    let played = PlayedRun(result: run.result, snapshots: run.snapshots, ending: ending)
    guard let willReplay, run.isWorthReplaying else { return played }
    try willReplay(played)
    scenario.withSurroundings { run.replay() }
    return PlayedRun(result: run.result, snapshots: run.snapshots, ending: ending)
  }

  private func stores(_ backend: Backend, _ folder: URL) throws -> any ScenarioStores {
    let destination = scenario.scenario.destination?.value
    return switch backend {
    case .memory: MemoryStores(destination: destination)
    case .sqlite: try SQLiteStores(folder: folder, destination: destination)
    }
  }
}

extension PlayedRun {
  /// A run that couldn't even begin.
  init(failed id: RunID, _ error: any Error, at place: SourcePlace?) {
    result = RunResult(id: id)
    result.failures = [Failure(error: error, at: place, step: nil, "the run")]
    isComplete = false
  }
}

extension RunID {
  package init(_ scenario: CheckedScenario, start: String, backend: Backend) {
    self.init(
      path: scenario.scenario.file.path, number: scenario.scenario.number,
      title: scenario.scenario.title.value, start: start,
      backend: backend, hasSeveralStarts: scenario.starts.count > 1,
      covers: scenario.scenario.covers, objects: scenario.scenario.objects)
  }
}

extension CheckedScenario {
  /// Lets a body find the time and the chance that the scenario fixes.
  package func withSurroundings<Result>(_ body: () throws -> Result) rethrows -> Result {
    let number = scenario.chance
    let surroundings = Surroundings(
      time: scenario.now, chance: number.map { number in { Chance(state: number) } })
    return try Surroundings.$own.withValue(surroundings, operation: body)
  }

  /// Whether some expectation can't be met by a store of an earlier call.
  fileprivate var asksForThisPlay: Bool {
    (expectations + actions.flatMap(\.expectations)).contains(where: \.asksForThisPlay)
  }
}
