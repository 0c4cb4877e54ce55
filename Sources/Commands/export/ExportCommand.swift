import ArgumentParser

struct ExportCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes scenarios as tests of Core Data, for a Mac to judge them.",
    usage: "heavyweight export <scenario> ... [<options>]",
    discussion: HelpText.laidOut(
      """
      The tests use Apple's API alone: they build the models in code, insert what is seeded, migrate, and print each \
      difference as the scenario would. What can't be said so is a comment in the file, and a line here. Nothing is \
      run. docs/export.md has examples.

      EXAMPLES
        heavyweight export Scenarios/Tags --xctest TagsTests.swift
                                       one file for a test target of the app's
        heavyweight export Scenarios --package Exported
                                       a Swift package: on a Mac, 'swift test' runs all of it

      EXIT STATUS
        0  written
        1  nothing could be exported
        2  a scenario or an argument is wrong
      \(ExitStatus.possibleEverywhere)
      """))

  @Argument(
    help: .taking("scenario", "Scenario files, addresses, or folders."), completion: .scenarios)
  var scenarios: [String]

  @Option(help: .taking("file", "The file to write, with XCTest."))
  var xctest: String?

  @Option(help: .taking("file", "The file to write, with Swift Testing."))
  var swiftTesting: String?

  @Option(
    help: .taking(
      "folder", "The folder to make a Swift package in, with the policies that the scenarios name.")
  )
  var package: String?

  @Option(
    help: .taking(
      "name",
      "Read the models from the app's bundle, by the name of its .momd, instead of building them in code."
    ))
  var bundle: String?

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if [xctest, swiftTesting, package].compactMap(\.self).count != 1 {
      throw ValidationError("Name one of --xctest, --swift-testing and --package.")
    }
    if bundle != nil, package != nil {
      throw ValidationError("--bundle is for a test target of the app's, and not for --package.")
    }
  }

  func note(in files: inout CommandFiles) {
    for scenario in scenarios { files.use("a scenario", ScenarioAddress(scenario).path) }
    files.use("--xctest", xctest)
    files.use("--swift-testing", swiftTesting)
  }

  func perform() throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    return try ExportSession(command: self).run()
  }
}
