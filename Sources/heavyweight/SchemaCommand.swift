import ArgumentParser
import Benching

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON schema of a report or of scenario files.",
    discussion: HelpText.laidOut(
      """
      EXAMPLES
        heavyweight schema                              which there are
        heavyweight schema check                        that of check --json
        heavyweight schema scenario > scenario.schema.json
                                                        for an editor: scenarios refer to it in their first line

      EXIT STATUS
        0  printed
        2  there is no such schema; the nearest is named
        7  done and fine, but the report couldn't be printed
      """))

  @Argument(help: ArgumentHelp("The schema (default: a list of all).", valueName: "name"))
  var name: String?

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    let status = SchemaSession(name).run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
