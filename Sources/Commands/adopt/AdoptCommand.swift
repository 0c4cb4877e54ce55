import ArgumentParser

struct AdoptCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Takes what Core Data made of a store into a scenario.",
    usage: "heavyweight adopt <before> <after> --scenario <file> [<options>]",
    discussion: HelpText.laidOut(
      """
      The scenario has models and a chain, and no seed: it gets the store before, the store that a device or a Mac made \
      of it, and expectations of what that holds. Then it is run, and each difference between this engine's result and \
      the device's is told. docs/adopt.md has examples.

      EXAMPLES
        heavyweight adopt before.sqlite after.sqlite --scenario Songs.scenario.yaml

      EXIT STATUS
        0  written, and the result is the device's
        1  written, and it isn't
        2  a store, the scenario or an argument is wrong; the scenario is as it was
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("before", "The store before the migration."))
  var before: String

  @Argument(help: .taking("after", "The store that Core Data made of it."))
  var after: String

  @Option(help: .taking("file", "The scenario to write them into."), completion: .scenarios)
  var scenario: String

  @OptionGroup var terminal: TerminalOptions

  func note(in files: inout CommandFiles) {
    files.use("the store before", before)
    files.use("the store after", after)
    files.use("--scenario", scenario)
  }

  func perform() async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    let url = URL(fileURLWithPath: scenario)
    let file = try SourceFile(contentsOf: url, shownAs: scenario)
    let adopted = AdoptedScenario(
      file: file, folder: url.deletingLastPathComponent(), before: URL(fileURLWithPath: before),
      after: URL(fileURLWithPath: after))
    let text = try adopted.text()
    if text != file.text { try file.replace(by: text, at: url) }
    let detail = terminal.quiet ? ["--quiet"] : terminal.verbose ? ["--verbose"] : []
    return try await RunCommand.parse(
      [scenario, "--color", terminal.color.rawValue] + detail
    ).perform()
  }
}
