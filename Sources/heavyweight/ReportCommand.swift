import ArgumentParser
import Benching

struct ReportCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Joins saved reports of shards and earlier runs into one page.",
    usage: "heavyweight report <path> ... [<options>]",
    discussion: HelpText.laidOut(
      """
      Reads the JSON that run, bench and check have written, and writes a page for a browser: each \
      scenario from commit to commit, times and memory, and the models' chains with what check found. \
      docs/report.md shows it.

      EXAMPLES
        heavyweight report shards                       all *.json in a folder, into the folder report
        heavyweight report artifacts/*/run.json bench.json --html public
                                                        single files, into another folder
        heavyweight report shards --json joined.json    and the page's content, for machines

      EXIT STATUS
        0  the page was written, whatever it shows
        2  a file isn't a readable report, or an argument is wrong
        3  there is no report
        7  the page or another report can't be written
      """))

  @Argument(help: ArgumentHelp("Reports, and folders of them.", valueName: "path"))
  var paths: [String]

  @Option(help: ArgumentHelp("The folder of the page.", valueName: "folder"))
  var html = "report"

  @OptionGroup var reports: JSONOption

  @OptionGroup var terminal: TerminalOptions

  var files: CommandFiles {
    var files = CommandFiles()
    files.use("a report", paths)
    reports.note(in: &files)
    files.page("--html", in: html)
    return files
  }

  func run() throws {
    let status = ReportSession(paths, html: html, outputs: reports.outputs).run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
