/// One call of `heavyweight bench`.
package struct BenchSession {
  /// Scenario files, and folders of them.
  let scenarios: [String]
  let options: BenchOptions
  let files: Files

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
      return ExitStatus(of: error)
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
    let tools = try Tools(options)
    let progress = ProgressLine()
    var results: [[BenchResult]] = tools.isAlone ? [[]] : [[], []]
    let found = try ScenarioFinder.addresses(at: scenarios).flatMap {
      try CheckedScenario.loadAll(at: $0)
    }
    if found.isEmpty {
      Console.complain(
        "nothing to measure: there is no *\(ScenarioFinder.suffixes[0]) in "
          + scenarios.joined(separator: ", "))
    }
    var isComplete = true
    for scenario in found {
      let file = "\(scenario.scenario.address)"
      if let reason = scenario.reasonNotToMeasure {
        Console.complain("\(file) isn't measured: \(reason)")
        continue
      }
      do {
        let run = run(of: scenario, try tools.contenders(file), folder, progress)
        for (contender, measured) in try await run.measure().enumerated() {
          results[contender] += measured
        }
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
    of scenario: CheckedScenario, _ contenders: [BenchContender], _ folder: URL,
    _ progress: ProgressLine
  ) -> BenchRun {
    let file = "\(scenario.scenario.address)"
    var run = BenchRun(
      scenario: scenario, file: file, options: options, contenders: contenders, folder: folder)
    run.willMeasure = { objects, sample, count in
      progress.show("\(file) \(objects) objects", max(0, sample - 1), max(count, sample))
    }
    return run
  }

  /// Who measures what, by turns.
  private struct Tools {
    private let own: URL
    private let other: URL?
    /// Where the other has its scenarios.
    private let folder: String?

    init(_ options: BenchOptions) throws {
      own = try Worker.executable()
      folder = options.baselineFolder
      other = try options.baselineTool.map { path in
        let tool = URL(fileURLWithPath: path)
        guard case .file = FileKind(of: tool),
          FileManager.default.isExecutableFile(atPath: tool.path)
        else { throw BenchError.noTool(path) }
        return tool
      }
    }

    /// Whether there is nobody to take turns with.
    var isAlone: Bool { other == nil && folder == nil }

    func contenders(_ file: String) throws -> [BenchContender] {
      let here = BenchContender(tool: own, isOwnTool: true, file: file)
      if isAlone { return [here] }
      let (tool, isOwn) = (other ?? own, other == nil)
      guard let folder else {
        return [here, BenchContender(tool: tool, isOwnTool: isOwn, file: file)]
      }
      return [here, try .asItWas(file, in: folder, tool: tool, isOwnTool: isOwn)]
    }
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
