/// Runs scenarios, each from all its starts on all backends.
package struct ScenarioSuite: Sendable {
  package var backends: [Backend] = Backend.allCases
  /// Only runs from these versions; empty for all.
  package var starts: [String] = []
  /// Only these starts of these scenarios; nil for all.
  package var startsOfScenarios: [ScenarioAddress: [String]]?
  /// Where the SQLite stores are kept; nil to remove them after each run.
  package var keepFolder: URL?
  /// Where policies and stores are kept from call to call; nil for policies in the usual place, and
  /// no stores.
  package var cache: CacheChoice?
  /// What each run may take, in a process of its own; nil to play all runs in this process, one
  /// after the other, for a debugger.
  package var limits: RunLimits?
  /// Whether these processes reach nothing but their folders and what the scenario names.
  package var isConfined = false
  /// Whether reports have the steps' plans.
  package var explainsSteps = false
  /// Whether a crash is told with its line.
  package var tellsLines = true
  /// How many processes play runs at a time.
  package var jobs = ProcessInfo.processInfo.activeProcessorCount

  /// Whether no further scenario is begun once one has failed.
  package var failsFast = false

  /// How many objects seeds make by rule, about; nil for as many as the scenarios say.
  package var objects: Int?

  package init() {}

  private var compiler: PolicyCompiler { PolicyCompiler(cacheDirectory: cache?.folder) }

  /// Makes the folder for the stores, if they are to be kept.
  /// - Throws: ``Diagnostics`` when it can't be written to, or two runs would get one folder in it.
  package func prepareKeepFolder(for scenarios: [CheckedScenario]) throws {
    guard let keepFolder else { return }
    let path = keepFolder.path
    try checkKeptPaths(of: scenarios)
    do {
      try PrivateFolder.make(keepFolder)
    } catch {
      throw Diagnostics(file: path, "can't keep stores here: \(error.plainText)")
    }
    if !FileManager.default.isWritableFile(atPath: path) {
      throw Diagnostics(file: path, "can't keep stores here: no permission")
    }
  }

  /// A run would otherwise replace the stores of another one, which is still opened again.
  private func checkKeptPaths(of scenarios: [CheckedScenario]) throws {
    var owners: [String: String] = [:]
    for scenario in scenarios {
      for start in wantedStarts(scenario) {
        let address = scenario.scenario.address
        let path = RunFolder.keptPath(of: address, start: start)
        // Where case doesn't count for the file system, another case is the same folder.
        if let other = owners.updateValue("\(address) from \(start)", forKey: path.lowercased()) {
          throw Diagnostics(
            file: scenario.scenario.file.path,
            "can't keep the stores from \(start) in '\(path)': those of \(other) have the same place; "
              + "rename a scenario, or run them one by one")
        }
      }
    }
  }

  /// Runs all scenarios. The report has them in the order given, whatever ends first.
  /// - Parameters:
  ///   - willRun: Called before each run with the number of runs done and of all.
  ///   - willRunAll: Called with the scenarios that are going to be run, before the first is.
  ///   - didRun: Called with the results of each scenario, in the order given, as soon as they and those
  ///     before them are there.
  package func run(
    _ scenarios: [CheckedScenario], willRun: (RunID, Int, Int) -> Void = { _, _, _ in },
    willRunAll: ([CheckedScenario]) -> Void = { _ in }, didRun: ([RunResult]) -> Void = { _ in }
  ) async -> SuiteReport {
    let began = ContinuousClock.now
    var report = SuiteReport()
    let played = scenarios.filter { $0.scenario.skip == nil && !wantedStarts($0).isEmpty }
    let wanted = played.filter { !wantedBackends($0).isEmpty }
    report.skipped =
      scenarios.compactMap(SuiteReport.Skipped.init)
      + played.filter { wantedBackends($0).isEmpty }.map {
        SuiteReport.Skipped($0, because: "it isn't run on the requested backends")
      }
    let failures = await PolicyLoader.compileAll(wanted, with: compiler, isConfined: isConfined)
    report.problems = zip(wanted, failures).compactMap { scenario, failure in
      failure.map { SuiteReport.Problem(scenario.scenario.address, $0) }
    }
    let runnable = zip(wanted, failures).filter { $0.1 == nil }.map(\.0)
    willRunAll(runnable)
    let workers = WorkerPool(tellsLines: tellsLines)
    var schedule = RunSchedule(runnable.map { (scenario: $0, runs: runs(of: $0)) }, failsFast)
    let finish = { (schedule: inout RunSchedule) in
      while let (scenario, runs) = schedule.nextComplete() {
        let results = await compared(runs, of: scenario, by: workers)
        schedule.note(results)
        didRun(results)
        report.results += results
      }
    }
    if let limits {
      await playIsolated(&schedule, within: limits, by: workers, willRun: willRun, finish: finish)
    } else {
      await playHere(&schedule, willRun: willRun, finish: finish)
    }
    await workers.dismissAll()
    if schedule.unplayedCount > 0 {
      report.leftOut = [SuiteReport.LeftOut(option: "--fail-fast", count: schedule.unplayedCount)]
    }
    report.notePlans(of: runnable)
    report.seconds = (ContinuousClock.now - began).seconds
    return report
  }

  // MARK: Runs

  private func wantedStarts(_ scenario: CheckedScenario) -> [String] {
    let own = startsOfScenarios.map { $0[scenario.scenario.address] ?? [] }
    return scenario.starts.filter {
      (starts.isEmpty || starts.contains($0)) && own?.contains($0) != false
    }
  }

  private func wantedBackends(_ scenario: CheckedScenario) -> [Backend] {
    backends.filter(scenario.backends.contains)
  }

  /// How many runs some scenarios come to.
  package func runCount(of scenarios: [CheckedScenario]) -> Int {
    scenarios.reduce(0) { $0 + runs(of: $1).count }
  }

  private func runs(of scenario: CheckedScenario) -> [RunID] {
    wantedStarts(scenario).flatMap { start in
      wantedBackends(scenario).map { backend in
        var id = RunID(scenario, start: start, backend: backend)
        id.isInProcess = limits == nil
        id.isConfined = isConfined
        return id
      }
    }
  }

  /// Each run in a process of its own, as many at a time as there are jobs.
  private func playIsolated(
    _ schedule: inout RunSchedule, within limits: RunLimits, by workers: WorkerPool,
    willRun: (RunID, Int, Int) -> Void, finish: (inout RunSchedule) async -> Void
  ) async {
    await withTaskGroup(of: (RunSchedule.Place, PlayedRun).self) { group in
      func start(_ schedule: inout RunSchedule, after last: RunSchedule.Place? = nil) {
        guard let (place, scenario, id) = schedule.nextRun(after: last) else { return }
        willRun(id, schedule.startedCount - 1, schedule.count)
        group.addTask {
          let isolated = IsolatedRun(
            scenario: scenario, id: id, limits: limits, keepFolder: keepFolder,
            workers: workers, cache: cache, isCompared: wantedBackends(scenario).count > 1,
            isConfined: isConfined, explainsSteps: explainsSteps)
          return (place, await isolated.play())
        }
      }
      for _ in 0..<max(1, jobs) { start(&schedule) }
      while let (place, run) = await group.next() {
        schedule.didPlay(run, at: place)
        start(&schedule, after: place)
        await finish(&schedule)
      }
    }
  }

  private func playHere(
    _ schedule: inout RunSchedule, willRun: (RunID, Int, Int) -> Void,
    finish: (inout RunSchedule) async -> Void
  ) async {
    var last: RunSchedule.Place?
    while let (place, scenario, id) = schedule.nextRun(after: last) {
      last = place
      willRun(id, schedule.startedCount - 1, schedule.count)
      let played = await EarlyExit.failing { await playHere(scenario, id) }
      schedule.didPlay(played, at: place)
      await finish(&schedule)
    }
  }

  private func playHere(_ scenario: CheckedScenario, _ id: RunID) async -> PlayedRun {
    do {
      let loader = PolicyLoader(compiler, for: scenario)
      return play(scenario, as: id, with: try await loader.load(scenario.scenario.policies))
    } catch {
      return PlayedRun(failed: id, error, at: scenario.scenario.title.place)
    }
  }

  private func play(
    _ scenario: CheckedScenario, as id: RunID, with policies: any PolicyProvider
  ) -> PlayedRun {
    do {
      let folder = try RunFolder(for: id, keptIn: id.backend == .sqlite ? keepFolder : nil)
      defer { folder.removeUnlessKept() }
      let notes = try TemporaryFiles.makeFolder(in: RunFolder.temporaryParent)
      defer { TemporaryFiles.removeFolder(notes) }
      // Without it a failed hook is known by its first line only.
      let recorder = try? FlightRecorder(file: notes.appending(path: "recorder"))
      ErrorWatch.begin()
      var run = try FlightRecorder.$own.withValue(recorder) {
        try RunPlayer(scenario: scenario, policies: policies, explainsSteps: explainsSteps)
          .play(id, in: folder.url)
      }
      try openAgain(&run, scenario)
      if keepFolder != nil, id.backend == .sqlite { run.result.folder = ShownPath.of(folder.url) }
      return run
    } catch {
      return PlayedRun(failed: id, error, at: scenario.scenario.title.place)
    }
  }

  /// Without processes to spare, the store is at least opened by a coordinator that knows nothing.
  private func openAgain(_ run: inout PlayedRun, _ scenario: CheckedScenario) throws {
    guard let ending = run.ending, run.result.isPassed else { return }
    let reopening = Reopening(ending: ending, model: try scenario.model(ending.version))
    let failures = reopening.problem().map { [$0.failure(of: scenario, ending)] } ?? []
    run.result.reopening = ReopeningOutcome(ending, failures)
    run.result.failures += failures
  }

  /// Runs one start on all backends in this process, and compares them.
  package func run(
    _ scenario: CheckedScenario, from start: String, with policies: any PolicyProvider
  ) -> [RunResult] {
    let played = wantedBackends(scenario).map {
      play(scenario, as: RunID(scenario, start: start, backend: $0), with: policies)
    }
    var results = played.map(\.result)
    for index in played.indices.dropFirst() {
      guard var comparison = comparison(played, at: index, of: scenario) else { continue }
      while comparison.wantsAnotherPlay,
        comparison.add(
          withoutKeeping.play(scenario, as: played[index - 1].result.id, with: policies),
          withoutKeeping.play(scenario, as: played[index].result.id, with: policies))
      {}
      comparison.explainByDamage()
      results.note(comparison, at: index)
    }
    let notes = scenario.notes + scenario.platformNotes
    for index in results.indices { results[index].notes = notes + results[index].notes }
    return results
  }

  // MARK: Comparing

  /// The results of a scenario, with what two backends of one start don't agree about.
  private func compared(
    _ played: [PlayedRun], of scenario: CheckedScenario, by workers: WorkerPool
  ) async -> [RunResult] {
    var results = played.map(\.result)
    let notes = scenario.notes + scenario.platformNotes
    for index in results.indices { results[index].notes = notes + results[index].notes }
    for index in played.indices.dropFirst() {
      guard var comparison = comparison(played, at: index, of: scenario) else { continue }
      while comparison.wantsAnotherPlay {
        async let first = playAgain(scenario, as: played[index - 1].result.id, by: workers)
        async let second = playAgain(scenario, as: played[index].result.id, by: workers)
        guard comparison.add(await first, await second) else { break }
      }
      forget(comparison.undetermined, scenario, start: played[index].result.id.start)
      comparison.explainByDamage()
      results.note(comparison, at: index)
    }
    return results
  }

  /// A run compared with the one before it; nil unless both are of one start and came to their end.
  private func comparison(
    _ played: [PlayedRun], at index: Int, of scenario: CheckedScenario
  ) -> BackendComparison? {
    let (first, second) = (played[index - 1], played[index])
    guard first.result.id.isSameStart(as: second.result.id), first.isComplete, second.isComplete
    else { return nil }
    // That SQL chooses other rows than memory is a finding of its own; what follows from it isn't told.
    if [first, second].contains(where: {
      $0.result.executedSteps.contains { !$0.sqlDifferences.isEmpty }
    }) {
      return nil
    }
    return BackendComparison(first, second, of: scenario)
  }

  /// Plays a run once more, only to see what its stores hold: nothing is taken from the cache, or kept.
  private func playAgain(
    _ scenario: CheckedScenario, as id: RunID, by workers: WorkerPool
  ) async -> PlayedRun {
    guard let limits else { return await withoutKeeping.playHere(scenario, id) }
    return await IsolatedRun(
      scenario: scenario, id: id, limits: limits, keepFolder: nil, workers: workers,
      cache: cache?.withoutStores, isCompared: true, isConfined: isConfined
    ).play(isAgain: true)
  }

  /// The same, but stores go when a run has ended.
  private var withoutKeeping: ScenarioSuite {
    var suite = self
    suite.keepFolder = nil
    return suite
  }

  /// Takes the stores with values that aren't determined out of the cache: a later call is to have
  /// values of its own time.
  private func forget(
    _ undetermined: [UndeterminedProperty], _ scenario: CheckedScenario, start: String
  ) {
    guard !undetermined.isEmpty, let stores = cache?.stores else { return }
    RunCache.forgetSteps(of: scenario, start: start, in: stores)
  }
}

extension [RunResult] {
  /// Notes what came of comparing a result with the one before it.
  fileprivate mutating func note(_ comparison: BackendComparison, at index: Int) {
    self[index].failures += comparison.differences
    for place in [index - 1, index] { self[place].note(comparison.undetermined) }
  }
}

extension RunResult {
  /// Notes which properties aren't determined, also at expectations that fail for that.
  fileprivate mutating func note(_ properties: [UndeterminedProperty]) {
    undetermined = properties
    for index in failures.indices where failures[index].kind == .expectation {
      guard let property = undeterminedProperty(of: failures[index]) else { continue }
      let name = failures[index].target?.property ?? property.property
      failures[index].notes.append(
        "\(property.name) isn't determined by the source; expect its kind, as in "
          + "'\(name): present', or fix the clock and random numbers with "
          + "'.now' and '.random' below 'seed'")
      // Another value would be outdated at once.
      failures[index].repairs = []
    }
  }

  /// The undetermined property that an expectation of an object's value is about.
  private func undeterminedProperty(of failure: Failure) -> UndeterminedProperty? {
    guard let target = failure.target, let path = target.property else { return nil }
    let keys = path.split(separator: ".").map(String.init)
    return undetermined.first {
      $0.property == keys.last && (keys.count > 1 || $0.entity == target.entity)
    }
  }
}

extension RunID {
  fileprivate func isSameStart(as other: RunID) -> Bool {
    address == other.address && start == other.start
  }
}
