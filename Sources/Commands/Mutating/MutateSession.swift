import Synchronization

/// What a call of `heavyweight mutate` is to do.
struct MutateOptions {
  /// Only mutants whose place, kind or title has it.
  var filter: ScenarioFilter?
  /// Whether the mutants are listed, and none is played.
  var isList = false
  /// How many mutants are played at a time.
  var jobs = ProcessInfo.processInfo.activeProcessorCount
  /// When no further mutant is begun, in seconds from the start; nil for when all are played.
  var seconds: Double?
  /// The longest time for a run; nil for a multiple of what it takes without a mutant.
  var timeout: Double?
  var bytes = MutateOptions.defaultBytes
  var isConfined = false
  /// The folder of what earlier calls found; nil for one in the cache.
  var state: String?
  /// Whether everything is played anew.
  var isFresh = false
  /// The file of accepted mutants; nil for the usual place.
  var accepted: String?
  /// Why the mutants that are alive are accepted from now on; nil to accept none.
  var acceptance: String?
  /// Where the report for machines goes, `-` for standard output.
  var json: String?
  /// The folder of a page for a browser.
  var html: String?
  /// The reports for machines that know nothing of mutants.
  var findings = FindingReports()

  static let defaultBytes = 500 << 20
}

/// One call of `heavyweight mutate`: finds mutants, plays the scenarios that could notice, and reports.
struct MutateSession {
  /// Scenario files and folders of them; empty for the folder `Scenarios`.
  let givenPaths: [String]
  let options: MutateOptions
  private let isInterrupted = Flag()

  private final class Flag: Sendable {
    private let value = Atomic(false)
    func set() { value.store(true, ordering: .sequentiallyConsistent) }
    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
  }

  private var paths: [String] { givenPaths.isEmpty ? [ScenarioFinder.usualFolder] : givenPaths }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  func run() async -> ExitStatus {
    let flag = isInterrupted
    Interruption.lets { flag.set() }
    do {
      try prepareReports()
    } catch {
      Console.complain("\(error)")
      return .reportNotWritten
    }
    do {
      if options.isConfined { try Sandbox.check() }
      let report = try await report()
      return publish(report)
    } catch {
      Console.complain("\(error)")
      return ExitStatus(of: error)
    }
  }

  // MARK: Reports

  private func prepareReports() throws {
    signal(SIGXFSZ, SIG_IGN)
    if let json = options.json, json != "-" { try ReportFile.prepare(json) }
    if let html = options.html {
      try ReportFile.prepare(folder: URL(fileURLWithPath: html, isDirectory: true), of: html)
    }
  }

  private func publish(_ report: MutateReport) -> ExitStatus {
    var status = report.exitStatus
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch {
        Console.complain("\(error)")
        if status == .passed { status = .reportNotWritten }
      }
    }
    if options.json != "-" {
      let style = TextStyle(for: STDOUT_FILENO)
      attempt { try ReportFile.writeToOutput(Data(report.text(style: style).utf8)) }
    }
    if let json = options.json {
      attempt {
        let data = try report.json.machineReport()
        if json == "-" {
          try ReportFile.writeToOutput(data)
        } else {
          try ReportFile.write(data, to: json)
        }
      }
    }
    if let html = options.html {
      let page = URL(fileURLWithPath: html, isDirectory: true).appending(path: "index.html")
      attempt { try ReportFile.write(Data(report.page().utf8), to: page.relativePath) }
    }
    if options.findings.isWanted {
      let found = report.told(paths)
      for problem in options.findings.write(found) { attempt { throw problem } }
    }
    return status
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
    var report = MutateReport(isList: options.isList)
    report.scenarioCount = loaded.scenarios.count
    let scenarios = loaded.scenarios.filter { $0.scenario.skip == nil }
    report.skipped = loaded.scenarios.count - scenarios.count
    let all = try MutantFinder.mutants(of: scenarios)
    let wanted = all.filter(isWanted)
    report.leftOut = all.count - wanted.count
    report.scenarios = scenarios.map(\.scenario.address.description)
    report.mutants = wanted.map { JudgedMutant(mutant: $0).accepted(by: accepted) }
    if !options.isList, !wanted.isEmpty {
      try await play(scenarios, &report, began)
    }
    report.isInterrupted = isInterrupted.isSet
    if let reason = options.acceptance {
      Console.complain(
        try AcceptanceFile.accept(
          report.unexplained.map(\.mutant), because: reason, given: options.accepted))
      accepted = try acceptedMutants()
      report.mutants = report.mutants.map { $0.accepted(by: accepted) }
    }
    if report.isWhole, options.filter == nil { report.note(unusedOf: accepted) }
    report.seconds = (ContinuousClock.now - began).seconds
    return report
  }

  private func acceptedMutants() throws -> [AcceptedMutant] {
    try AcceptanceFile.load(given: options.accepted, mayBeAbsent: options.acceptance != nil)
  }

  private func isWanted(_ mutant: Mutant) -> Bool {
    options.filter?.matches(any: [mutant.place, mutant.kind.rawValue, mutant.title]) ?? true
  }

  private func play(
    _ scenarios: [CheckedScenario], _ report: inout MutateReport, _ began: ContinuousClock.Instant
  ) async throws {
    let cache = try CacheChoice(folder: nil, bytes: CacheChoice.defaultBytes)
    let folder =
      options.state.map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? cache.folder.appending(path: "mutate", directoryHint: .isDirectory)
    let state = try MutationState(
      in: folder, shownAs: options.state ?? folder.path, isFresh: options.isFresh)
    let keys = try MutationKeys(scenarios)
    let baselines = try await baselines(scenarios, report, state, keys, cache)
    report.failing = baselines.filter { !$0.value.isPassed }.map(\.key).sorted()
      .map { scenarios[$0].scenario.address.description }
    if isInterrupted.isSet { return }
    let trials = report.mutants.map { trial($0.mutant, scenarios, baselines, cache) }
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
          progress.show("\(trial.mutant.place): \(trial.mutant.title)", done, trials.count)
          group.addTask { (index, key, await trial.play()) }
          return
        }
      }
      for _ in 0..<options.jobs { try start(&report) }
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
    return options.seconds.map { (ContinuousClock.now - began).seconds >= $0 } ?? false
  }

  private func trial(
    _ mutant: Mutant, _ scenarios: [CheckedScenario], _ baselines: [Int: MutationState.Baseline],
    _ cache: CacheChoice
  ) -> MutantTrial? {
    let passing = mutant.targets.compactMap { target in
      baselines[target.scenario].flatMap { $0.isPassed ? (target, $0.seconds) : nil }
    }.sorted { $0.1 < $1.1 }
    guard !passing.isEmpty else { return nil }
    return MutantTrial(
      mutant: mutant, scenarios: scenarios,
      targets: passing.map { target, seconds in
        (target, RunLimits(seconds: limit(after: seconds), bytes: options.bytes))
      }, cache: cache, isConfined: options.isConfined)
  }

  /// A run that takes this much longer than usual won't end; a machine may be busy with other things.
  private func limit(after seconds: Double) -> Double {
    options.timeout ?? max(30, 20 * seconds)
  }

  // MARK: Without mutants

  /// What the scenarios that mutants are about come to as they are.
  private func baselines(
    _ scenarios: [CheckedScenario], _ report: MutateReport, _ state: MutationState,
    _ keys: MutationKeys, _ cache: CacheChoice
  ) async throws -> [Int: MutationState.Baseline] {
    let used = Set(report.mutants.flatMap(\.mutant.targets).map(\.scenario)).sorted()
    if options.isConfined { for index in used { _ = try scenarios[index].filesForSandbox() } }
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
      seconds: options.timeout ?? RunLimits.defaultSeconds, bytes: options.bytes)
    suite.jobs = options.jobs
    suite.isConfined = options.isConfined
    let progress = ProgressLine()
    defer { progress.clear() }
    let played = await suite.run(
      open.map { scenarios[$0] },
      willRun: { id, done, total in progress.show("\(id.title), without mutants", done, total) })
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
      if baseline.isPassed { try state.keep(baseline, under: keys.key(ofScenario: index)) }
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
