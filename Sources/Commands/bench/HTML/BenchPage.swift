/// A benchmark's results as a page for a browser: one file that needs no other, and no network.
struct BenchPage {
  let summary: BenchSummary

  func text() -> String {
    HTMLPage.text(
      title: "\(verdict) · Heavyweight bench", isGood: isGood, style: Self.style,
      body: """
        \(header)
        <main>
        \(sections.joined(separator: "\n"))
        </main>
        """)
  }

  private var results: BenchResults { summary.results }
  private var failureCount: Int {
    results.scenarios.reduce(0) { $0 + summary.failures(of: $1).count }
  }
  private var isPassed: Bool { failureCount == 0 }
  private var isGood: Bool? { isPassed && summary.isInconclusive ? nil : isPassed }

  private var verdict: String {
    switch failureCount {
    case 0:
      summary.baseline == nil
        ? "Measured" : summary.isInconclusive ? "Inconclusive at every size" : "No regression"
    case 1: "1 gate failed"
    case let count: "\(count) gates failed"
    }
  }

  // MARK: Top

  private var header: String {
    let build =
      results.isOptimized ? "" : " · <strong>a debug build: its times mean nothing</strong>"
    let machine = "<span class=\"machine\">\(results.machine.markupEscaped)</span>"
    return HTMLPage.header(
      "Heavyweight · how long Core Data migrations take", verdict: verdict, isGood: isGood,
      meta: "\(HTMLPage.time(results.date)) · \(machine)\(build)", tiles: tiles,
      below: summary.baseline?.refusal.map { "<p class=\"stale\">\($0.markupEscaped)</p>" } ?? "")
  }

  private var tiles: [(String, Int, String)] {
    let sizes = results.scenarios.flatMap { result in result.sizes.map { (result, $0) } }
    let verdicts = sizes.compactMap { summary.comparison(of: $0.1, in: $0.0)?.verdict }
    let compared: [(String, Int, String)] = [
      ("Worse", verdicts.count { $0 == .worse }, "bad"),
      ("Better", verdicts.count { $0 == .better }, "good"),
      ("Same", verdicts.count { $0 == .same }, ""),
      ("Inconclusive", verdicts.count { $0 == .inconclusive }, "notable"),
    ]
    return [
      ("Scenarios", Set(results.scenarios.map(\.file)).count, ""),
      ("Samples", sizes.reduce(0) { $0 + $1.1.samples.count }, ""),
    ] + (verdicts.isEmpty ? [] : compared)
  }

  // MARK: Scenarios

  private var sections: [String] {
    var files: [String] = []
    for result in results.scenarios where !files.contains(result.file) { files.append(result.file) }
    return files.enumerated().map { index, file in
      BenchPageSection(
        summary: summary, results: results.scenarios.filter { $0.file == file }, number: index
      ).text()
    }
  }

  /// Beside the looks of every page.
  private static let style = """
    .plots { display: grid; gap: 1rem; margin: .5rem 0 1rem; }
    @media (min-width: 50rem) { .plots { grid-template-columns: 1fr 1fr; } }
    .plots figcaption { font-weight: 600; font-size: .9375rem; }
    .plot { display: block; width: 100%; max-width: 32rem; height: auto;
      font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    .plot text { fill: var(--soft); } .plot .y { text-anchor: end; } .plot .x { text-anchor: middle; }
    .plot .grid { stroke: var(--line); fill: none; }
    .plot .line { fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linejoin: round; }
    .plot .spread { stroke: currentColor; stroke-width: 6; stroke-linecap: round; opacity: .25; }
    .plot circle { fill: currentColor; }
    .s0 { color: var(--accent); } .s1 { color: var(--good); } .s2, .s3 { color: var(--soft); }
    .plot .s2 .line, .plot .s3 .line { stroke-dasharray: 5 5; }
    .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0;
      list-style: none; font-size: .875rem; } .legend b { font-weight: 700; }
    .wide { overflow-x: auto; margin: 0 0 1rem; } .wide table { min-width: 40rem; }
    .wide td, .wide thead th { text-align: right; white-space: nowrap; padding-right: .75rem;
      font-variant-numeric: tabular-nums; overflow-wrap: normal; }
    .wide th:first-child { text-align: left; padding-right: .75rem; overflow-wrap: normal; }
    .wide .pass th { padding-left: 1rem; color: var(--soft); } .wide td.bars { text-align: left; }
    .pill.worse { color: var(--bad); background: var(--bad-ground); }
    .pill.better { color: var(--good); background: var(--good-ground); }
    .pill.same, .pill.inconclusive { color: var(--soft); background: var(--code); }
    .gates { margin: 0 0 1rem; padding-left: 1.25rem; } .gates .bad { color: var(--bad); }
    .gates .good { color: var(--good); }
    """
}
