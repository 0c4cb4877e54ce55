import ArgumentParser

struct SmokeCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "smoke",
    abstract:
      "Generates rows for every entity of every version, migrates them, and reports losses.",
    usage: "heavyweight smoke [<model>] [<options>]",
    discussion: HelpText.laidOut(
      """
      No scenario is needed: rows are generated for every entity of every version, full ones, ones \
      without optional values, and ones with the extremes of every type, with as many links as the \
      model allows. They are migrated to the next version and all the way, step by step and directly, \
      in memory and in SQLite, and again with another order of the second pass. Every row is accounted \
      for, and each finding is reported once, with the fewest rows that show it.

      EXAMPLES
        heavyweight smoke App.xcdatamodeld             with the files in the model's folder
        heavyweight smoke App.xcdatamodeld --mappings Mappings \\
          --policies Sources/Migration/*.swift --module App
                                       with files from elsewhere
        heavyweight smoke App.xcdatamodeld --output Scenarios/Found
                                       and each finding as a scenario that fails
        heavyweight smoke App.xcdatamodeld --accept 'Old versions, long gone.'
                                       accepts all that is found now
        heavyweight smoke App.xcdatamodeld --to 'App 5' --dirty --json
                                       up to a version, with unusual texts, for machines

      EXIT STATUS
        0  nothing was found
        1  something was found
        2  a file or an argument is wrong, or policies don't compile
        5  nothing was migrated: the model has one version, or no row could be made
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("model", "An .xcdatamodeld or .momd, or a folder with one."))
  var models: String?

  @OptionGroup var route: RouteOptions

  @OptionGroup var processes: JobsOption

  @Option(
    help: .taking("count", "Least number of full rows of each entity, 1 to 1000 (default: 3)."))
  var objects: ObjectCount?

  @Option(help: .taking("number", "Seed of the generated values."))
  var seed: UInt64 = 0

  @Flag(help: "Also use unusual but valid texts: blank, untrimmed, with wildcards.")
  var dirty = false

  @Option(
    name: .shortAndLong,
    help: .taking("folder", "Write a failing scenario for each finding into this new folder."))
  var output: String?

  @OptionGroup var acceptance: AcceptanceOptions

  @Option(
    help: .taking("time", "Longest time for a step with policies: 30, 30s, 5m (default: 10m)."))
  var timeout: RunTime?

  @Option(help: .taking("size", "Most memory for a step with policies: 500M, 2G (default: 500M)."))
  var memory: RunMemory?

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var reports: FindingOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    try ProjectModel.require(models)
    if let problem = memory?.problemAsLimit { throw ValidationError(problem) }
    if let objects, !(1...1000).contains(objects.number) {
      throw ValidationError("--objects takes a number from 1 to 1000.")
    }
    guard route.policy.policies.isEmpty || route.policy.module != nil else {
      throw ValidationError("Give --policies and --module together.")
    }
  }

  func note(in files: inout CommandFiles) {
    files.use("the model", models)
    route.note(in: &files)
    acceptance.note(in: &files)
    reports.note(in: &files)
  }

  var options: SmokeOptions {
    var options = SmokeOptions()
    (options.target, options.objects) = (route.to, objects?.number)
    (options.seed, options.isDirty) = (seed, dirty)
    return options
  }

  func perform() async throws -> ExitStatus {
    try await ProjectModel.each(models, into: reports.outputs) { model in
      var own = self
      if GatheredReports.current != nil {
        // Each model's scenarios have a folder of their own.
        own.output = output.map { "\($0)/\(URL(fileURLWithPath: model).baseName)" }
      }
      return try await SmokeSession(command: own, files: MigrationFiles(models: model, route)).run()
    }
  }
}
