import Synchronization

/// One call of `heavyweight mutate`: finds mutants, plays the scenarios that could notice, and reports.
struct MutateSession {
  let command: MutateCommand
  /// Only mutants whose place, kind or title has it.
  let filter: ScenarioFilter?
  private let isInterrupted = Flag()

  private final class Flag: Sendable {
    private let value = Atomic(false)
    func set() { value.store(true, ordering: .sequentiallyConsistent) }
    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  }

  private var paths: [String] { command.scenarios.all }
  private var isConfined: Bool { command.confinement.sandbox }
  private var bytes: Int { command.memory?.bytes ?? 500 << 20 }

  /// Does everything, and prints the report.
  /// - Throws: What is wrong with what it was given.
  func run() async throws -> ExitStatus {
    let flag = isInterrupted
    Interruption.lets { flag.set() }
    let outputs = command.reports.outputs
    try outputs.prepare()
    if isConfined { try Sandbox.check() }
    let report = try await report()
    return try outputs.publish(report, findings: report.told(paths))
  }

  // MARK: Playing

  /// - Throws: ``Diagnostics`` for what is wrong in the files.
  private func report() async throws -> MutateReport {
    let began = ContinuousClock.now
    var accepted = try acceptedMutants()
    let loaded = try LoadedScenarios(at: paths)
    if !loaded.problems.isEmpty {
      throw MutationError(loaded.problems.map(\.text).joined(separator: "\n"))
    }
    var report = MutateReport(isList: command.isList)
    report.scenarioCount = loaded.scenarios.count
    let scenarios = loaded.scenarios.filter { $0.scenario.skip == nil }
    report.skipped = loaded.scenarios.count - scenarios.count
    let all = try MutantFinder.mutants(of: scenarios)
    let wanted = all.filter(isWanted)
    report.leftOut = all.count - wanted.count
    report.scenarios = scenarios.map(\.scenario.address.description)
    report.mutants = wanted.map { JudgedMutant(mutant: $0).accepted(by: accepted) }
    if !command.isList, !wanted.isEmpty {
      try await play(scenarios, into: &report, since: began)
    }
    report.isInterrupted = isInterrupted.isSet
    if let reason = command.accept {
      Console.complain(
        try AcceptanceFile.accept(
          report.unexplained.map(\.mutant), because: reason, given: command.accepted))
      accepted = try acceptedMutants()
      report.mutants = report.mutants.map { $0.accepted(by: accepted) }
    }
    if report.isWhole, filter == nil { report.note(unusedOf: accepted) }
    report.seconds = (ContinuousClock.now - began).seconds
    return report
  }

  private func acceptedMutants() throws -> [AcceptedMutant] {
    try AcceptanceFile.load(given: command.accepted, mayBeAbsent: command.accept != nil)
  }

  private func isWanted(_ mutant: Mutant) -> Bool {
    filter?.matches(any: [mutant.place, mutant.kind.rawValue, mutant.title]) ?? true
  }

  private func play(
    _ scenarios: [CheckedScenario], into report: inout MutateReport,
    since began: ContinuousClock.Instant
  ) async throws {
    let cache = try CacheChoice(folder: nil, bytes: CacheChoice.defaultBytes)
    let folder =
      command.state.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? cache.folder.appending(path: "mutate", directoryHint: .isDirectory)
    let state = try MutationState(
      in: folder, shownAs: command.state ?? folder.path, isFresh: command.fresh)
    let keys = try MutationKeys(scenarios)
    let baselines = try await baselines(
      of: scenarios, for: report, in: state, by: keys, caching: cache)
    report.failing = baselines.filter { !$0.value.isPassed }.map(\.key).sorted()
      .map { scenarios[$0].scenario.address.description }
    if isInterrupted.isSet { return }
    let trials = report.mutants.map {
      trial(of: $0.mutant, playing: scenarios, against: baselines, caching: cache)
    }
    let progress = ProgressLine()
    defer { progress.clear() }
    var next = 0
    var done = 0
    var keepingProblem: (any Error)?
    try await withThrowingTaskGroup(of: (Int, String, MutantVerdict).self) { group in
      func start(_ report: inout MutateReport) throws {
        while next < trials.count, !isOver(began) {
          let (index, trial) = (next, trials[next])
          next += 1
          guard let trial else {
            report.mutants[index].verdict = .unjudged("no scenario that uses it passes unchanged")
            done += 1
            continue
          }
          let key = try keys.key(of: trial.mutant, trial.targets.map(\.target))
          if let known = state.verdict(key) {
            report.mutants[index].verdict = known
            report.mutants[index].isFromEarlier = true
            done += 1
            continue
          }
          progress.show(
            "\(trial.mutant.place): \(trial.mutant.title)", done: done, total: trials.count)
          group.addTask { (index, key, await trial.play()) }
          return
        }
      }
      for _ in 0..<command.processes.count { try start(&report) }
      while let (index, key, verdict) = try await group.next() {
        // What Control-C ended hasn't failed. The compiler may have heard of it first.
        if case .uncompilable = verdict { try? await Task.sleep(for: .milliseconds(100)) }
        if isInterrupted.isSet { continue }
        report.mutants[index].verdict = verdict
        done += 1
        if keepingProblem == nil, verdict.isKept {
          do { try state.keep(verdict, under: key) } catch { keepingProblem = error }
        }
        try start(&report)
      }
    }
    if let keepingProblem { report.problems.append("\(keepingProblem)") }
  }

  private func isOver(_ began: ContinuousClock.Instant) -> Bool {
    if isInterrupted.isSet { return true }
    return command.time.map { (ContinuousClock.now - began).seconds >= $0.seconds } ?? false
  }

  private func trial(
    of mutant: Mutant, playing scenarios: [CheckedScenario],
    against baselines: [Int: MutationState.Baseline], caching cache: CacheChoice
  ) -> MutantTrial? {
    let passing = mutant.targets.compactMap { target in
      baselines[target.scenario].flatMap { $0.isPassed ? (target, $0.seconds) : nil }
    }.sorted { $0.1 < $1.1 }
    guard !passing.isEmpty else { return nil }
    return MutantTrial(
      mutant: mutant, scenarios: scenarios,
      targets: passing.map { target, seconds in
        (target, RunLimits(seconds: limit(after: seconds), bytes: bytes))
      }, cache: cache, isConfined: isConfined)
  }

  /// A run that takes this much longer than usual won't end; a machine may be busy with other things.
  private func limit(after seconds: Double) -> Double {
    command.timeout?.seconds ?? max(30, 20 * seconds)
  }

  // MARK: Without mutants

  /// What the scenarios that mutants are about come to as they are.
  private func baselines(
    of scenarios: [CheckedScenario], for report: MutateReport, in state: MutationState,
    by keys: MutationKeys, caching cache: CacheChoice
  ) async throws -> [Int: MutationState.Baseline] {
    let used = Set(report.mutants.flatMap(\.mutant.targets).map(\.scenario)).sorted()
    if isConfined { for index in used { _ = try scenarios[index].filesForSandbox() } }
    var found: [Int: MutationState.Baseline] = [:]
    for index in used {
      // One that failed may do better now.
      if let known = state.baseline(keys.key(ofScenario: index)), known.isPassed {
        found[index] = known
      }
    }
    let open = used.filter { found[$0] == nil }
    guard !open.isEmpty else { return found }
    var suite = ScenarioSuite()
    suite.cache = cache.withoutStores
    suite.limits = RunLimits(
      seconds: command.timeout?.seconds ?? RunLimits.defaultSeconds, bytes: bytes)
    suite.jobs = command.processes.count
    suite.isConfined = isConfined
    let progress = ProgressLine()
    defer { progress.clear() }
    let played = await suite.run(
      open.map { scenarios[$0] },
      willRun: { id, done, total in
        progress.show("\(id.title), without mutants", done: done, total: total)
      })
    if isInterrupted.isSet { return found }
    // No scenario fails for that.
    if let fault = played.machineFault { throw fault }
    let byAddress = Dictionary(grouping: played.results, by: \.id.address)
    for index in open {
      // One whose policies don't compile has no results.
      let results = byAddress[scenarios[index].scenario.address] ?? []
      let baseline = MutationState.Baseline(
        isPassed: !results.isEmpty && results.allSatisfy(\.isPassed),
        seconds: results.reduce(0) { $0 + $1.seconds })
      found[index] = baseline
      guard baseline.isPassed else { continue }
      do { try state.keep(baseline, under: keys.key(ofScenario: index)) } catch {
        // No report: no mutant was judged yet.
        if let fault = MachineFault(error) { throw fault }
        throw CommandProblem(description: "\(error)")
      }
    }
    return found
  }
}

extension JudgedMutant {
  /// The same with the entry that lets it live, if one does.
  fileprivate func accepted(by entries: [AcceptedMutant]) -> JudgedMutant {
    var judged = self
    judged.accepted = entries.first { $0.applies(to: mutant) }
    return judged
  }
}

extension MutantVerdict {
  /// Whether it would be the same again; what hung on the machine is tried once more.
  fileprivate var isKept: Bool {
    problem == nil
  }
}
