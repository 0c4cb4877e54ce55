import ArgumentParser

struct ReportCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Joins the reports of shards into one.",
    usage: "heavyweight report <path> ... [<options>]",
    discussion: HelpText.laidOut(
      """
      Reads what run --shard --json has written on several machines, and reports all runs as one call of \
      run would have, in every form that run has. A shard whose report is missing fails the whole. \
      docs/report.md shows it.

      EXAMPLES
        heavyweight report shards                       all *.json in a folder
        heavyweight report artifacts/*/run.json --junit junit.xml --html public
                                                        single files; as JUnit XML and as a page, too

      EXIT STATUS
        As of run, for all runs together; moreover:
        2  the report of a shard is missing or can't be read, or it is of another call
        3  there is no report of a shard
      """))

  @Argument(help: .taking("path", "Reports of shards, and folders of them."))
  var paths: [String]

  @OptionGroup var reports: ReportOptions

  @OptionGroup var terminal: TerminalOptions

  func note(in files: inout CommandFiles) {
    files.use("a report", paths)
    reports.note(in: &files)
  }

  /// Reads, joins and writes.
  /// - Returns: What one call with all scenarios would have ended with.
  /// - Throws: What is wrong with the reports, as that of a shard is missing.
  func perform() throws -> ExitStatus {
    let shards = try ShardReports(at: paths)
    for file in shards.others {
      Console.complain("skipped, since it isn't the report of a shard: \(file)")
    }
    if shards.isEmpty {
      Console.complain(
        "there is no report of a shard in \(paths.joined(separator: ", ")); make some with "
          + "'heavyweight run --shard 1/2 --json FILE'")
      return .nothingFound
    }
    let outputs = reports.outputs
    try outputs.prepare()
    let report = shards.joined
    let scenarios = report.results.groupedByScenario
    let printer = ReportPrinter(
      detail: terminal.detail, isShown: !outputs.takeStandardOutput)
    printer.begin(titles: scenarios.map { $0[0].id.title }, runs: report.results.count)
    for results in scenarios { printer.print { $0.scenario(results) } }
    return outputs.publish(report, printer)
  }
}
