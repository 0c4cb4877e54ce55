/// Runs scenarios, each from all its starts on all backends.
public struct ScenarioSuite {
  public var backends: [Backend] = Backend.allCases
  /// Only runs from these versions; empty for all.
  public var starts: [String] = []
  /// Where the SQLite stores are kept; nil to remove them after each run.
  public var keepFolder: URL?
  public var compiler = PolicyCompiler()

  public init() {}

  /// Makes the folder for the stores, if they are to be kept.
  /// - Throws: ``Diagnostics`` when it can't be written to.
  func prepareKeepFolder() throws {
    guard let keepFolder else { return }
    let path = keepFolder.path
    do {
      try FileManager.default.createDirectory(at: keepFolder, withIntermediateDirectories: true)
    } catch {
      throw Diagnostics([Diagnostic(file: path, "can't keep stores here: \(error.plainText)")])
    }
    if !FileManager.default.isWritableFile(atPath: path) {
      throw Diagnostics([Diagnostic(file: path, "can't keep stores here: no permission")])
    }
  }

  /// Runs all scenarios.
  /// - Parameter willRun: Called before each run with the number of runs done and of all.
  public func run(
    _ scenarios: [CheckedScenario], willRun: (RunID, Int, Int) -> Void = { _, _, _ in }
  ) async -> SuiteReport {
    let began = ContinuousClock.now
    var report = SuiteReport()
    let total = scenarios.reduce(0) { $0 + wantedStarts($1).count * backends.count }
    let wanted = scenarios.filter { !wantedStarts($0).isEmpty }
    await PolicyLoader.compileAll(wanted, with: compiler)
    for scenario in wanted {
      do {
        let loader = PolicyLoader(compiler, for: scenario)
        let policies = try await loader.load(scenario.scenario.policies)
        for start in wantedStarts(scenario) {
          report.results += run(scenario, start, policies) { id, done in
            willRun(id, report.results.count + done, total)
          }
        }
      } catch {
        report.problems.append(
          SuiteReport.Problem(path: scenario.scenario.file.path, text: "\(error)"))
      }
    }
    report.seconds = (ContinuousClock.now - began).seconds
    return report
  }

  private func wantedStarts(_ scenario: CheckedScenario) -> [String] {
    scenario.starts.filter { starts.isEmpty || starts.contains($0) }
  }

  /// Runs one start on all backends and compares them.
  func run(
    _ scenario: CheckedScenario, _ start: String, _ policies: any PolicyProvider,
    willRun: (RunID, Int) -> Void = { _, _ in }
  ) -> [RunResult] {
    var runs: [ScenarioRun] = []
    var results: [RunResult] = []
    for backend in backends {
      let id = RunID(
        path: scenario.scenario.file.path, title: scenario.scenario.title.value, start: start,
        backend: backend, hasSeveralStarts: scenario.starts.count > 1,
        covers: scenario.scenario.covers)
      willRun(id, results.count)
      let (run, result) = play(scenario, id, policies)
      if let run { runs.append(run) }
      results.append(result)
    }
    if runs.count == 2, results.count == 2 {
      results[1].failures += runs[0].differences(from: runs[1])
    }
    return results
  }

  private func play(
    _ scenario: CheckedScenario, _ id: RunID, _ policies: any PolicyProvider
  ) -> (ScenarioRun?, RunResult) {
    do {
      let folder = try RunFolder(for: id, keptIn: id.backend == .sqlite ? keepFolder : nil)
      defer { folder.removeUnlessKept() }
      let run = ScenarioRun(
        scenario, id: id, stores: try stores(id.backend, folder, scenario), policies: policies)
      run.play()
      if keepFolder != nil, id.backend == .sqlite { run.result.folder = folder.url.path }
      return (run, run.result)
    } catch {
      var result = RunResult(id: id)
      result.failures = [
        Failure(error: error, at: scenario.scenario.title.place, step: nil, "the run's folder")
      ]
      return (nil, result)
    }
  }

  private func stores(
    _ backend: Backend, _ folder: RunFolder, _ scenario: CheckedScenario
  ) throws -> any ScenarioStores {
    let destination = scenario.scenario.destination?.value
    return switch backend {
    case .memory: MemoryStores(destination: destination)
    case .sqlite: try SQLiteStores(folder: folder.url, destination: destination)
    }
  }
}

/// What came of a number of runs.
public struct SuiteReport: Sendable {
  /// A scenario that could not be run at all.
  public struct Problem: Sendable {
    public let path: String
    public let text: String
  }
  public var results: [RunResult] = []
  public var problems: [Problem] = []
  public var seconds = 0.0

  public var failedResults: [RunResult] { results.filter { !$0.isPassed } }

  /// What the command line ends with.
  public var exitStatus: ExitStatus {
    if !problems.isEmpty { return .badInput }
    if results.isEmpty { return .nothingRan }
    if results.allSatisfy(\.isPassed) { return .passed }
    let isOnlyEmpty = failedResults.allSatisfy { $0.failures.allSatisfy(\.isEmptiness) }
    return isOnlyEmpty ? .nothingRan : .failed
  }
}

/// How the command line ends.
public enum ExitStatus: Int32, Sendable {
  case passed = 0
  case failed = 1
  case badInput = 2
  /// Nothing was selected, or something was run that expects nothing.
  case nothingRan = 3
}

extension Failure {
  var isEmptiness: Bool { kind == .nothingExpected }
}
