/// One call of `heavyweight bench`.
package struct BenchSession {
  private let scenarios: [String]
  private let options: BenchOptions
  private let files: Files

  /// Where results go and come from.
  package struct Files: Sendable {
    package var json: String?
    package var save: String?
    package var baseline: String?
    /// The folder of a page for a browser.
    package var html: String?
    /// Tables for a page of Markdown, and for a spreadsheet.
    package var markdown: String?
    package var csv: String?
    /// The reports for machines that know nothing of measurements.
    package var findings = FindingReports()

    package init(
      json: String? = nil, save: String? = nil, baseline: String? = nil, html: String? = nil,
      markdown: String? = nil, csv: String? = nil
    ) {
      self.markdown = markdown
      self.csv = csv
      self.json = json
      self.save = save
      self.baseline = baseline
      self.html = html
    }
  }

  /// - Parameter scenarios: Scenario files, and folders of them.
  package init(scenarios: [String], options: BenchOptions, files: Files) {
    self.scenarios = scenarios
    self.options = options
    self.files = files
  }

  /// Measures, reports on standard output, and says whether a gate was passed.
  package func run() async -> ExitStatus {
    do {
      if options.isConfined { try Sandbox.check() }
      try prepareFiles()
      let kept = try files.baseline.map { try BenchBaseline(file: $0) }
      if let refusal = kept?.refusal {
        if options.gates.ratio != nil { throw BenchError.otherMachine(refusal) }
        Console.complain(refusal)
      }
      let measured = try await measure()
      let baseline = measured.other.map(BenchBaseline.init(measuredBeside:)) ?? kept
      let summary = BenchSummary(
        results: measured.own, baseline: baseline, gates: options.gates)
      try publish(summary)
      return measured.isComplete ? status(of: summary) : .badInput
    } catch let error as ReportError {
      Console.complain("\(error)")
      return .reportNotWritten
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  /// Nobody wants to learn after an hour that there is no place for the results.
  private func prepareFiles() throws {
    let outputs = [files.json, files.save, files.markdown, files.csv].compactMap(\.self)
    for file in outputs where file != "-" {
      try ReportFile.prepare(file)
    }
    if let html = files.html {
      try ReportFile.prepare(folder: URL(fileURLWithPath: html, isDirectory: true), of: html)
    }
  }

  private func publish(_ summary: BenchSummary) throws {
    let text = BenchTextReport(summary: summary, style: TextStyle(for: STDOUT_FILENO)).text()
    if files.json != "-" { try ReportFile.writeToOutput(Data(text.utf8)) }
    if let json = files.json {
      let other = summary.baseline.flatMap { $0.isOfSameRun ? $0.results : nil }
      let data = try summary.results.json(beside: other)
      if json == "-" {
        try ReportFile.writeToOutput(data)
      } else {
        try ReportFile.write(data, to: json)
      }
    }
    if let save = files.save { try ReportFile.write(try summary.results.json(), to: save) }
    let table = BenchTable(summary: summary)
    if let markdown = files.markdown {
      try ReportFile.write(Data(table.markdown().utf8), to: markdown)
    }
    if let csv = files.csv { try ReportFile.write(Data(table.csv().utf8), to: csv) }
    if let html = files.html {
      let page = URL(fileURLWithPath: html, isDirectory: true).appending(path: "index.html")
      try ReportFile.write(Data(BenchPage(summary: summary).text().utf8), to: page.relativePath)
    }
    if files.findings.isWanted, let problem = files.findings.write(told(summary)).first {
      throw problem
    }
  }

  /// A finding for each gate that something is beyond.
  private func told(_ summary: BenchSummary) -> ToldFindings {
    func findings(_ result: BenchResult, _ severity: ToldFinding.Severity, _ texts: [String])
      -> [ToldFinding]
    {
      texts.map {
        ToldFinding(
          severity, "gate", "\(result.scenario) (\(result.backend.rawValue))", $0,
          place: FilePlace(file: ScenarioAddress(result.file).path))
      }
    }
    return ToldFindings(
      command: "bench", file: scenarios.joined(separator: ", "),
      findings: summary.results.scenarios.flatMap { result in
        findings(result, .error, summary.failures(of: result))
          + findings(result, .warning, summary.doubts(of: result))
      }, isFailure: status(of: summary) != .passed)
  }

  private func status(of summary: BenchSummary) -> ExitStatus {
    let scenarios = summary.results.scenarios
    if scenarios.contains(where: { !summary.failures(of: $0).isEmpty }) { return .failed }
    return scenarios.isEmpty ? .nothingFound : .passed
  }

  // MARK: Measuring

  private struct Measured {
    let own: BenchResults
    /// Of the other build, if there is one.
    let other: BenchResults?
    /// Whether no migration failed.
    let isComplete: Bool
  }

  /// Of several scenarios, one that fails doesn't keep the others from being measured.
  private func measure() async throws -> Measured {
    Interruption.removesTemporaryFiles()
    let folder = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(folder) }
    let tools = try self.tools()
    let progress = ProgressLine()
    var results: [[BenchResult]] = tools.map { _ in [] }
    let found = try ScenarioFinder.addresses(at: scenarios).flatMap {
      try CheckedScenario.loadAll(at: $0)
    }
    var isComplete = true
    for scenario in found {
      let file = "\(scenario.scenario.address)"
      guard let run = run(of: scenario, file, tools, folder, progress) else { continue }
      do {
        for (tool, measured) in try await run.measure().enumerated() { results[tool] += measured }
      } catch BenchError.nothingToMeasure where found.count > 1 {
        Console.complain("\(file) isn't measured: it has no rows or no step")
      } catch let error as BenchError where found.count > 1 {
        Console.complain("\(error)")
        isComplete = false
      }
    }
    progress.clear()
    return Measured(
      own: BenchResults(results[0]),
      other: results.count > 1 ? BenchResults(results[1]) : nil, isComplete: isComplete)
  }

  private func run(
    of scenario: CheckedScenario, _ file: String, _ tools: [URL], _ folder: URL,
    _ progress: ProgressLine
  ) -> BenchRun? {
    if let reason = scenario.reasonNotToMeasure {
      Console.complain("\(file) isn't measured: \(reason)")
      return nil
    }
    var run = BenchRun(
      scenario: scenario, file: file, options: options, tools: tools, folder: folder)
    run.willMeasure = { objects, sample in
      progress.show("\(file) \(objects) objects", max(0, sample - 1), options.samples)
    }
    return run
  }

  /// This build, and the other one.
  private func tools() throws -> [URL] {
    let own = try Worker.executable()
    guard let path = options.baselineTool else { return [own] }
    let other = URL(fileURLWithPath: path)
    guard case .file = FileKind(of: other),
      FileManager.default.isExecutableFile(atPath: other.path)
    else { throw BenchError.noTool(path) }
    return [own, other]
  }
}

extension CheckedScenario {
  /// Why a scenario is left out, if it is.
  fileprivate var reasonNotToMeasure: String? {
    if let skip = scenario.skip { return "it is skipped: \(skip.value)" }
    let expectsFailure = scenario.expectations.contains(where: \.check.isFailure)
    return expectsFailure ? "it expects an error" : nil
  }
}
