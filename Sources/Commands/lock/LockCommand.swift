import ArgumentParser

struct LockCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Keeps a manifest of a model's released versions, and reports changes to them.",
    usage: "heavyweight lock [<model>] [<options>]",
    discussion: HelpText.laidOut(
      """
      A released version must stay as it is: an edit makes it a different version, which existing \
      stores don't match. The manifest is next to the model and belongs under version control.

      EXAMPLES
        heavyweight lock App.xcdatamodeld
                                       writes App.xcdatamodeld.lock.json: all versions up to the \
      current one
        heavyweight lock App.xcdatamodeld --check
                                       in CI: was a released version edited or deleted, did the \
      current one move back, is there a step from each to the next?
        heavyweight lock App.xcdatamodeld --stores 'Fixtures/*.sqlite'
                                       with the stores that shipped versions left: each must match a version
        heavyweight lock App.xcdatamodeld --accept 'Version 3 never shipped.'
                                       compares, and accepts what fails now
        heavyweight lock App.xcdatamodeld --check --since 'App 7'
                                       without steps from older versions
        heavyweight lock App.xcdatamodeld --check --mappings Mappings
                                       with mapping models for steps that can't be inferred

      EXIT STATUS
        0  the manifest was written; or nothing that was released changed
        1  something did, a step is impossible, or versions can't be told apart
        2  a file or an argument is wrong
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(
    help: .taking("model", "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a folder with one."))
  var models: String?

  @Flag(help: "Compare with the manifest, and write nothing.")
  var check = false

  @Option(
    name: [.customShort("o"), .long],
    help: .taking("file", "The manifest (default: beside the model, <model>.lock.json)."))
  var output: String?

  @OptionGroup var stores: StoreOptions

  @OptionGroup var mapping: MappingOptions

  @OptionGroup var acceptance: AcceptanceOptions

  @Flag(
    help: "With --check: the current version needn't be locked, for who locks at the release.")
  var allowUnlocked = false

  @Option(help: OrderHelp.text)
  var order: String?

  @OptionGroup var range: VersionRange

  @Flag(help: "As for check; lock never checks single steps to the current version.")
  var progressive = false

  @OptionGroup var reports: FindingOptions

  var isCheck: Bool { check || acceptance.accept != nil }

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    try ProjectModel.require(models)
    if allowUnlocked, !isCheck { throw ValidationError("--allow-unlocked needs --check.") }
    if !stores.stores.isEmpty, isCheck {
      throw ValidationError("--stores records stores: leave out --check and --accept.")
    }
    if range.since != nil, !isCheck { throw ValidationError("--since needs --check.") }
    if acceptance.accepted != nil, !isCheck { throw ValidationError("--accepted needs --check.") }
  }

  /// The manifest that was named, or the one beside the model that was.
  private var manifest: String? {
    output ?? models.map { ModelLock.defaultPlace(forModelAt: URL(fileURLWithPath: $0)).path }
  }

  func note(in files: inout CommandFiles) {
    files.use("the model", models)
    stores.note(in: &files)
    files.use("a mapping model", mapping.mappings)
    files.use("the manifest", manifest)
    acceptance.note(in: &files)
    reports.note(in: &files)
  }

  func perform() async throws -> ExitStatus {
    try await ProjectModel.each(models, takesOne: output != nil, into: reports.outputs) {
      try LockSession(command: self, models: $0).run()
    }
  }
}
