import ArgumentParser

struct ReduceCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "reduce",
    abstract: "Finds a small scenario that fails as a large one does.",
    usage: "heavyweight reduce <scenario> [<options>]",
    discussion: HelpText.laidOut(
      """
      Leaves out rows, expectations, steps, and entities and properties of models that the scenario \
      writes itself, as long as the scenario still fails in the same way: the same kind of failure, \
      code, step, pass, entity, property and line of a policy. What remains is \
      unchanged, title, story and comments included. A store that the scenario names, and \
      objects made by rule, become rows first.

      The smallest scenario so far is saved each time: after Control-C it is there, and the same command \
      continues where it stopped.

      EXAMPLES
        heavyweight reduce Reports/17.scenario.yaml
                                       into Reports/17.reduced.scenario.yaml
        heavyweight reduce Reports/17.scenario.yaml -o Reports/Small.scenario.yaml
                                       into another file of that folder
        heavyweight reduce Songs.scenario.yaml#2
                                       the second scenario of a file, into Songs-2.reduced.scenario.yaml
        heavyweight reduce Reports/17.scenario.yaml --time 1m --json
                                       the best result after a minute, for machines

      EXIT STATUS
        0  a scenario that fails in the same way was written
        2  the scenario passes, or a file or an argument is wrong; nothing was written
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(
    help: .taking("scenario", "A scenario that fails; with #2 the second of its file."),
    completion: .scenarios)
  var scenario: String

  @Option(
    name: [.customShort("o"), .long],
    help: .taking("file", "The file to write, in the scenario's folder."))
  var output: String?

  @Option(
    help: .taking("version", "The version to start from (default: the first that fails)."),
    completion: .versions)
  var start: String?

  @Option(help: .taking("time", "Longest time: 90, 90s, 5m (default: to the end)."))
  var time: RunTime?

  @OptionGroup var processes: JobsOption

  @OptionGroup var limits: PolicyLimits

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var reports: JSONOption

  @OptionGroup var terminal: TerminalOptions

  func note(in files: inout CommandFiles) {
    files.use("the scenario", [ScenarioAddress(scenario).path])
    files.use("--output", output)
    reports.note(in: &files)
  }
}
