import ArgumentParser

struct CompareCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Migrates stores with the files of two commits of an app, and compares the results.",
    usage: "heavyweight compare --old <a> --new <b> [--models <path>] <store> ...",
    discussion: HelpText.laidOut(
      """
      For reviewing a change to a model, a mapping model or a policy: the same stores are migrated with \
      both, and differences are reported object by object, as by `heavyweight diff`.

      --old and --new take any name that git has for a commit, or a folder. A commit's files are written to \
      a temporary folder; the repository doesn't change. All other paths are looked up on both sides, from \
      the current folder as it was at the commit, or from the folder. Quote patterns, so that each side \
      expands them. What a project file, heavyweight.yaml, names is looked up on both sides, too: it is \
      today's file, with the models, mappings and policies of each side. Both migrations see the same time \
      and the same random numbers.

      EXAMPLES
        heavyweight compare --old main --new HEAD --models App.xcdatamodeld \\
          Stores/*.sqlite
                                       what a branch changes
        heavyweight compare --old v2.3 --new . --models App.xcdatamodeld \\
          --policies 'Policies/*.swift' --module App customer.sqlite
                                       a release, and the working tree
        heavyweight compare --old ../App-2.3 --new . --models App.xcdatamodeld \\
          customer.sqlite --json
                                       two folders, for machines

      EXIT STATUS
        0  every store gives the same result on both sides
        1  a store gives different results
        2  a store, a commit, a file or an argument is wrong, or policies don't compile
        5  a store is of no version on either side, so nothing was compared
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("store", "SQLite stores; none is written to."))
  var stores: [String]

  @Option(help: .taking("commit", "A commit, or a folder."))
  var old: String

  @Option(help: .taking("commit", "Another commit or folder."))
  var new: String

  @Option(help: .taking("path", "The model with all its versions (default: the project file's)."))
  var models: String?

  @OptionGroup var route: RouteOptions

  @Flag(help: "One step from the store's version to the last, instead of version by version.")
  var direct = false

  @OptionGroup var comparison: ComparisonOptions

  @OptionGroup var limits: PolicyLimits

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var reports: FindingOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    try route.requirePoliciesWithModule()
    try ProjectModel.require(models, as: "--models <path>")
  }

  func note(in files: inout CommandFiles) {
    files.useStores("a store", stores)
    reports.note(in: &files)
  }

  func perform() async throws -> ExitStatus {
    let paths = try stores.map {
      try CommitSession.Paths(models: models, ofStore: $0, route, isDirect: direct)
    }
    return try await CommitSession(command: self, allPaths: paths, paths: paths[0]).run()
  }
}
