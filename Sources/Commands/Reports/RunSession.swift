/// One call of `heavyweight run`: finds, checks, runs and reports.
struct RunSession {
  private let paths: [String]
  private let selection: ScenarioSelection
  private let command: RunCommand
  private let outputs: ReportOutputs<SuiteReport>
  private let printer: ReportPrinter

  /// - Parameter paths: Files and folders.
  init(_ command: RunCommand, at paths: [String], _ selection: ScenarioSelection) {
    self.command = command
    self.paths = paths
    self.selection = selection
    outputs = command.reports.outputs
    printer = ReportPrinter(
      detail: command.quiet ? .quiet : command.verbose ? .verbose : .usual,
      isShown: !outputs.takeStandardOutput)
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  /// - Throws: What is wrong with what it was given.
  func run(_ suite: ScenarioSuite) async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    try outputs.prepare()
    return outputs.publish(try await report(suite), printer)
  }

  /// - Throws: ``Diagnostics`` for paths that aren't there, or stores that can't be kept.
  private func report(_ suite: ScenarioSuite) async throws -> SuiteReport {
    let loaded = try LoadedScenarios(at: paths)
    let (all, problems) = (loaded.scenarios, loaded.problems)
    var report = SuiteReport()
    report.problems = problems
    report.shard = selection.shard
    // Mistakes in files are told at once, on standard error.
    if !problems.isEmpty { Console.complain(problems.map(\.text).joined(separator: "\n")) }
    if !problems.isEmpty, !command.keepsGoing { return report }
    let (selected, leftOut) = selection.select(from: all)
    if !selected.isEmpty, problems.isEmpty {
      for option in selection.unmetOptions(of: all) {
        Console.complain("no scenario matches \(option)")
      }
    }
    try suite.prepareKeepFolder(for: selected)
    let scaled = try suite.objects.map { count in
      try selected.map { try $0.scaled(to: count) }
    }
    report = await play(scaled ?? selected, suite)
    report.leftOut = leftOut + report.leftOut
    report.problems = problems + report.problems
    report.isEmptyShard = selection.isEmptyShard(of: all)
    report.shard = selection.shard
    if report.results.isEmpty, report.problems.isEmpty { explainEmptiness(report, all.count) }
    report.isPlayed = !report.results.isEmpty || !report.problems.isEmpty
    return report
  }

  private func play(_ scenarios: [CheckedScenario], _ suite: ScenarioSuite) async -> SuiteReport {
    let progress = ProgressLine()
    defer { progress.clear() }
    return await suite.run(
      scenarios, willRun: { id, done, total in progress.show(id, done, total) },
      willRunAll: { printer.begin(titles: $0.map(\.scenario.title.value)) },
      didRun: { results in
        progress.clear()
        printer.print { $0.scenario(results) }
      })
  }

  private func explainEmptiness(_ report: SuiteReport, _ count: Int) {
    let places = paths.joined(separator: ", ")
    if count == 0 {
      return Console.complain(
        "nothing ran: there is no *\(ScenarioFinder.suffixes[0]) in \(places)")
    }
    let scenarios = "\(count.counted("scenario")) in \(places)"
    if report.isEmptyShard, let shard = selection.shard {
      return Console.complain(
        "nothing to run here: shard \(shard) of \(scenarios) is empty; the other shards have them")
    }
    Console.complain("nothing ran: none of \(scenarios) was left")
    for line in report.absenceLines { Console.complain("  \(line)") }
  }
}

extension ProgressLine {
  func show(_ id: RunID, _ done: Int, _ total: Int) {
    show("\(id.title) (\(id.backend.rawValue))", done, total)
  }
}
