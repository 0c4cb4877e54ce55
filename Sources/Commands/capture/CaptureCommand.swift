import ArgumentParser

struct CaptureCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Writes a scenario from a store's contents and the result of its migration.",
    usage: "heavyweight capture <store> [--models <path>] -o <folder> [<options>]",
    discussion: HelpText.laidOut(
      """
      The store's objects become rows of a seed, and what `heavyweight migrate` makes of them, or the \
      error that it ends with, becomes what the scenario expects: it passes now, and will pass \
      until a change alters the result for a customer's store. The store is never written to.

      With --anonymize all texts, data, dates, UUIDs, URIs and large numbers are replaced by others that \
      are related in the same way, and every byte of the result is searched for the store's values. \
      If anything is found, there is no result.

      EXAMPLES
        heavyweight capture customer.sqlite --models App.xcdatamodeld -o Reports/17
                                       a scenario in a new folder
        heavyweight capture customer.sqlite --models App.xcdatamodeld \\
          --mappings Mappings --policies Policies/*.swift --module App -o Reports/17
                                       with mapping models and policies
        heavyweight capture customer.sqlite --models App.xcdatamodeld -o Reports/17 \\
          --anonymize --unchanged Song.kind,Album.format
                                       without the customer's data
        heavyweight capture customer.sqlite --models App.xcdatamodeld -o Reports/17 \\
          --reduce --anonymize         a migration that fails: the few rows
                                       that it fails with, without the data

      EXIT STATUS
        0  the scenario was written, and `heavyweight run` passes
        2  the store, another file or an argument is wrong, or its result can't be \
      reproduced; nothing was written
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("store", "The SQLite store."))
  var store: String

  @Option(help: .taking("path", "The model with all its versions."))
  var models: String?

  @Option(
    name: [.customShort("o"), .long],
    help: .taking("folder", "The folder to make; it must be missing or empty."))
  var output: String

  @OptionGroup var route: RouteOptions

  @Flag(help: "One step from the store's version to the last, instead of version by version.")
  var direct = false

  @Flag(help: "Replace the customer's values, and prove that none are left.")
  var anonymize = false

  @Option(
    help: .taking(
      "Entity.attribute,…", "Attributes to keep as they are, separated by commas; repeat for more.")
  )
  var unchanged: [String] = []

  @Flag(
    help:
      "Keep only the rows that the migration's error needs, as heavyweight reduce finds them.")
  var reduce = false

  @OptionGroup var limits: PolicyLimits

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var reports: JSONOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    try ProjectModel.require(models, as: "--models <path>")
    try route.requirePoliciesWithModule()
    if !unchanged.isEmpty, !anonymize {
      throw ValidationError("--unchanged needs --anonymize: it names values that stay as they are.")
    }
  }

  func note(in files: inout CommandFiles) {
    files.useStores("the store", [store])
    files.use("the model", models)
    route.note(in: &files)
    reports.note(in: &files)
  }

  func perform() async throws -> ExitStatus {
    let files = try MigrationFiles(models: ProjectModel.path(models, ofStore: store), route)
    let job = CaptureJob(
      store: store, files: files, target: route.to,
      path: ModelRouteFinder.Path(isDirect: direct, forModelAt: files.models), output: output,
      workplace: "",
      isAnonymized: anonymize,
      kept: unchanged.flatMap { $0.split(separator: ",").map { String($0) } })
    return try await perform(job)
  }
}
