import ArgumentParser

struct MutateCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "mutate",
    abstract:
      "Makes deliberate faults in a migration, one at a time, and reports those that no scenario notices.",
    discussion: HelpText.laidOut(
      """
      Steps, mapping models, entity and property mappings, value expressions, source predicates, \
      policies and the statements in them, defaults, delete rules, inverses and renaming identifiers \
      are dropped or altered, one at a time, and the scenarios that use them are run. If one of them \
      fails, the mutant is caught. If all pass, it is alive: the same mistake in the app would go \
      unnoticed. Your files aren't changed. See docs/mutate.md.

      Verdicts are saved, so an interrupted call continues where it stopped. Accept mutants that change \
      nothing in the file .heavyweight-mutate.yaml, in Scenarios or the working folder, with the reason; --accept \
      adds those that are alive now.

      EXAMPLES
        heavyweight mutate                              every scenario under Scenarios/
        heavyweight mutate Scenarios/Tags --list        which mutants there are
        heavyweight mutate --time 10m                   the most informative ones first
        heavyweight mutate --filter SongPolicy.swift    those of one file
        heavyweight mutate --filter value-expression    those of one kind
        heavyweight mutate --json - --html report       for machines and a browser
        heavyweight mutate --filter Song.swift:72 --accept 'It saves memory.'
                                       accepts the mutants alive there

      EXIT STATUS
        0  no mutant is alive, except accepted ones
        1  a mutant is alive, or a scenario fails without any mutant
        2  a scenario, an argument or the file of accepted mutants is wrong
        3  there is no scenario at the paths
        4  the filter leaves out every mutant
        5  none is alive so far, but not all were judged, or there are none
        7  no mutant is alive, but a report couldn't be written
        8  \(ExitStatus.notJudged.meaning)
      """))

  @OptionGroup var scenarios: ScenarioPaths

  @Option(
    help: .taking(
      "text", "Only mutants with this text in place, kind or change; /…/ is a regular expression."))
  var filter: String?

  @Flag(name: .customLong("list"), help: "List the mutants, and run none.")
  var isList = false

  @Option(help: .taking("time", "Start no further mutant after this time: 90s, 10m."))
  var time: RunTime?

  @OptionGroup var processes: JobsOption

  @Option(
    help: .taking("time", "Longest time for a run (default: 20 times what it takes, at least 30s).")
  )
  var timeout: RunTime?

  @Option(help: .taking("size", "Most memory for a run: 500M, 2G (default: 500M)."))
  var memory: RunMemory?

  @OptionGroup var confinement: SandboxOption

  @Option(
    help: .taking(
      "file",
      "Accepted mutants (default: .heavyweight-mutate.yaml in Scenarios, else here, if it exists).")
  )
  var accepted: String?

  @Option(
    help: .taking(
      "reason",
      "Accept the mutants that are alive now: write them to that file, with this reason and the date."
    ))
  var accept: String?

  @Option(
    help: .taking("folder", "Keep verdicts in this folder (default: ~/.cache/heavyweight/mutate)."))
  var state: String?

  @Flag(help: "Run all mutants again, ignoring saved verdicts.")
  var fresh = false

  @OptionGroup var reports: FindingOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    _ = try wantedFilter()
    if let problem = memory?.problemAsLimit { throw ValidationError(problem) }
    if isList, time != nil || reports.html != nil || fresh || state != nil || accept != nil {
      throw ValidationError(
        "--list tests nothing: leave out --time, --html, --fresh, --state and --accept.")
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

  func note(in files: inout CommandFiles) {
    scenarios.note(in: &files)
    files.use("--accepted", accepted)
    reports.note(in: &files)
  }

  func perform() async throws -> ExitStatus {
    try await MutateSession(command: self, filter: try wantedFilter()).run()
  }
}
