import Synchronization

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
      detail: command.terminal.detail, isShown: !outputs.takeStandardOutput,
      again: command.isWithoutCache ? nil : "heavyweight run --last-failed")
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  /// - Throws: What is wrong with what it was given.
  func run(_ suite: ScenarioSuite) async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    try outputs.prepare()
    let (report, scenarios) = try await report(suite)
    if let file = suite.cache?.lastFailed {
      TemporaryFiles.waitIfOver()
      // What can't be read counts as nothing, and is written anew.
      var earlier = (try? EarlierRuns(reading: file.path)) ?? EarlierRuns()
      earlier.note(report, of: scenarios)
      earlier.keep(in: file)
    }
    return outputs.publish(report, printer)
  }

  /// - Returns: The report, and all scenarios that were read.
  /// - Throws: ``Diagnostics`` for paths that aren't there, or stores that can't be kept.
  private func report(
    _ suite: ScenarioSuite
  ) async throws -> (SuiteReport, of: [CheckedScenario]) {
    let loaded = try LoadedScenarios(at: paths)
    let (all, problems) = (loaded.scenarios, loaded.problems)
    var report = SuiteReport()
    report.problems = problems
    report.shard = selection.shard
    // Mistakes in files are told at once, on standard error.
    if !problems.isEmpty { Console.complain(problems.map(\.text).joined(separator: "\n")) }
    if !problems.isEmpty, !command.keepsGoing { return (report, all) }
    let choice = try selection.select(from: all)
    let selected = choice.scenarios
    if !selected.isEmpty, problems.isEmpty {
      for path in loaded.emptyFolders {
        Console.complain("there is no *\(ScenarioFinder.suffixes[0]) in \(path)")
      }
      for option in selection.unmetOptions(of: all) {
        Console.complain("no scenario matches \(option)")
      }
    }
    try suite.prepareKeepFolder(for: selected)
    let scaled = try suite.objects.map { count in
      try selected.map { try $0.scaled(to: count) }
    }
    var suite = suite
    suite.startsOfScenarios = choice.starts
    report = await play(scaled ?? selected, suite)
    report.leftOut = choice.leftOut + report.leftOut
    report.problems = problems + report.problems
    report.isEmptyShard = choice.isEmptyShard
    report.shard = selection.shard
    report.dealt = selection.shard == nil ? nil : choice.dealt
    if report.results.isEmpty, report.problems.isEmpty { explainEmptiness(report, all.count) }
    report.isPlayed = !report.results.isEmpty || !report.problems.isEmpty
    report.options =
      ["--backend " + suite.backends.map(\.rawValue).sorted().joined(separator: ",")]
      + [suite.objects.map { "--objects \($0)" }, suite.isConfined ? "--sandbox" : nil]
      .compactMap(\.self)
    return (report, all)
  }

  /// Plays everything as often as is asked for, but not again once something has failed.
  private func play(_ scenarios: [CheckedScenario], _ suite: ScenarioSuite) async -> SuiteReport {
    var (round, seconds) = (1, 0.0)
    while true {
      var report = await playOnce(scenarios, suite, isTold: round == command.times)
      seconds += report.seconds
      report.seconds = seconds
      let isOver = round == command.times || report.exitStatus != .passed
      if isOver, command.times > 1 {
        Console.complain("played \(round) of \(command.times.counted("time")): the last is told")
      }
      if isOver { return report }
      round += 1
    }
  }

  /// - Parameter isTold: False to tell only of what fails.
  private func playOnce(
    _ scenarios: [CheckedScenario], _ suite: ScenarioSuite, isTold: Bool
  ) async -> SuiteReport {
    let progress = ProgressLine()
    defer { progress.clear() }
    let (told, began) = (ToldResults(), ContinuousClock.now)
    defer { Interruption.sayAtTheEnd(nil) }
    return await suite.run(
      scenarios, willRun: { id, done, total in progress.show(id, done: done, of: total) },
      willRunAll: { scenarios in
        printer.begin(
          titles: scenarios.map(\.scenario.title.value), runs: suite.runCount(of: scenarios))
        let (text, all) = (printer.report, suite.runCount(of: scenarios).counted("run"))
        guard printer.isShown else { return }
        Interruption.sayAtTheEnd {
          var report = SuiteReport()
          report.results = told.results.withLock(\.self)
          if report.results.isEmpty { return }
          report.seconds = (ContinuousClock.now - began).seconds
          let lines = ["", "interrupted; of \(all):"] + text.ending(report).dropFirst()
          // The process is about to end: what can't be printed any more is lost.
          let words = TextFlow.printed(TextReport.text(lines))
          try? ReportFile.writeToOutput(Data(words.utf8))
        }
      },
      didRun: { results in
        progress.clear()
        // Runs that Control-C ended haven't failed.
        TemporaryFiles.waitIfOver()
        told.results.withLock { $0 += results }
        if isTold || !results.allSatisfy(\.isPassed) { printer.print { $0.scenario(results) } }
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

/// What has been told so far, for whoever interrupts the rest.
private final class ToldResults: Sendable {
  let results = Mutex<[RunResult]>([])
}

extension ProgressLine {
  func show(_ id: RunID, done: Int, of total: Int) {
    show("\(id.title) (\(id.backend.rawValue))", done: done, total: total)
  }
}
