import ArgumentParser
import Mutating

struct MutateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mutate",
    abstract:
      "Makes deliberate faults in a migration, one at a time, and tells which no scenario notices.",
    discussion: HelpText.laidOut(
      """
      Steps, mapping models, entity and property mappings, value expressions, source predicates, \
      policies and the statements in them, defaults, delete rules, inverses and renaming identifiers \
      are dropped or altered, one at a time, and the scenarios that use them are played. A mutant \
      that a scenario fails for is caught; one that all pass with is alive: what it breaks could break \
      in the app, too. Nothing of yours is changed: faults are made in what was read, in processes of \
      their own. docs/mutate.md describes it.

      What was found is kept: a call that was cut off goes on where it was. Mutants that change nothing \
      are accepted, with the reason, in the file .heavyweight-mutate.yaml; --accept writes those that are \
      alive now there.

      EXAMPLES
        heavyweight mutate                              every scenario under Scenarios/
        heavyweight mutate Scenarios/Tags --list        which mutants there are
        heavyweight mutate --time 10m                   the most telling ones first
        heavyweight mutate --filter SongPolicy.swift    those of one file
        heavyweight mutate --filter value-expression    those of one kind
        heavyweight mutate --json - --html report       for machines and a browser
        heavyweight mutate --filter SongPolicy.swift:72 --accept 'It only saves memory.'
                                       what is alive there is accepted from now on

      EXIT STATUS
        0  no mutant is alive, but for accepted ones
        1  a mutant is alive, or a scenario fails without any
        2  a scenario, an argument or the file of accepted mutants is wrong
        3  there is no scenario at the paths
        4  the filter leaves out every mutant
        5  none is alive so far, but not all were judged, or there is none
        7  no mutant is alive, but a report couldn't be written
      """))

  @Argument(
    help: ArgumentHelp("Scenario files or folders of them (default: Scenarios).", valueName: "path")
  )
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only mutants with this text in place, kind or change; /…/ is a regular expression.",
      valueName: "text"))
  var filter: String?

  @Flag(name: .customLong("list"), help: "List the mutants, and run none.")
  var isList = false

  @Option(
    help: ArgumentHelp("Begin no further mutant after this time: 90s, 10m.", valueName: "time"))
  var time: RunTime?

  @Option(
    help: ArgumentHelp("Mutants at a time (default: cores).", valueName: "number"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Longest time for a run (default: 20 times what it takes, at least 30s).", valueName: "time"))
  var timeout: RunTime?

  @Option(
    help: ArgumentHelp("Most memory for a run: 500M, 2G (default: 500M).", valueName: "size"))
  var memory: RunMemory?

  @OptionGroup var confinement: SandboxOption

  @Option(
    help: ArgumentHelp(
      "Accepted mutants (default: .heavyweight-mutate.yaml, where it is there).", valueName: "file")
  )
  var accepted: String?

  @Option(
    help: ArgumentHelp(
      "Write the mutants that are alive now into that file, with this reason and the day.",
      valueName: "reason"))
  var accept: String?

  @Option(
    help: ArgumentHelp(
      "Keep what is found in this folder (default: ~/.cache/heavyweight/mutate).",
      valueName: "folder"))
  var state: String?

  @Flag(help: "Play all mutants anew, whatever is known.")
  var fresh = false

  @OptionGroup var machine: JSONOption

  @Option(
    help: ArgumentHelp("Write a page for a browser into this folder.", valueName: "folder"))
  var html: String?

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    _ = try wantedFilter()
    if let problem = memory?.problemAsLimit { throw ValidationError(problem) }
    if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    if isList, time != nil || html != nil || fresh || state != nil || accept != nil {
      throw ValidationError(
        "--list plays nothing: leave out --time, --html, --fresh, --state and --accept.")
    }
    if let accept, accept.allSatisfy(\.isWhitespace) {
      throw ValidationError("--accept needs a reason, as in --accept 'It only saves memory.'")
    }
  }

  private func wantedFilter() throws -> ScenarioFilter? {
    do { return try filter.map(ScenarioFilter.init) } catch {
      throw ValidationError("The regular expression \(filter ?? "") can't be read: \(error)")
    }
  }

  func run() async throws {
    var options = MutateOptions()
    options.filter = try wantedFilter()
    options.isList = isList
    options.seconds = time?.seconds
    options.timeout = timeout?.seconds
    if let jobs { options.jobs = jobs }
    if let memory { options.bytes = memory.bytes }
    options.isConfined = confinement.sandbox
    options.accepted = accepted
    options.acceptance = accept
    options.state = state
    options.isFresh = fresh
    options.json = machine.json
    options.html = html
    let status = await MutateSession(paths, options: options).run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
