/// A page for a browser: one file that needs no other, and no network.
package struct HTMLReport {
  let report: SuiteReport
  var date = Date()

  func text() -> String {
    let verdict = SuiteVerdict(report)
    return HTMLPage.text(
      title: "\(verdict.text.markupEscaped) · Heavyweight", isGood: verdict.isPassed,
      body: """
        \(header(verdict))
        \(controls)
        <main id="scenarios">
        \(sections.joined(separator: "\n"))
        <p id="empty" hidden>No scenario matches.</p>
        \(slowest)
        </main>
        """,
      script: HTMLPage.script)
  }

  // MARK: Top

  private func header(_ verdict: SuiteVerdict) -> String {
    let counts = report.counts
    let numbers: [(String, Int, String)] = [
      ("Scenarios", counts.scenarios, ""), ("Runs", counts.runs, ""),
      ("Passed", counts.passed, "good"), ("Failed", counts.failed, "bad"),
      ("Not runnable", counts.notRunnable, "bad"), ("Skipped", counts.skipped, "notable"),
    ]
    return HTMLPage.header(
      "Heavyweight · Core Data migrations", verdict: verdict.text.markupEscaped,
      isGood: verdict.isPassed,
      meta: "\(HTMLPage.time(date)) · took \(TimeText.text(report.seconds))",
      tiles: numbers.filter { $0.1 > 0 || ["Runs", "Failed"].contains($0.0) }, below: absences)
  }

  private var absences: String {
    if report.leftOut.isEmpty { return "" }
    let items = report.leftOut.map {
      "<li>\($0.count) left out by <code>\($0.option.markupEscaped)</code></li>"
    }
    return "<ul class=\"absences\">\(items.joined())</ul>"
  }

  private var controls: String {
    HTMLPage.controls(
      "scenarios", hint: "Search titles, paths, entities, errors",
      [("failed", "Failed"), ("passed", "Passed"), ("skipped", "Skipped")].filter {
        sectionStates.contains($0.0)
      })
  }

  // MARK: Scenarios

  private var sectionStates: Set<String> {
    var states: Set<String> = []
    for group in report.results.groupedByScenario {
      states.insert(group.allSatisfy(\.isPassed) ? "passed" : "failed")
    }
    if !report.problems.isEmpty { states.insert("failed") }
    if !report.skipped.isEmpty { states.insert("skipped") }
    return states
  }

  /// What failed comes first, each kind in the order of the report.
  private var sections: [String] {
    let groups = report.results.groupedByScenario.enumerated().map { ($0.offset, $0.element) }
    let failed = groups.filter { !$0.1.allSatisfy(\.isPassed) }
    let passed = groups.filter { $0.1.allSatisfy(\.isPassed) }
    return report.problems.map(section)
      + (failed + passed).map { HTMLScenario($1, number: $0).text() }
      + report.skipped.map(section)
  }

  private func section(_ problem: SuiteReport.Problem) -> String {
    HTMLScenario.section(
      of: problem.path, state: "failed", mark: "✗", title: problem.path, path: "can't be run",
      isOpen: true,
      body: "<pre>\(problem.text.markupEscaped)</pre>")
  }

  private func section(_ skipped: SuiteReport.Skipped) -> String {
    HTMLScenario.section(
      of: "\(skipped.address)", state: "skipped", mark: "–", title: skipped.title,
      path: "\(skipped.address)",
      isOpen: false,
      body: "<p>Skipped: \(skipped.reason.markupEscaped)</p>")
  }

  // MARK: Bottom

  private var slowest: String {
    let times = report.results.slowestScenarios(5)
    guard let most = times.first?.seconds else { return "" }
    let rows = times.map { time in
      """
      <tr><th scope="row">\(time.title.markupEscaped)</th><td><span class="bar" style="--part:\
      \(Int((100 * time.seconds / max(most, 1e-9)).rounded()))%"></span></td>\
      <td class="number">\(TimeText.text(time.seconds))</td></tr>
      """
    }
    return """
      <section class="slowest"><h2>Slowest scenarios</h2><table><tbody>\(rows.joined())</tbody>\
      </table></section>
      """
  }
}

extension HTMLReport: ReportFormat {
  package static let destination = ReportDestination.page("index.html")

  package static func content(of report: SuiteReport) -> ReportContent {
    ReportContent(data: Data(HTMLReport(report: report).text().utf8))
  }
}
