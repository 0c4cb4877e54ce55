import ArgumentParser

struct MigrateCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrates a copy of a store through the versions of a model.",
    discussion: HelpText.laidOut(
      """
      The store's version is found by its hashes. The store itself is never written to, and the \
      result is complete or absent.

      EXAMPLES
        heavyweight migrate old.sqlite --models App.xcdatamodeld -o new.sqlite
                                       version by version to the current one
        heavyweight migrate old.sqlite --models App.xcdatamodeld \\
          --mappings Mappings --policies Policies/*.swift --module App -o new.sqlite
                                       with mapping models and policies
        heavyweight migrate old.sqlite --models App.xcdatamodeld --direct \\
          -o new.sqlite
                                       in one step, as Core Data does when an app opens the store
        heavyweight migrate old.sqlite --scenario Chain.scenario.yaml -o new.sqlite
                                       by the chain of a scenario
        heavyweight migrate old.sqlite --models App.xcdatamodeld \\
          --from-store-model -o new.sqlite
                                       although no version matches it: from its own model
        heavyweight migrate old.sqlite --models App.xcdatamodeld --explain
                                       only what a device would do in the file, as SQL

      EXIT STATUS
        0  the result was written
        1  the migration failed, as it would in the app
        2  the store, another file or an argument is wrong, or policies don't compile
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("store", "The SQLite store to migrate."))
  var store: String

  @Option(
    name: [.customShort("o"), .long],
    help: .taking("file", "Where the result goes; the file must not exist."))
  var output: String?

  @Flag(
    help:
      "Write nothing; print the statements by which a device would do each step in the store's own file."
  )
  var explain = false

  @Option(help: .taking("path", "The model with all its versions."))
  var models: String?

  @OptionGroup var route: RouteOptions

  @Option(help: .taking("file", "Take models, chain, mappings and policies from a scenario."))
  var scenario: String?

  @Flag(help: "One step from the store's version to the last, instead of version by version.")
  var direct = false

  @Flag(
    help:
      "Migrate a store that matches no version from the model that it keeps of itself, in one step, as SwiftData does."
  )
  var fromStoreModel = false

  @Flag(help: "Migrate even if a given mapping model isn't used.")
  var allowUnusedMappings = false

  @Flag(help: "Write nil for large values whose files are missing.")
  var allowLostValues = false

  @Flag(help: "Show the values that an error is about: the report may go to others.")
  var showValues = false

  @OptionGroup var limits: PolicyLimits

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var reports: FindingOptions

  @Flag(help: "With --json, report the time, memory and writes of the migration.")
  var usage = false

  @Flag(help: .hidden)
  var inMemory = false

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    let isProjectEnough = models == nil && scenario == nil && !ProjectModel.all().isEmpty
    guard isProjectEnough || (models == nil) != (scenario == nil) else {
      throw ValidationError("Give either --models or --scenario.")
    }
    let hasModelOptions =
      !route.mapping.mappings.isEmpty || !route.policy.policies.isEmpty
      || route.policy.module != nil || route.to != nil || direct || route.order != nil
      || allowUnusedMappings || fromStoreModel || !route.policy.stubs.stubs.isEmpty
    if scenario != nil, hasModelOptions {
      throw ValidationError(
        "--scenario brings its own mappings, policies and chain; leave out "
          + "--mappings, --policies, --module, --stubs, --order, --allow-unused-mappings, "
          + "--from-store-model, --to and --direct.")
    }
    try route.requirePoliciesWithModule()
    if output == nil, !explain {
      throw ValidationError(
        "Say with --output where the result goes; or --explain, which writes none.")
    }
    if explain, output != nil || usage || reports.machine.place != .none {
      throw ValidationError(
        "--explain prints statements alone: leave out --output, --json and --usage.")
    }
    if usage, reports.machine.place == .none {
      throw ValidationError("--usage needs --json: only that report has it.")
    }
  }

  func note(in files: inout CommandFiles) {
    files.useStores("the store", [store])
    files.useStores("--output", output.map { [$0] } ?? [])
    files.use("the model", models)
    route.note(in: &files)
    files.use("the scenario", scenario.map { [ScenarioAddress($0).path] } ?? [])
    reports.note(in: &files)
  }

  func perform() async throws -> ExitStatus {
    var job = MigrateJob(
      store: store, output: output ?? "", origin: try origin(),
      isForMachines: reports.machine.place != .none, isVerbose: terminal.verbose, tellsUsage: usage,
      isInMemory: inMemory, styleMark: TextStyle(for: STDOUT_FILENO).mark)
    job.allowsLostValues = allowLostValues
    job.takesStoreModel = fromStoreModel
    job.isExplained = explain
    job.showsValues = showValues
    let session = MigrateSession(
      job: job, outputs: reports.outputs, limits: limits.limits, isConfined: confinement.sandbox)
    return try await session.run()
  }

  private func origin() throws -> MigrateSession.Origin {
    if let scenario { return .scenario(scenario) }
    let files = try MigrationFiles(models: ProjectModel.path(models, ofStore: store), route)
    // Of what the project file lists Core Data, which takes one step, passes over the rest.
    return .files(
      files, target: route.to,
      path: ModelRouteFinder.Path(isDirect: direct, forModelAt: files.models),
      allowsUnusedMappings: allowUnusedMappings)
  }
}
