/// A report in the XML of JUnit, as Jenkins, GitLab and others read it: a suite for each scenario, a
/// case for each run.
package struct JUnitReport {
  let report: SuiteReport
  /// When the runs began.
  var date = Date()
  /// The machine they ran on.
  var host = JUnitDocument.hostName

  private var document: JUnitDocument { JUnitDocument(date: date, host: host) }

  func text() -> String {
    let suites = report.results.groupedByScenario.map(suite) + absent
    let counts = JUnitDocument.Counts(
      tests: report.results.count + report.problems.count + report.skipped.count,
      failures: report.failedResults.count, errors: report.problems.count,
      skipped: report.skipped.count)
    return document.text(counts, time: report.seconds, suites: suites)
  }

  // MARK: Suites

  private func suite(_ results: [RunResult]) -> String {
    let id = results[0].id
    let counts = JUnitDocument.Counts(
      tests: results.count, failures: results.count { !$0.isPassed })
    return document.suite(
      id.title, in: package("\(id.address)"), counts, time: results.reduce(0) { $0 + $1.seconds },
      cases: results.map(testCase))
  }

  /// Scenarios that weren't run, with the reason.
  private var absent: [String] {
    report.problems.map { problem in
      let element = """
              <error type="not runnable" message="\(firstLine(problem.text))">\
        \(problem.text.markupEscaped)</error>
        """
      return document.suite(
        problem.path, in: package(problem.path), .init(tests: 1, errors: 1), time: 0,
        cases: [
          document.testCase("the scenario", in: package(problem.path), time: 0, [element])
        ])
    }
      + report.skipped.map { skipped in
        let element = "      <skipped message=\"\(skipped.reason.attributeEscaped)\"/>"
        let package = package("\(skipped.address)")
        return document.suite(
          skipped.title, in: package, .init(tests: 1, skipped: 1), time: 0,
          cases: [document.testCase("the scenario", in: package, time: 0, [element])])
      }
  }

  // MARK: Cases

  private func testCase(_ result: RunResult) -> String {
    let id = result.id
    var elements = failure(of: result).map { [$0] } ?? []
    let remarks = result.executedSteps.flatMap { step in
      step.remarks.map { "\(step.name): \($0)\n" }
    }
    let notes = [result].notes.map { "note: \($0)\n" }
    let output = (remarks + notes).joined() + result.output
    if !output.isEmpty {
      elements.append("      <system-out>\(output.markupEscaped)</system-out>")
    }
    let start = id.hasSeveralStarts ? "from \(id.start), " : ""
    return document.testCase(
      "\(start)\(id.backend.rawValue)", in: package("\(id.address)"), time: result.seconds, elements
    )
  }

  /// All failures of a run in one element: viewers read the first of a case, and some schemas allow no
  /// second.
  private func failure(of result: RunResult) -> String? {
    guard let first = result.failures.first else { return nil }
    let count = result.failures.count - 1
    let more = count > 0 ? " (and \(count) more)" : ""
    let message = "\(first.subject): expected \(first.expected), found \(first.found)\(more)"
    let texts = result.failures.map { failure in
      FailureText(failure: failure, result: result).lines().joined(separator: "\n")
    }
    return """
            <failure type="\(first.kind.rawValue.attributeEscaped)" \
      message="\(message.attributeEscaped)">\(texts.joined(separator: "\n\n").markupEscaped)\
      </failure>
      """
  }

  // MARK: Words

  /// The path as a package, by which viewers group: `Scenarios.Tags.Short`.
  private func package(_ path: String) -> String {
    let bare = ScenarioFinder.suffixes.reduce(path) { $0.replacing($1, with: "") }
    return bare.split(separator: "/").joined(separator: ".")
  }

  private func firstLine(_ text: String) -> String {
    String(text.prefix { $0 != "\n" }).attributeEscaped
  }
}

extension JUnitReport: ReportFormat {
  package static let destination = ReportDestination.file

  package static func content(of report: SuiteReport) -> ReportContent {
    ReportContent(data: Data(JUnitReport(report: report).text().utf8))
  }
}

/// The XML that all reports for such readers are made of.
struct JUnitDocument {
  /// When what is told began.
  var date = Date()
  /// The machine on which it ran.
  var host = JUnitDocument.hostName

  /// How many cases there are, and how they ended.
  struct Counts {
    var tests: Int
    var failures = 0
    var errors = 0
    var skipped = 0

    fileprivate var attributes: String {
      " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\""
    }
  }

  func text(_ counts: Counts, time: Double, suites: [String]) -> String {
    """
    \(ReportForm.junitStart)\(counts.attributes) time="\(seconds(time))">
    \(suites.joined(separator: "\n"))
    </testsuites>

    """.replacing("\n\n</testsuites>", with: "\n</testsuites>")
  }

  func suite(
    _ name: String, in package: String, _ counts: Counts, time: Double, cases: [String]
  ) -> String {
    """
      <testsuite name="\(name.attributeEscaped)" package="\(package.attributeEscaped)"\(counts.attributes) \
    skipped="\(counts.skipped)" time="\(seconds(time))" timestamp="\(timestamp)" \
    hostname="\(host.attributeEscaped)">
    \(cases.joined(separator: "\n"))
      </testsuite>
    """
  }

  func testCase(
    _ name: String, in package: String, time: Double, _ elements: [String]
  ) -> String {
    let head = """
          <testcase name="\(name.attributeEscaped)" classname="\(package.attributeEscaped)" \
      time="\(seconds(time))"
      """
    return elements.isEmpty
      ? head + "/>" : ([head + ">"] + elements + ["    </testcase>"]).joined(separator: "\n")
  }

  private func seconds(_ value: Double) -> String {
    String(format: "%.3f", locale: Locale(identifier: "en_US_POSIX"), value)
  }

  /// Without a zone, as the schemas want it.
  private var timestamp: String { String(date.ISO8601Format().prefix(19)) }

  /// As the machine calls itself; nobody else is asked.
  static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
