import ArgumentParser
import Benching

struct ExplainCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains an error code or a finding: what it means, what causes it, and what to do.",
    usage: "heavyweight explain [<what> ...] [<options>]",
    discussion: HelpText.laidOut(
      """
      EXAMPLES
        heavyweight explain 1570                        a Core Data error code
        heavyweight explain NSMigrationMissingMappingModelError
                                                        or its name
        heavyweight explain mapping-outdated stale-maximum
                                                        findings of check and inspect
        heavyweight explain missing-module              a common mistake that reports mention
        heavyweight explain createRelationships exit-3  hooks and exit statuses
        heavyweight explain --list                      all that can be explained

      EXIT STATUS
        0  everything asked for was explained
        2  something isn't known; the nearest is named
        7  done and fine, but the report couldn't be printed
      """))

  @Argument(
    help: ArgumentHelp("Error codes or names, or identifiers of findings.", valueName: "what"))
  var words: [String] = []

  @Flag(help: "List everything that can be explained.")
  var list = false

  @OptionGroup var reports: JSONOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if list, !words.isEmpty {
      throw ValidationError("Give --list or something to explain, not both.")
    }
    if !list, words.isEmpty {
      throw ValidationError("Name what to explain, as in 'explain 1570', or use --list.")
    }
  }

  var files: CommandFiles {
    var files = CommandFiles()
    reports.note(in: &files)
    return files
  }

  func run() throws {
    let status = ExplainSession(words: words, outputs: reports.outputs).run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
