import ArgumentParser
import Benching

struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a first scenario for the newest step of a model.",
    usage: "heavyweight init [<model>] [<folder>] [<options>]",
    discussion: HelpText.laidOut(
      """
      With sample rows for what the step changes, and with expectations that hold: change both into \
      what your users have and need. Mapping models and policies are looked for in the model's \
      folder.

      EXAMPLES
        heavyweight init App.xcdatamodeld               into the folder Scenarios
        heavyweight init App.xcdatamodeld Tests/Migrations
                                                        into another one
        heavyweight init App.xcdatamodeld --mappings Mappings \\
          --policies Sources/Migration/*.swift --module App
                                                        with files from elsewhere

      EXIT STATUS
        0  the scenario was written, and `heavyweight run` passes
        2  a file or an argument is wrong, or the scenario exists already; nothing was written
        7  done and fine, but the report couldn't be printed
      """))

  @Argument(
    help: ArgumentHelp(
      "An .xcdatamodeld, .xcdatamodel, .momd or .mom, or a folder with one.", valueName: "model"))
  var models: String?

  @Argument(help: ArgumentHelp("Where the scenario goes.", valueName: "folder"))
  var folder = "Scenarios"

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Mapping models, and folders of them.", valueName: "path"))
  var mappings: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("The app's migration policies in Swift.", valueName: "file"))
  var policies: [String] = []

  @Option(
    help: ArgumentHelp("The app's module, by which mappings name policies.", valueName: "name"))
  var module: String?

  @OptionGroup var stubs: StubOption

  @Option(help: OrderHelp.text)
  var order: String?

  @OptionGroup var limits: PolicyLimits

  @OptionGroup var confinement: SandboxOption

  func validate() throws { try ProjectModel.require(models) }

  func run() async throws {
    let code = try ProjectCode(policies: policies, module: module, stubs: stubs.stubs)
    let session = InitSession(
      models: try ProjectModel.path(models), folder: folder,
      mappings: mappings.isEmpty ? ProjectModel.mappings(nil) : mappings, policies: code.policies,
      module: code.module, stubs: code.stubs, order: order.map { GivenOrder($0) },
      limits: limits.limits,
      isConfined: confinement.sandbox)
    let status = await session.run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
