/// A report for a person at a terminal.
package struct TextReport: Sendable {
  /// How much is told of what passed.
  package enum Detail: Sendable {
    /// Nothing.
    case quiet
    /// Its steps.
    case usual
    /// Entity mappings and hooks, too.
    case verbose
  }
  let style: TextStyle
  let detail: Detail
  /// The column after the titles, where paths begin.
  private let titleWidth: Int
  /// Whether there is so much that what passed is only counted.
  private let isBrief: Bool
  /// The command that plays what failed; nil where there is none.
  var again: String?

  /// - Parameters:
  ///   - titles: Of all scenarios that there will be, so that their paths align.
  ///   - runs: How many runs there will be.
  package init(style: TextStyle, detail: Detail = .usual, titles: [String] = [], runs: Int = 0) {
    self.style = style
    self.detail = detail
    isBrief = detail == .quiet || detail == .usual && runs > Self.mostListed
    titleWidth = min(titles.map(\.count).max() ?? 0, Self.widestTitle)
  }

  private static let widestTitle = 72
  /// How many runs are told one by one where all pass, and how many that failed are listed once more.
  private static let mostListed = 24

  static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

  /// What follows the scenarios: those that can't be run, and the summary.
  func ending(_ report: SuiteReport) -> [String] {
    var lines: [String] = []
    for problem in report.problems {
      lines.append("\(style.bad("✗")) \(style.strong(problem.path)) can't be run")
      lines += problem.text.split(separator: "\n").map { "    \($0)" }
    }
    return lines + summary(report)
  }

  /// The runs of one scenario, without a summary.
  package func text(ofScenario results: [RunResult]) -> String {
    Self.text(scenario(results))
  }

  // MARK: One scenario

  /// The runs of one scenario.
  func scenario(_ results: [RunResult]) -> [String] {
    guard let first = results.first else { return [] }
    let isPassed = results.allSatisfy(\.isPassed)
    if isPassed, isBrief { return [] }
    let title = "\(mark(isPassed)) \(style.strong(first.id.title))"
    let gap = String(repeating: " ", count: max(2, titleWidth + 2 - first.id.title.count))
    let table = RunTable(results)
    return [title + gap + style.faint("\(first.id.address)")]
      + table.rows.flatMap { row in
        if let earlier = row.sameAs, detail != .verbose {
          return ["  \(mark(false)) \(table.line(for: row, sameAs: earlier))"] + kept(row)
        }
        return run(row, table)
          + (row.results.first?.failures ?? []).flatMap { failure($0, of: row) }
      }
      + results.notes.map { "    " + style.notable("note: \($0)") }
  }

  private func run(_ row: RunTable.Row, _ table: RunTable) -> [String] {
    let first = row.results.first
    let lines = table.lines(for: row).enumerated().map { index, line in
      "  \(index == 0 ? mark(row.isPassed) : " ") \(line)"
    }
    let remarks = (first?.executedSteps ?? []).flatMap(\.remarks).map {
      "      " + style.notable($0)
    }
    return lines + remarks + (detail == .verbose ? details(row) : []) + kept(row)
  }

  private func kept(_ row: RunTable.Row) -> [String] {
    row.results.compactMap(\.folder).map { "      " + style.faint("kept in \($0)") }
  }

  private func mark(_ isPassed: Bool) -> String {
    isPassed ? style.good("✓") : style.bad("✗")
  }

  /// In memory no step is carried out in SQL, which is no news.
  private func details(_ row: RunTable.Row) -> [String] {
    let steps = row.results.first?.executedSteps ?? []
    let inFile = row.results.first { $0.id.backend == .sqlite }?.executedSteps ?? []
    return steps.enumerated().flatMap { index, step in
      let remarks = index < inFile.count ? inFile[index].unsupportedRemarks : []
      return remarks.map { style.faint("      \($0)") } + details(step)
    }
  }

  private func details(_ step: ExecutedStep) -> [String] {
    let mappings = step.entityMappings.map { mapping in
      let policy = mapping.policyClassName.map { ", \($0)" } ?? ""
      return "      \(mapping.name) (\(mapping.type)\(policy)): "
        + "\(mapping.sourceCount) -> \(mapping.destinationCount)"
    }
    let hooks = step.isSQL == true ? ["as SQL"] : step.events.map(\.description)
    return mappings + hooks.map { style.faint("        \($0)") }
      + step.planLines.map { style.faint("      \($0)") }
  }

  // MARK: Failures

  private func failure(_ failure: Failure, of row: RunTable.Row) -> [String] {
    guard let result = row.results.first else { return [] }
    let text = FailureText(
      failure: failure, result: result, backends: row.results.map(\.id.backend))
    let title = failure.kind == .expectation ? "" : "\(failure.kind.rawValue): "
    let head = "    \(style.bad(text.place)): \(title)\(style.strong(failure.subject))"
    return [head]
      + text.facts.flatMap { label, fact in
        let shown = label == "again" ? style.faint(fact) : fact
        return FailureText.labelled(label, shown).map { "    \($0)" }
      }
  }

  // MARK: Summary

  private func summary(_ report: SuiteReport) -> [String] {
    let results = report.results
    let counts = report.counts
    var text = "\(counts.scenarios.counted("scenario")), \(counts.runs.counted("run")): "
    text += style.good("\(counts.passed) passed")
    if counts.failed > 0 { text += ", " + style.bad("\(counts.failed) failed") }
    if counts.notRunnable > 0 {
      text += ", " + style.bad("\(counts.notRunnable) not runnable")
    }
    let total = "\(text), in \(TimeText.text(report.seconds))"
    if results.isEmpty, report.problems.isEmpty { return ["nothing ran"] }
    return ["", total] + report.absenceLines.map(style.notable) + untold(results)
      + slowest(results) + failed(results)
  }

  /// That there is more to read of what passed and was only counted.
  private func untold(_ results: [RunResult]) -> [String] {
    guard isBrief, detail != .quiet else { return [] }
    let count = results.groupedByScenario.count { runs in
      runs.allSatisfy(\.isPassed)
        && (!runs.notes.isEmpty
          || runs.contains { $0.executedSteps.contains { !$0.remarks.isEmpty } })
    }
    return count == 0
      ? []
      : [style.notable("remarks on \(count.counted("scenario")) that passed: --verbose shows them")]
  }

  /// What failed, once more at the end, with the commands that repeat it.
  private func failed(_ results: [RunResult]) -> [String] {
    let scenarios = results.groupedByScenario
    let rows = scenarios.flatMap { RunTable($0).rows }
      .filter { !$0.isPassed && $0.sameAs == nil }
    guard scenarios.count > 1, !rows.isEmpty else { return [] }
    let listed = rows.prefix(Self.mostListed).flatMap { row in
      row.results[0].failures.prefix(1).flatMap { failure in
        let text = FailureText(
          failure: failure, result: row.results[0], backends: row.results.map(\.id.backend))
        let others = row.later.isEmpty ? "" : ", from \(row.later.count + 1) starts alike"
        return [
          "  \(style.bad("✗")) \(row.results[0].id.title)\(others)",
          "      \(style.faint(text.command))",
        ]
      }
    }
    let more = rows.count - Self.mostListed
    return ["", "failed:"] + listed + (more > 0 ? ["  and \(more) more"] : [])
      + (rows.count > 1 || !rows[0].later.isEmpty
        ? again.map { ["all that failed, again: \($0)"] } ?? [] : [])
  }

  private func slowest(_ results: [RunResult]) -> [String] {
    let times = results.slowestScenarios(3).map { "\($0.title) \(TimeText.text($0.seconds))" }
    return times.isEmpty ? [] : [style.faint("slowest: " + times.joined(separator: "; "))]
  }
}

extension [RunResult] {
  /// What isn't determined by the source, each property once.
  var undetermined: [UndeterminedProperty] {
    var seen: Set<String> = []
    return flatMap(\.undetermined).filter { seen.insert($0.name).inserted }
  }

  /// What is to be said of them, each once: the scenario's notes, and what couldn't be compared.
  var notes: [String] {
    var seen: Set<String> = []
    return (flatMap(\.notes) + undetermined.map(\.text)).filter { seen.insert($0).inserted }
  }
}
