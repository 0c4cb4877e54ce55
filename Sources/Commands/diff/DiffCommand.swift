import ArgumentParser

struct DiffCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares the content of two stores: objects, values and links.",
    usage: "heavyweight diff <a> <b> [<options>]",
    discussion: HelpText.laidOut(
      """
      The stores may have different primary keys and model versions: objects are matched by what \
      identifies them, and everything that both models have is compared. Neither store is written to.

      An identity rule is Entity=property,relationship.property, or Entity=.row for primary keys, or \
      Entity=.content, and holds for subentities too; a YAML file has a map of such rules. Without \
      a rule, objects are matched by a uniqueness constraint, else by an attribute that looks \
      like an identifier and is unique in both stores, else by primary key where that fits, else by \
      their content.

      EXAMPLES
        heavyweight diff old.sqlite new.sqlite          with the models that the stores keep
        heavyweight diff old.sqlite new.sqlite --models App.xcdatamodeld
                                                        for stores that keep none
        heavyweight diff old.sqlite new.sqlite --identity Event=timestamp,latitude
                                                        events are the same at one time and place
        heavyweight diff old.sqlite new.sqlite \\
          --ignore Event.modifiedAt --ignore Cache
                                                        without what always differs
        heavyweight diff old.sqlite new.sqlite --json --all
                                                        every difference, for machines

      EXIT STATUS
        0  equal, as far as both models can hold the same
        1  different
        2  a store, a model, a rule or an argument is wrong
        5  nothing was compared: every entity is ignored, or the models have none in common
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(help: .taking("a", "The first store."))
  var a: String

  @Argument(help: .taking("b", "The second store."))
  var b: String

  @Option(
    help: .taking(
      "path",
      "A model in any form with the stores' versions, or a folder with models; repeat for several.")
  )
  var models: [String] = []

  @OptionGroup var comparison: ComparisonOptions

  @OptionGroup var reports: FindingOptions

  @OptionGroup var terminal: TerminalOptions

  func note(in files: inout CommandFiles) {
    files.useStores("a store", [a, b])
    files.use("a model", models)
    reports.note(in: &files)
  }

  func perform() throws -> ExitStatus {
    let session = DiffSession(
      stores: Both(a, b), models: models.isEmpty ? ProjectModel.all() : models,
      identity: comparison.identity,
      options: comparison.options, outputs: reports.outputs)
    return try session.run()
  }
}
