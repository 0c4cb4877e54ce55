/// One call of `heavyweight bench`.
public struct BenchSession {
  private let scenarios: [String]
  private let options: BenchOptions
  private let files: Files

  /// Where results go and come from.
  public struct Files: Sendable {
    public var json: String?
    public var save: String?
    public var baseline: String?

    public init(json: String? = nil, save: String? = nil, baseline: String? = nil) {
      self.json = json
      self.save = save
      self.baseline = baseline
    }
  }

  /// - Parameter scenarios: Scenario files, and folders of them.
  public init(scenarios: [String], options: BenchOptions, files: Files) {
    self.scenarios = scenarios
    self.options = options
    self.files = files
  }

  /// Measures, reports on standard output, and says whether a gate was passed.
  public func run() async -> ExitStatus {
    do {
      let baseline = try files.baseline.map { try BenchResults(baseline: $0) }
      let results = try await measure()
      let style = TextStyle(for: STDOUT_FILENO)
      let text = BenchTextReport(
        results: results, baseline: baseline, gates: options.gates, style: style
      ).text()
      FileHandle.standardOutput.write(Data(text.utf8))
      for file in [files.json, files.save].compactMap({ $0 }) {
        try results.json().write(to: URL(fileURLWithPath: file), options: .atomic)
      }
      return status(of: results, against: baseline)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return .badInput
    }
  }

  private func status(of results: BenchResults, against baseline: BenchResults?) -> ExitStatus {
    let failed = results.scenarios.contains {
      !options.gates.failures(of: $0, against: baseline).isEmpty
    }
    if failed { return .failed }
    return results.scenarios.isEmpty ? .nothingFound : .passed
  }

  private func measure() async throws -> BenchResults {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "heavyweight-bench-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let progress = ProgressLine()
    var results: [BenchResult] = []
    for file in try ScenarioFinder.files(at: scenarios) {
      let scenario = try CheckedScenario.load(
        contentsOf: URL(fileURLWithPath: file), shownAs: file)
      if scenario.expectsFailure {
        leaveOut(file)
        continue
      }
      var run = BenchRun(scenario: scenario, file: file, options: options, folder: folder)
      run.willMeasure = { objects, sample in
        let name = "\(file) \(objects) objects"
        progress.show(name, max(0, sample - 1), options.samples)
      }
      results.append(try await run.measure())
    }
    progress.clear()
    return BenchResults(results)
  }

  private func leaveOut(_ file: String) {
    let text = "\(file) isn't measured: it expects an error\n"
    FileHandle.standardError.write(Data(text.utf8))
  }
}

extension CheckedScenario {
  /// Whether the migration isn't to succeed.
  fileprivate var expectsFailure: Bool {
    scenario.expectations.contains { expectation in
      if case .fails = expectation.check { true } else { false }
    }
  }
}
