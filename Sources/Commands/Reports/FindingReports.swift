// What commands beside `run` find, in the formats of machines that know nothing of them.

enum FindingJUnit: ReportFormat {
  static let destination = ReportDestination.file

  static func content(of found: ToldFindings) -> ReportContent {
    ReportContent(data: Data(found.junit.utf8))
  }
}

enum FindingPage: ReportFormat {
  static let destination = ReportDestination.page("index.html")

  static func content(of found: ToldFindings) -> ReportContent {
    ReportContent(data: Data((found.ownPage ?? found.page).utf8))
  }
}

enum FindingAnnotations: ReportFormat {
  static let destination = ReportDestination.standardOutput

  static func content(of found: ToldFindings) -> ReportContent {
    ReportContent(data: Data(found.annotations.utf8))
  }
}

extension ToldFinding {
  fileprivate var title: String { subject.isEmpty ? rule : "\(subject) [\(rule)]" }

  /// Message and advice.
  fileprivate var text: String { advice.map { "\(message)\ndo: \($0)" } ?? message }
}

extension ToldFindings {
  // MARK: JUnit

  /// A case for each finding, of which those fail that the command fails for; one that passed where there are none.
  var junit: String {
    let name = "heavyweight \(command) \(file)"
    let document = JUnitDocument()
    let cases = findings.map { finding in
      let text = finding.text.markupEscaped
      let element =
        finding.isFailing
        ? "<failure type=\"\(finding.rule.attributeEscaped)\" message=\"\(finding.message.attributeEscaped)\">\(text)</failure>"
        : "<system-out>\(finding.severity.rawValue): \(text)</system-out>"
      return document.testCase(finding.title, in: name, time: 0, ["      " + element])
    }
    let all = cases.isEmpty ? [document.testCase("nothing found", in: name, time: 0, [])] : cases
    let counts = JUnitDocument.Counts(
      tests: all.count, failures: findings.count(where: \.isFailing))
    return document.text(
      counts, time: 0, suites: [document.suite(name, in: name, counts, time: 0, cases: all)])
  }

  // MARK: GitHub

  /// Workflow commands: an error for each finding that fails, a warning or a notice for the others.
  var annotations: String {
    let commands = GitHubCommands()
    return findings.map { finding in
      let kind =
        finding.isFailing
        ? "error" : finding.severity == .note ? "notice" : finding.severity.rawValue
      return commands.command(
        kind, at: finding.place ?? FilePlace(file: file),
        title: "heavyweight \(command): \(finding.title)", message: finding.text) + "\n"
    }.joined()
  }
}
