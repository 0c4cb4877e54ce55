/// What GitHub shows of failures beside the lines they are about, and on the page of the job.
package struct GitHubReport {
  let report: SuiteReport
  private let commands: GitHubCommands

  init(
    _ report: SuiteReport, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.report = report
    commands = GitHubCommands(environment: environment)
  }

  // MARK: Annotations

  /// Workflow commands, one a line: an error for each failure, a warning for each mapping that was
  /// passed over and each entity that was emptied, a notice for each scenario that was skipped, for what is
  /// to be said of one, and for each property that couldn't be compared.
  func annotations() -> String {
    (report.problems.flatMap(problem) + rows.flatMap(row) + report.skipped.map(notice)
      + report.results.groupedByScenario.flatMap(undetermined))
      .map { $0 + "\n" }.joined()
  }

  /// The runs of all scenarios, those of backends and starts that failed alike once: GitHub shows ten annotations.
  private var rows: [RunTable.Row] {
    report.results.groupedByScenario.flatMap { RunTable($0).rows.filter { $0.sameAs == nil } }
  }

  private func row(_ row: RunTable.Row) -> [String] {
    guard let result = row.results.first else { return [] }
    let backends = row.results.map(\.id.backend)
    let stale = result.executedSteps.flatMap(\.stale).map { mapping in
      command(
        "warning", file: result.id.path, line: nil, column: nil,
        title: "\(result.id.title): a mapping model isn't used", message: "\(mapping)")
    }
    let emptied = result.executedSteps.flatMap { step in
      step.emptied.map { entity in
        command(
          "warning", file: result.id.path, line: nil, column: nil,
          title: "\(result.id.title): an entity is emptied", message: "\(step.name): \(entity)")
      }
    }
    return stale + emptied + result.failures.compactMap { codeLine(of: $0, in: result) }
      + result.failures.map { failure in
        let text = FailureText(failure: failure, result: result, backends: backends)
        let names = backends.map(\.rawValue).joined(separator: ", ")
        return command(
          "error", file: failure.place?.file.path ?? result.id.path, line: failure.place?.line,
          column: failure.place?.column, title: "\(result.id.title) (\(names))",
          message: (text.lines().dropFirst() + row.laterLines).reduce(text.title) { "\($0)\n\($1)" }
        )
      }
  }

  /// The line of an app's code that a run crashed in, or that met its error.
  private func codeLine(of failure: Failure, in result: RunResult) -> String? {
    guard [.crash, .error].contains(failure.kind), let code = failure.code, let line = code.line
    else { return nil }
    return command(
      "error", file: code.file, line: line, column: nil,
      title: "\(result.id.title): \(failure.kind.rawValue)",
      message: "\(failure.found)\n\(code.method ?? failure.subject)")
  }

  private func undetermined(_ results: [RunResult]) -> [String] {
    let (path, title) = (results[0].id.path, results[0].id.title)
    let notes = results[0].notes.map {
      command("notice", file: path, line: nil, column: nil, title: title, message: $0)
    }
    return notes
      + results.undetermined.map { property in
        command(
          "notice", file: path, line: nil, column: nil,
          title: "\(title): \(property.name) isn't compared", message: property.text)
      }
  }

  private func problem(_ problem: SuiteReport.Problem) -> [String] {
    if problem.diagnostics.isEmpty {
      let whole = command(
        "error", file: problem.file, line: nil, column: nil, title: "can't be run",
        message: problem.text)
      return [whole]
        + problem.compilerErrors.map { error in
          command(
            "error", file: error.file ?? problem.file, line: error.line, column: error.column,
            title: "doesn't compile", message: error.message)
        }
    }
    return problem.diagnostics.map { diagnostic in
      command(
        "error", file: diagnostic.file, line: diagnostic.place?.line,
        column: diagnostic.place?.column, title: "can't be run", message: diagnostic.message)
    }
  }

  private func notice(_ skipped: SuiteReport.Skipped) -> String {
    command(
      "notice", file: skipped.path, line: skipped.line, column: nil,
      title: "\(skipped.title) is skipped", message: skipped.reason)
  }

  private func command(
    _ kind: String, file: String, line: Int?, column: Int?, title: String, message: String
  ) -> String {
    commands.command(
      kind, at: FilePlace(file: file, line: line, column: column), title: title, message: message)
  }

  // MARK: Summary

  /// Markdown for the page of the job.
  func summary() -> String {
    let verdict = SuiteVerdict(report)
    var lines = ["## \(verdict.isPassed ? "✅" : "❌") \(verdict.text)", ""]
    let failures = rows.filter { !$0.isPassed }
    if !failures.isEmpty || !report.problems.isEmpty {
      lines += ["| scenario | what | expected | found |", "|---|---|---|---|"]
      lines += report.problems.map { "| \(cell($0.path)) | can't be run | | \(cell($0.text)) |" }
      lines += failures.flatMap(summary)
      lines.append("")
    }
    lines += report.results.groupedByScenario.flatMap { results in
      results.notes.map { "- \(MarkdownText.escaped("\(results[0].id.title): \($0)"))" }
    }
    lines += report.absenceLines.map { "- \(MarkdownText.escaped($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func summary(_ row: RunTable.Row) -> [String] {
    guard let result = row.results.first else { return [] }
    let names = row.results.map(\.id.backend.rawValue).joined(separator: ", ")
    return result.failures.map { failure in
      let text = FailureText(failure: failure, result: result)
      let place = "\(cell(result.id.title))<br>\(cell(relativePlace(failure, result)))"
      return "| \(place) | \(cell(text.title)) (\(names)) | \(cell(failure.expected)) "
        + "| \(cell(failure.found)) |"
    }
  }

  private func relativePlace(_ failure: Failure, _ result: RunResult) -> String {
    let file = commands.relative(failure.place?.file.path ?? result.id.path)
    return failure.place.map { "\(file):\($0.line)" } ?? file
  }

  private func cell(_ text: String) -> String {
    MarkdownText.escaped(text).replacing("\n", with: "<br>")
  }
}

extension GitHubReport: ReportFormat {
  package static let destination = ReportDestination.standardOutput

  package static func content(of report: SuiteReport) -> ReportContent {
    let environment = ProcessInfo.processInfo.environment
    let gitHub = GitHubReport(report, environment: environment)
    var content = ReportContent(data: Data(gitHub.annotations().utf8))
    if let file = environment["GITHUB_STEP_SUMMARY"], !file.isEmpty {
      content.additions = [(file, Data(gitHub.summary().utf8))]
    }
    return content
  }
}
