import ArgumentParser

/// The reports that `run` writes beside the one for a person: the list of their formats.
struct ReportOptions: ParsableArguments {
  @OptionGroup var machine: JSONOption

  @Option(help: .taking("file", "Write a report to this file, as JUnit XML; - for stdout."))
  var junit: String?

  @Option(help: .taking("folder", "Write a page for a browser into this folder."))
  var html: String?

  @Flag(help: "Annotate failures on GitHub, at file and line, with a summary on the job's page.")
  var github = false

  var outputs: ReportOutputs<SuiteReport> {
    ReportOutputs(
      [
        machine.json.map { ReportOutput(JSONReport.self, "--json", to: $0) },
        junit.map { ReportOutput(JUnitReport.self, "--junit", to: $0) },
        html.map { ReportOutput(HTMLReport.self, "--html", to: $0) },
        github ? ReportOutput(GitHubReport.self, "--github") : nil,
      ].compactMap(\.self))
  }

  func note(in files: inout CommandFiles) {
    machine.note(in: &files)
    files.report("--junit", to: junit, as: .junit)
    files.page("--html", in: html)
  }

  func validate() throws {
    if let contradiction = outputs.contradiction { throw ValidationError(contradiction) }
  }
}
