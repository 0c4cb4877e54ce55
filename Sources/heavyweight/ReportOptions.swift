import ArgumentParser
import Reports

/// The reports that `run` writes beside the one for a person: the list of their formats.
struct ReportOptions: ParsableArguments {
  @OptionGroup var machine: JSONOption

  @Option(
    help: ArgumentHelp(
      "Write a report in JUnit's XML to this file; - for stdout.", valueName: "file"))
  var junit: String?

  @Option(
    help: ArgumentHelp("Write a page for a browser into this folder.", valueName: "folder"))
  var html: String?

  @Flag(help: "Show failures at their lines on GitHub, and a summary on the page of the job.")
  var github = false

  var outputs: ReportOutputs {
    ReportOutputs(
      [
        machine.json.map { ReportOutput(JSONReport.self, "--json", to: $0) },
        junit.map { ReportOutput(JUnitReport.self, "--junit", to: $0) },
        html.map { ReportOutput(HTMLReport.self, "--html", to: $0) },
        github ? ReportOutput(GitHubReport.self, "--github") : nil,
      ].compactMap(\.self))
  }

  func validate() throws {
    if let contradiction = outputs.contradiction { throw ValidationError(contradiction) }
  }
}
