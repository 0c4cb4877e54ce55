import ArgumentParser

struct ModelCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Writes the model in a store, or in any other form, as Xcode's files or in short.",
    usage: "heavyweight model [<model> ...] [<options>]",
    discussion: HelpText.laidOut(
      """
      Of several stores, or of a folder of stores, each with other version hashes is a version, named like the store. What \
      is written is read back: what Xcode's files have no form for, and what the source doesn't have, is told. \
      docs/model.md has examples.

      EXAMPLES
        heavyweight model 1.0.store    what is in it
        heavyweight model 1.0.store -o App.xcdatamodeld
                                       the model that the store keeps, for Xcode
        heavyweight model Fixtures -o App.xcdatamodeld --current 2.0
                                       a version for each shipped store
        heavyweight model My.app -o App.xcdatamodeld
                                       the models of an app as it is shipped
        heavyweight model 1.0.store --notation
                                       for 'models' of a scenario

      EXIT STATUS
        0  written, or told
        2  a file or an argument is wrong; of several stores the others are done
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(
    help: .taking(
      "model",
      "A store or several, an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a folder of stores or with a model."
    ))
  var models: [String] = []

  @Option(name: [.customShort("o"), .long], help: .taking("folder", "The .xcdatamodeld to write."))
  var output: String?

  @Option(
    help: .taking(
      "version", "The version that is the current one (default: as the model says, else the last).")
  )
  var current: String?

  @Flag(help: "Replace an .xcdatamodeld that is there.")
  var force = false

  @Flag(help: "Print the versions in the notation of scenario files.")
  var notation = false

  @OptionGroup var machine: JSONOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    try ProjectModel.require(models.first)
    if notation, output != nil || machine.json != nil {
      throw ValidationError("--notation goes to standard output, without -o and --json.")
    }
    if force, output == nil { throw ValidationError("--force needs -o.") }
    if let output, URL(fileURLWithPath: output).pathExtension != "xcdatamodeld" {
      throw ValidationError("-o takes the name of an .xcdatamodeld.")
    }
  }

  func note(in files: inout CommandFiles) {
    files.useStores("the model", models)
    machine.note(in: &files)
  }

  func perform() throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    let paths = models.isEmpty ? [try ProjectModel.path(nil)] : models
    let urls = paths.map { URL(fileURLWithPath: $0) }
    let loaded = try StoreModel.loadModel(orStoresAt: urls)
    if let current { try loaded.requireVersion(current, of: "--current") }
    let model = loaded.ordered(current: current)
    if notation {
      let text = ModelNotation.lines(of: model.versions).map { $0 + "\n" }.joined()
      return Console.publish(text, .passed)
    }
    let report = try ModelReport(model, shownAs: paths.joined(separator: ", "), output: output)
    if let output { try report.write(to: output, replacing: force, from: urls) }
    return try machine.outputs.publish(report)
  }
}
