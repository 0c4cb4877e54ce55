import ArgumentParser

struct CrashCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "crash",
    abstract: "Tests a migration with a fault at each of its operations on files.",
    usage: "heavyweight crash <scenario> ... [<options>]",
    discussion: HelpText.laidOut(
      """
      A scenario's SQLite migration is run once to list its points: each time that SQLite, the engine or an \
      app's own code opens, reads, writes, truncates, syncs, renames, copies or removes a file. Then it is run \
      again for each point and each fault, in a process of its own, and after that once more without a fault, \
      as at the app's next start. Each time the source must be unchanged, the result old or whole, the error \
      right, nothing left over, and the next start must finish the job.

      The faults
        kill    the process is killed before the operation, and halfway through a write
        eio     the operation fails with an input/output error
        enospc  there is no space left
        short   half of a write is done, then there is no space left
        fsync   what was written can't be made durable

      EXAMPLES
        heavyweight crash Scenarios/Tags/Short.scenario.yaml
                                       every point, every fault
        heavyweight crash Scenarios/Tags/Short.scenario.yaml --at every 10 \\
          --faults kill
                                       a first look
        heavyweight crash Scenarios/Tags/Short.scenario.yaml --at 41 --faults kill
                                       one point again, as a report names it
        heavyweight crash Scenarios/Migrators/ProgressiveManager.scenario.yaml \\
          --by app
                                       only where an app's own code moves and removes files
        heavyweight crash Scenarios/Chain --json > crash.json
                                       all scenarios of a folder, for machines

      EXIT STATUS
        0  every promise was kept at every point tested
        1  a promise was broken
        2  a scenario or an argument is wrong, or a migration fails without any fault
        5  nothing was tested: the migration has no such point
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("scenario", "Scenario files or folders of them."), completion: .scenarios)
  var paths: [String]

  @Option(
    parsing: .upToNextOption,
    help: .taking("points", "Points: all, the number of one, or every K."))
  var at: [String] = ["all"]

  @Option(
    help: .taking("list", "Faults, separated by commas."),
    completion: .list(CrashFault.allCases.map(\.rawValue)))
  var faults = CrashFault.allCases.map(\.rawValue).joined(separator: ",")

  @Option(
    help: ArgumentHelp(
      "Only points of sqlite, engine or app, separated by commas (default: all).", valueName: "list"
    ), completion: .list(["sqlite", "engine", "app"]))
  var by: String?

  @Option(
    help: .taking("version", "The version to start from (default: each)."), completion: .versions)
  var start: String?

  @OptionGroup var processes: JobsOption

  @OptionGroup var limits: PolicyLimits

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var reports: FindingOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    guard CrashPoints(at) != nil else {
      throw ValidationError("--at takes all, the number of a point from 1 on, or every K.")
    }
    guard CrashFault.list(faults) != nil else {
      let known = CrashFault.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--faults takes some of \(known), separated by commas.")
    }
    guard callers.allSatisfy(CrashCallers.names.contains) else {
      throw ValidationError(
        "--by takes some of \(CrashCallers.names.joined(separator: ", ")), separated by commas.")
    }
  }

  private var callers: [String] {
    by?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  func note(in files: inout CommandFiles) {
    files.use("a scenario", paths.map { ScenarioAddress($0).path })
    reports.note(in: &files)
  }

  // MARK: What was asked for

  var wantedPoints: CrashPoints { CrashPoints(at) ?? .all }
  var wantedFaults: [CrashFault] { CrashFault.list(faults) ?? [] }
  /// All where none is named.
  var wantedCallers: [FilePoint.Caller] {
    callers.isEmpty ? FilePoint.Caller.allCases : callers.compactMap(FilePoint.Caller.init)
  }
}
