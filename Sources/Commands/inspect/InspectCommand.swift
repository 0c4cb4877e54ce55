import ArgumentParser

struct InspectCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Shows which version a store is, what it contains, and what is wrong with it.",
    usage: "heavyweight inspect <store> [<options>]",
    discussion: HelpText.laidOut(
      """
      Nothing is written to the store or beside it; changes in a -wal file are read. Without \
      --models the rows are checked against the model that the store keeps of itself. Values of \
      rows and of the app's own metadata are never shown. docs/inspect.md lists all findings.

      EXAMPLES
        heavyweight inspect customer.sqlite            what the store itself shows
        heavyweight inspect customer.sqlite --models App.xcdatamodeld
                                                       and which version of the app wrote it
        heavyweight inspect customer.sqlite --models Payload/App.app
                                                       by the compiled models of an app bundle
        heavyweight inspect customer.sqlite --limit 100 --json
                                                       for machines, with up to 100 rows each

      EXIT STATUS
        0  nothing is wrong; notes don't count
        1  an error or a warning was found, or the store matches none of the versions
        2  the file isn't a store or can't be read, or an argument is wrong
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("store", "The SQLite store."))
  var store: String

  @Option(
    help: ArgumentHelp(
      "The versions it may be of: .xcdatamodeld, .xcdatamodel, .momd, .mom, or a folder or app "
        + "bundle with models.", valueName: "path"))
  var models: String?

  @Option(help: OrderHelp.text)
  var order: String?

  @Option(
    help: .taking(
      "version",
      "The version to which migrations in place are looked at against the file (default: current)."),
    completion: .versions)
  var to: String?

  @Option(help: .taking("count", "How many rows each finding names."))
  var limit = 5

  @OptionGroup var reports: FindingOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if order != nil, models == nil { throw ValidationError("--order needs --models.") }
    if to != nil, models == nil, ProjectModel.all().isEmpty {
      throw ValidationError("--to needs --models.")
    }
    guard limit >= 0 else { throw ValidationError("--limit can't be negative.") }
  }

  func note(in files: inout CommandFiles) {
    files.useStores("the store", [store])
    files.use("the model", models)
    reports.note(in: &files)
  }

  func perform() throws -> ExitStatus {
    let session = InspectSession(
      store: store, models: try models ?? ProjectModel.ifAny(), order: order.map { GivenOrder($0) },
      target: to, rowLimit: limit, outputs: reports.outputs)
    return try session.run()
  }
}
