extension BenchCommand {
  /// Measures, reports on standard output, and says whether a gate was passed.
  /// - Throws: What is wrong with what it was given.
  func perform() async throws -> ExitStatus {
    if isConfined { try Sandbox.check() }
    do {
      // Nobody wants to learn after an hour that there is no place for the results.
      try reports.outputs.prepare()
      for file in [save, markdown, csv] {
        if let file { try ReportFile.prepare(file) }
      }
      let kept = try baseline.map { try BenchBaseline(file: $0) }
      if let refusal = kept?.refusal {
        if maxRatio != nil { throw BenchError.otherMachine(refusal) }
        Console.complain(refusal)
      }
      var checkout: AppCheckout?
      if let against { checkout = try await AppCheckout(against) }
      defer { checkout?.remove() }
      let measured = try await measure(beside: checkout?.root.path ?? baselineFolder)
      let other = measured.other.map(BenchBaseline.init(measuredBeside:)) ?? kept
      let summary = BenchSummary(
        results: measured.own, baseline: other, gates: gates)
      try writeTables(summary)
      for gate in summary.unmeasured { Console.complain("not checked: \(gate)") }
      return try publish(summary, measured.isComplete ? status(of: summary) : .badInput)
    } catch let error as ReportError {
      Console.complain("\(error)")
      return .reportNotWritten
    }
  }

  private func publish(_ summary: BenchSummary, _ status: ExitStatus) throws -> ExitStatus {
    let other = summary.baseline.flatMap { $0.isOfSameRun ? $0.results : nil }
    return try reports.outputs.publish(
      text: {
        Data(
          BenchTextReport(summary: summary, style: TextStyle(for: STDOUT_FILENO)).text().utf8)
      }, json: { try summary.results.json(beside: other) }, findings: told(summary), status)
  }

  private func writeTables(_ summary: BenchSummary) throws {
    if let save { try ReportFile.write(try summary.results.json(), to: save) }
    let table = BenchTable(summary: summary)
    if let markdown {
      try ReportFile.write(Data(table.markdown().utf8), to: markdown)
    }
    if let csv { try ReportFile.write(Data(table.csv().utf8), to: csv) }
  }

  /// A finding for each gate that something is beyond.
  private func told(_ summary: BenchSummary) -> ToldFindings {
    func findings(on result: BenchResult, as severity: FindingSeverity, texts: [String])
      -> [ToldFinding]
    {
      texts.map {
        ToldFinding(
          severity, rule: "gate", about: "\(result.scenario) (\(result.backend.rawValue))", $0,
          place: FilePlace(file: ScenarioAddress(result.file).path))
      }
    }
    return ToldFindings(
      command: "bench", file: scenarios.all.joined(separator: ", "),
      findings: summary.results.scenarios.flatMap { result in
        findings(on: result, as: .error, texts: summary.failures(of: result))
          + findings(on: result, as: .warning, texts: summary.doubts(of: result))
      }, isFailure: status(of: summary) != .passed, ownPage: BenchPage(summary: summary).text())
  }

  private func status(of summary: BenchSummary) -> ExitStatus {
    let scenarios = summary.results.scenarios
    if scenarios.contains(where: { !summary.failures(of: $0).isEmpty }) { return .failed }
    if !summary.unmeasured.isEmpty { return .nothingChecked }
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
  /// - Parameter before: Another checkout's counterpart of the working folder, to take turns with.
  private func measure(beside before: String?) async throws -> Measured {
    Interruption.removesTemporaryFiles()
    let folder = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(folder) }
    let tools = try Tools(self, before)
    let progress = ProgressLine()
    var results: [[BenchResult]] = tools.isAlone ? [[]] : [[], []]
    let found = try ScenarioFinder.addresses(at: scenarios.all).flatMap {
      try CheckedScenario.loadAll(at: $0)
    }
    if found.isEmpty {
      Console.complain(
        "nothing to measure: there is no *\(ScenarioFinder.suffixes[0]) in "
          + scenarios.all.joined(separator: ", "))
    }
    var isComplete = true
    for scenario in found {
      let file = "\(scenario.scenario.address)"
      if let reason = scenario.reasonNotToMeasure {
        Console.complain("\(file) isn't measured: \(reason)")
        continue
      }
      do {
        let run = run(of: scenario, by: try tools.contenders(file), in: folder, showing: progress)
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
    of scenario: CheckedScenario, by contenders: [BenchContender], in folder: URL,
    showing progress: ProgressLine
  ) -> BenchRun {
    let file = "\(scenario.scenario.address)"
    var run = BenchRun(
      scenario: scenario, file: file, command: self, contenders: contenders, folder: folder)
    run.willMeasure = { objects, sample, count in
      progress.show(
        "\(file) \(objects) objects", done: max(0, sample - 1), total: max(count, sample))
    }
    return run
  }

  /// Who measures what, by turns.
  private struct Tools {
    private let own: URL
    private let other: URL?
    /// Where the other has its scenarios.
    private let folder: String?
    private let name: String?

    init(_ command: BenchCommand, _ before: String?) throws {
      own = try Worker.executable()
      (folder, name) = (before, command.against)
      other = try command.baselineTool.map { path in
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
      return [
        here, try .asItWas(file, in: folder, called: name ?? folder, tool: tool, isOwnTool: isOwn),
      ]
    }
  }
}

extension CheckedScenario {
  /// Why a scenario is left out, if it is.
  fileprivate var reasonNotToMeasure: String? {
    if let skip = scenario.skip { return "it is skipped: \(skip.value)" }
    let expectsFailure = scenario.expectations.contains(where: \.isFailure)
    return expectsFailure ? "it expects an error" : nil
  }
}
