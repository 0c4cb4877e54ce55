/// Saved reports as one page: each scenario, time and memory from commit to commit, and the models' chains.
struct HistoryPage {
  let history: History
  let checks: [(moment: SavedReports.Moment, file: SavedReports.CheckFile)]

  func text() -> String {
    HTMLPage.text(
      title: "\(verdict) · Heavyweight history", isGood: isGood, style: Self.style,
      body: """
        <a class="skip" href="#main">Skip to the reports</a>
        <header>
        <p class="brand">Heavyweight · Core Data migrations, commit by commit</p>
        <h1><span class="mark" aria-hidden="true">\(mark)</span> \(verdict)</h1>
        <dl class="tiles">\(tiles.joined())</dl>
        </header>
        <main id="main" tabindex="-1">
        \(sections.joined(separator: "\n"))
        </main>
        """)
  }

  // MARK: Top

  private func count(_ state: History.Scenario.State) -> Int {
    history.scenarios.count { $0.state == state }
  }

  private var failing: Int { count(.failed) }
  private var notPlayed: Int { count(.notPlayed) }

  /// What `check` found that fails.
  private var errorCount: Int {
    checks.reduce(0) { $0 + $1.file.findings.count { $0.severity == "error" } }
  }

  /// A scenario that nobody plays any more says nothing good.
  private var isGood: Bool { failing == 0 && errorCount == 0 && notPlayed == 0 }

  private var mark: String { isGood ? "✓" : failing == 0 && errorCount == 0 ? "!" : "✗" }

  private var verdict: String {
    errorCount == 0 ? runVerdict : "\(runVerdict), \(errorCount.counted("error")) of check"
  }

  private var runVerdict: String {
    if history.scenarios.isEmpty { return "No runs" }
    if failing == 0, notPlayed == 0 { return "All scenarios pass" }
    let all = history.scenarios.count.counted("scenario")
    let failed = failing == 0 ? [] : ["\(failing) of \(all) \(failing == 1 ? "fails" : "fail")"]
    let count = failing == 0 ? "\(notPlayed) of \(all)" : "\(notPlayed)"
    let gone =
      notPlayed == 0 ? [] : ["\(count) \(notPlayed == 1 ? "is" : "are") no longer played"]
    return (failed + gone).joined(separator: ", ")
  }

  private var tiles: [String] {
    [
      HTMLPage.tile("Commits", history.columns.count, ""),
      HTMLPage.tile("Scenarios", history.scenarios.count, ""),
      HTMLPage.tile("Failing", failing, "bad"),
      HTMLPage.tile("No longer played", notPlayed, "notable"),
      HTMLPage.tile("Measured", history.measurements.count, ""),
      HTMLPage.tile("Models", checks.count, ""),
    ]
  }

  private var sections: [String] {
    [
      history.scenarios.isEmpty ? nil : scenarioSection,
      history.measurements.isEmpty ? nil : measurementSection,
    ].compactMap(\.self) + checks.enumerated().map { chainSection($0, $1.moment, $1.file) }
  }

  // MARK: Scenarios

  private var head: String {
    history.columns.map { column in
      let date = column.date.map { "<br>\(HTMLPage.time($0))" } ?? ""
      return "<th scope=\"col\"><code>\(column.name.markupEscaped)</code>\(date)</th>"
    }.joined()
  }

  private func table(_ caption: String, _ first: String, _ rows: [String]) -> String {
    """
    <div class="wide" role="region" aria-label="\(caption.markupEscaped)" tabindex="0">
    <table><caption>\(caption.markupEscaped)</caption>
    <thead><tr><th scope="col">\(first)</th>\(head)</tr></thead>
    <tbody>
    \(rows.joined(separator: "\n"))
    </tbody></table>
    </div>
    """
  }

  private func cells<Entry>(
    _ entries: [Entry], _ column: (Entry) -> Int, newest: String? = nil, _ cell: (Entry) -> String
  ) -> String {
    history.columns.indices.map { index in
      if let newest, index == history.newestRuns { return newest }
      return entries.first { column($0) == index }.map(cell)
        ?? "<td class=\"none\"><span aria-hidden=\"true\">–</span><span class=\"sr\">not played</span></td>"
    }.joined()
  }

  private var scenarioSection: String {
    let rows = history.scenarios.map { scenario in
      let cells = cells(scenario.entries, \.column, newest: absence(of: scenario)) { entry in
        let mark =
          entry.failed == 0
          ? "<span class=\"ok\">passed</span>"
          : "<strong class=\"no\">\(entry.failed) of \(max(entry.runs, entry.failed)) failed</strong>"
        let problem = entry.problem.map { "<br><small>\($0.markupEscaped)</small>" } ?? ""
        let runs = "\(entry.runs.counted("run")), \(Self.time(entry.seconds))"
        return "<td>\(mark)<br><small>\(runs)</small>\(problem)</td>"
      }
      return """
        <tr><th scope="row">\(scenario.title.markupEscaped)<br>\
        <small class="path">\(scenario.path.markupEscaped)</small></th>\(cells)</tr>
        """
    }
    return "<section><h2>Scenarios</h2>\n"
      + table("Outcome and time of each scenario, by commit", "Scenario", rows) + "\n</section>"
  }

  /// What the column of the newest runs has for a scenario that they didn't play.
  private func absence(of scenario: History.Scenario) -> String? {
    guard scenario.state == .notPlayed, let last = scenario.entries.last else { return nil }
    let name = history.columns[last.column].name.markupEscaped
    let reason = scenario.skipped.map { "<br><small>skipped: \($0.markupEscaped)</small>" } ?? ""
    return """
      <td><strong class="gone">no longer played</strong><br><small>last in <code>\(name)</code>, where it \
      \(last.failed == 0 ? "passed" : "failed")</small>\(reason)</td>
      """
  }

  // MARK: Measurements

  private var measurementSection: String {
    let rows = history.measurements.map { measurement in
      let most = measurement.entries.map(\.medianSeconds).max() ?? 0
      let cells = cells(measurement.entries, \.column) { entry in
        let width = most > 0 ? Int((entry.medianSeconds / most * 100).rounded()) : 0
        return """
          <td>\(Self.time(entry.medianSeconds))<br><small>\(ByteText.text(entry.peakBytes))</small>\
          <span class="bar" aria-hidden="true" style="width:\(width)%"></span></td>
          """
      }
      return """
        <tr><th scope="row">\(measurement.scenario.markupEscaped)<br><small>\
        \(measurement.objects) objects, \(measurement.backend)</small></th>\(cells)</tr>
        """
    }
    let machines = Set(history.measurements.flatMap(\.entries).map(\.machine)).sorted()
    let remark =
      machines.count > 1
      ? "<p>Measured on several machines, so times of one can't be compared with those of another: "
        + machines.map(\.markupEscaped).joined(separator: "; ") + ".</p>\n" : ""
    return "<section><h2>Time and memory</h2>\n\(remark)"
      + table("Median time and peak memory of each measurement, by commit", "Measured", rows)
      + "\n</section>"
  }

  private static func time(_ seconds: Double) -> String {
    seconds < 1
      ? "\(Int((seconds * 1000).rounded())) ms" : "\(String(format: "%.2f", seconds)) s"
  }

  // MARK: Chains

  private func chainSection(
    _ number: Int, _ moment: SavedReports.Moment, _ file: SavedReports.CheckFile
  ) -> String {
    """
    <section><h2>\(file.model.markupEscaped)</h2>
    <p class="meta">current version \(file.current.markupEscaped), from \
    <span class="path">\(moment.file.markupEscaped)</span></p>
    \(ModelChain(file: file, identifier: "chain-\(number)").svg())
    <h3>Findings of check</h3>
    \(FindingList.markup(file.findings.map(ToldFinding.init)))
    </section>
    """
  }

  private static let style = """
    .skip { position: absolute; left: -999rem; } .skip:focus { position: static; }
    h2 { margin: 2rem 0 .5rem; font-size: 1.375rem; } h3 { margin: 1rem 0 .25rem; font-size: 1.0625rem; }
    .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--line);
      border-radius: .75rem; }
    table { border-collapse: collapse; width: 100%; font-size: .875rem; }
    caption { text-align: left; padding: .75rem 1rem 0; color: var(--soft); }
    th, td { text-align: left; vertical-align: top; padding: .5rem 1rem;
      border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
    thead th { border-top: 0; font-weight: 600; } tbody th { font-weight: 600; }
    small { color: var(--soft); } .ok { color: var(--good); } .no { color: var(--bad); }
    .gone { color: var(--notable); }
    .none { color: var(--soft); }
    .bar { display: block; height: 4px; border-radius: 2px; background: var(--accent); margin-top: .25rem; }
    .findings { padding-left: 1.25rem; } .findings li { margin: 0 0 .5rem; }
    .chain .mapped path { stroke: var(--accent); }
    """
}

extension ToldFinding {
  fileprivate init(_ finding: SavedReports.CheckFile.Finding) {
    let step = finding.from.flatMap { from in finding.to.map { "\(from) -> \($0)" } }
    let versions =
      finding.lastVersion.map { "\(finding.version ?? "") ... \($0)" } ?? finding.version
    let element = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
    let subject = [finding.file, step, versions, element.isEmpty ? nil : element].compactMap(\.self)
    self.init(
      Severity(rawValue: finding.severity) ?? .note, finding.rule,
      subject.joined(separator: ": "), finding.message, advice: finding.advice)
  }
}

/// A model's versions from top to bottom, with how each gets to the next, and what `check` found on the way.
struct ModelChain {
  let file: SavedReports.CheckFile
  let identifier: String

  private static let width = 560
  private static let boxHeight = 36
  private static let gap = 44

  func svg() -> String {
    let names = file.hops.map(\.from) + [file.hops.last?.to ?? file.current]
    let height = names.count * (Self.boxHeight + Self.gap) - Self.gap + 4
    let boxes = names.enumerated().map { box($0, $1) }
    let steps = file.hops.enumerated().map { step($0, $1) }
    return """
      <svg class="chain model" role="img" aria-labelledby="\(identifier)" style="max-width: \(Self.width)px" \
      viewBox="0 0 \(Self.width) \(height)" xmlns="http://www.w3.org/2000/svg">
      <title id="\(identifier)">\(description.markupEscaped)</title>
      \((boxes + steps).joined(separator: "\n"))
      </svg>
      """
  }

  /// The picture in words.
  private var description: String {
    if file.hops.isEmpty { return "The model has the version \(file.current) only." }
    let steps = file.hops.map { "\($0.from) to \($0.to): \(label($0))" }
    return "The steps between the versions. " + steps.joined(separator: "; ") + "."
  }

  private func label(_ way: SavedReports.CheckFile.Way) -> String {
    switch way.verdict {
    case "mapped": "mapped by \((way.mappings ?? []).joined(separator: ", "))"
    case "impossible": "impossible" + (way.code.map { " (\($0))" } ?? "")
    default: way.verdict
    }
  }

  private func top(_ index: Int) -> Int { index * (Self.boxHeight + Self.gap) + 2 }

  private func box(_ index: Int, _ name: String) -> String {
    let current = name == file.current ? " (current)" : ""
    return """
      <g class="version"><rect x="2" y="\(top(index))" width="200" height="\(Self.boxHeight)" rx="8"/>\
      <text x="14" y="\(top(index) + 23)">\(Self.cut(name + current, 24).markupEscaped)</text></g>
      """
  }

  private func step(_ index: Int, _ way: SavedReports.CheckFile.Way) -> String {
    let from = top(index) + Self.boxHeight
    let findings = file.findings.filter { $0.from == way.from && $0.to == way.to }
    let counts = ["error", "warning", "note"].compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : count.counted(severity)
    }
    let note =
      counts.isEmpty
      ? ""
      : "<text class=\"note\" x=\"34\" y=\"\(from + 36)\">\(counts.joined(separator: ", "))</text>"
    let look = ["impossible": "broken", "mapped": "mapped"][way.verdict] ?? ""
    return """
      <g class="step \(look)"><path d="M20 \(from) V\(from + Self.gap)"/>\
      <text x="34" y="\(from + 19)">\(Self.cut(label(way), 64).markupEscaped)</text>\(note)</g>
      """
  }

  private static func cut(_ text: String, _ most: Int) -> String {
    text.count > most ? text.prefix(most - 1) + "…" : text
  }
}
