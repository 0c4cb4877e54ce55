/// One call of `heavyweight run`: finds, checks, runs and reports.
package struct RunSession {
  private let paths: [String]
  private let selection: ScenarioSelection
  private let isVerbose: Bool
  private let outputs: ReportOutputs

  /// - Parameters:
  ///   - paths: Files and folders; empty for the folder `Scenarios`.
  ///   - outputs: Where reports go beside the one for a person.
  package init(
    paths: [String], selection: ScenarioSelection, isVerbose: Bool, outputs: ReportOutputs
  ) {
    self.paths = paths.isEmpty ? ["Scenarios"] : paths
    self.selection = selection
    self.isVerbose = isVerbose
    self.outputs = outputs
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  package func run(_ suite: ScenarioSuite) async -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      try outputs.prepare()
    } catch {
      Console.complain("\(error)")
      return .reportNotWritten
    }
    do {
      return publish(try await report(suite))
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  /// - Throws: ``Diagnostics`` for paths that aren't there, or stores that can't be kept.
  private func report(_ suite: ScenarioSuite) async throws -> SuiteReport {
    let (all, problems) = load(try ScenarioFinder.files(at: paths))
    var report = SuiteReport()
    report.problems = problems
    // Mistakes in files are told at once, on standard error; nothing runs.
    if !problems.isEmpty {
      Console.complain(problems.map(\.text).joined(separator: "\n"))
      return report
    }
    let (selected, leftOut) = selection.select(from: all)
    try suite.prepareKeepFolder(for: selected)
    let scaled = suite.objects.map { count in selected.map { $0.scaled(to: count) } }
    report = await play(scaled ?? selected, suite)
    report.leftOut = leftOut
    if report.results.isEmpty, report.problems.isEmpty { explainEmptiness(report, all.count) }
    report.isPlayed = !report.results.isEmpty || !report.problems.isEmpty
    return report
  }

  /// All scenarios in the files, and what is wrong with the others.
  private func load(
    _ files: [String]
  ) -> (scenarios: [CheckedScenario], problems: [SuiteReport.Problem]) {
    var scenarios: [CheckedScenario] = []
    var problems: [SuiteReport.Problem] = []
    for path in files {
      do {
        scenarios.append(
          try CheckedScenario.load(contentsOf: URL(fileURLWithPath: path), shownAs: path))
      } catch {
        problems.append(SuiteReport.Problem(path: path, error))
      }
    }
    return (scenarios, problems)
  }

  private func play(_ scenarios: [CheckedScenario], _ suite: ScenarioSuite) async -> SuiteReport {
    let progress = ProgressLine()
    defer { progress.clear() }
    return await suite.run(scenarios) { id, done, total in progress.show(id, done, total) }
  }

  private func explainEmptiness(_ report: SuiteReport, _ count: Int) {
    let places = paths.joined(separator: ", ")
    if count == 0 {
      return Console.complain(
        "nothing ran: there is no *\(ScenarioFinder.suffixes[0]) in \(places)")
    }
    let scenarios = "\(count.counted("scenario")) in \(places)"
    Console.complain("nothing ran: none of \(scenarios) was left")
    for line in report.absenceLines { Console.complain("  \(line)") }
  }

  // MARK: Publishing

  private func publish(_ report: SuiteReport) -> ExitStatus {
    // Runs that Control-C ended haven't failed.
    TemporaryFiles.waitIfOver()
    var problems: [ReportError] = []
    if report.isPlayed, !outputs.takeStandardOutput { problems += print(report) }
    problems += outputs.write(report)
    for problem in problems { Console.complain("\(problem)") }
    let status = report.exitStatus
    return status == .passed && !problems.isEmpty ? .reportNotWritten : status
  }

  private func print(_ report: SuiteReport) -> [ReportError] {
    let text = TextReport(style: TextStyle(for: STDOUT_FILENO), isVerbose: isVerbose).text(report)
    do {
      try ReportFile.writeToOutput(Data(text.utf8))
      return []
    } catch {
      return [error as? ReportError ?? ReportError(path: "standard output", reason: "\(error)")]
    }
  }
}

extension ProgressLine {
  func show(_ id: RunID, _ done: Int, _ total: Int) {
    show("\(id.title) (\(id.backend.rawValue))", done, total)
  }
}
