import ArgumentParser

struct CheckCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Checks the versions of a model, and the steps between them.",
    usage: "heavyweight check [<model> ...] [<options>]",
    discussion: HelpText.laidOut(
      """
      Every version to the next, and every version to the current one: lightweight, by which mapping \
      model, or impossible and why. Then what would be lost or fail, and what is wrong with \
      versions and mapping models themselves. docs/check.md lists all rules.

      EXAMPLES
        heavyweight check App.xcdatamodeld
        heavyweight check App.xcdatamodeld --mappings Mappings
                                       with the mapping models in a folder
        heavyweight check My.app --mappings My.app
                                       an app as it is shipped, compiled models and mapping models
        heavyweight check Fixtures     a store of each shipped version, or: 1.0.store 2.0.store
        heavyweight check App.xcdatamodeld --strict --accepted accepted.yaml
                                       warnings fail, too, and removed entities and properties, \
      except those that the file accepts
        heavyweight check App.xcdatamodeld --strict --accept 'Old versions, long gone.'
                                       accepts all that fails now
        heavyweight check App.xcdatamodeld --since 'App 7' --progressive
                                       newer steps only, in an app that migrates version by version
        heavyweight check App.xcdatamodeld --cloudkit
                                       whether NSPersistentCloudKitContainer takes the current version
        heavyweight check App.xcdatamodeld --json
                                       versions, hashes, verdicts and findings for machines

      Accepted findings are listed in a file \(SilenceFile.name) beside the model:
        accepted:
          - rule: removed-property
            step: Model 3 -> Model 4     # or version: Model 3
            entity: Order
            property: total
            reason: The server computes it now.

      EXIT STATUS
        0  no errors; with --strict no warnings and no removed entities or properties either
        1  there are
        2  a file or an argument is wrong
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(
    help: ArgumentHelp(
      "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a folder with one; or a store for each version, or a folder "
        + "of them.", valueName: "model"))
  var models: [String] = []

  @OptionGroup var mapping: MappingOptions

  @OptionGroup var acceptance: AcceptanceOptions

  @Option(help: OrderHelp.text)
  var order: String?

  @OptionGroup var range: VersionRange

  @Flag(
    help: "The app itself migrates version by version: don't check single steps to the current one."
  )
  var progressive = false

  @Flag(help: "Fail on warnings and on removed entities and properties, too.")
  var strict = false

  @Option(
    defaultAsFlag: CloudKitRules.whole,
    help: .taking(
      "configuration",
      "Check what CloudKit takes, too, of this configuration; those that the model marks are always checked."
    ))
  var cloudkit: String?

  @OptionGroup var reports: FindingOptions

  @OptionGroup var terminal: TerminalOptions

  func validate() throws { try ProjectModel.require(models.first) }

  func note(in files: inout CommandFiles) {
    files.useStores("the model", models)
    files.use("a mapping model", mapping.mappings)
    acceptance.note(in: &files)
    reports.note(in: &files)
  }
}
