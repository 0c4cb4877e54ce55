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

  @Argument(help: ArgumentHelp("Reports of shards, and folders of them.", valueName: "path"))
  var paths: [String]

  @OptionGroup var reports: ReportOptions

  @Flag(help: "Print only failures and the summary.")
  var quiet = false

  @OptionGroup var terminal: TerminalOptions

  var files: CommandFiles {
    var files = CommandFiles()
    files.use("a report", paths)
    reports.note(in: &files)
    return files
  }

  func perform() -> ExitStatus {
    ReportSession(paths, detail: quiet ? .quiet : .usual, outputs: reports.outputs).run()
  }
}
