/// The part of the page that is about one scenario, on all backends that were measured.
struct BenchPageSection {
  let summary: BenchSummary
  let results: [BenchResult]
  /// Tells scenarios of one page apart.
  let number: Int

  func text() -> String {
    guard let first = results.first else { return "" }
    let isPassed = results.allSatisfy { summary.failures(of: $0).isEmpty }
    let isOpen = isPassed && summary.isInconclusive
    let body = [gates, plots] + results.flatMap { [table($0), steps($0), counters($0)] }
    return HTMLScenario.section(
      of: first.file, state: isOpen ? "skipped" : isPassed ? "passed" : "failed",
      mark: isOpen ? "?" : isPassed ? "✓" : "✗",
      title: first.scenario,
      path: first.file, isOpen: true, body: body.filter { !$0.isEmpty }.joined(separator: "\n"))
  }

  private var gates: String {
    let failures = results.flatMap(summary.failures).map {
      "<li class=\"bad\">\($0.markupEscaped)</li>"
    }
    let improvements = results.flatMap(summary.improvements).map {
      "<li class=\"good\">\($0.markupEscaped)</li>"
    }
    let doubts = results.flatMap(summary.doubts).map { "<li>\($0.markupEscaped)</li>" }
    let items = failures + doubts + improvements
    return items.isEmpty ? "" : "<ul class=\"gates\">\(items.joined())</ul>"
  }

  // MARK: Plots

  private var plots: String {
    func time(_ size: BenchResult.Size) -> (Double, ClosedRange<Double>?) {
      let samples = BenchStatistics(size.seconds)
      return (samples.median, min(samples.median, size.seconds.min() ?? 0)...samples.p90)
    }
    func memory(_ size: BenchResult.Size) -> (Double, ClosedRange<Double>?) {
      (Double(size.peakBytes), nil)
    }
    let times = chart("Time", key: "time", labelled: TimeText.text, figure: time)
    let memories = chart(
      "Peak memory", key: "memory", labelled: { ByteText.text(Int64($0)) }, figure: memory)
    return "<div class=\"plots\">\(times)\(memories)</div>"
  }

  /// With what it was before, where that can be compared.
  private func chart(
    _ title: String, key: String, labelled label: @escaping (Double) -> String,
    figure: (BenchResult.Size) -> (Double, ClosedRange<Double>?)
  ) -> String {
    let own = results.enumerated().map { index, result in
      series(result.backend.shownName, look: "s\(index)", of: result.sizes, figure: figure)
    }
    let old = results.enumerated().compactMap { index, result -> LogChart.Series? in
      guard let baseline = summary.baseline, baseline.refusal == nil else { return nil }
      let sizes = result.sizes.compactMap {
        baseline.results.size($0.objects, of: result.file, result.backend)
      }
      if sizes.isEmpty { return nil }
      return series(
        "\(result.backend.shownName), baseline", look: "s\(index + 2)", of: sizes, figure: figure)
    }
    let all = old + own
    let chart = LogChart(
      title: title, series: all, label: label, identifier: "\(number)-\(key)",
      isOfBytes: key == "memory")
    let growth = results.compactMap { result -> String? in
      let exponent = key == "time" ? result.exponent : result.memoryExponent
      return exponent.map {
        "\(result.backend.shownName) grows with objects^\(GrowthExponent.text($0))"
      }
    }
    let legend =
      all.map { "<li><b class=\"\($0.look)\">●</b> \($0.name)</li>" }
      + growth.map { "<li>\($0)</li>" }
    return """
      <figure><figcaption>\(title), logarithmic</figcaption>\(chart.svg())\
      <ul class="legend">\(legend.joined())</ul></figure>
      """
  }

  private func series(
    _ name: String, look: String, of sizes: [BenchResult.Size],
    figure: (BenchResult.Size) -> (Double, ClosedRange<Double>?)
  ) -> LogChart.Series {
    let figures = sizes.map(figure)
    return LogChart.Series(
      name: name, look: look, points: zip(sizes, figures).map { ($0.objects, $1.0) },
      ranges: figures.compactMap(\.1))
  }

  // MARK: Tables

  private func table(_ result: BenchResult) -> String {
    let rows = result.sizes.map { size in
      Self.row(
        CountText.text(size.objects), BenchColumns.cells(of: size) + [verdict(size, result)])
    }
    return Self.table(
      "objects, \(result.backend.shownName)", columns: BenchColumns.names + ["verdict"], rows: rows)
  }

  private func verdict(_ size: BenchResult.Size, _ result: BenchResult) -> String {
    guard let comparison = summary.comparison(of: size, in: result),
      let verdict = comparison.verdict, let text = comparison.text
    else { return "" }
    return "<span class=\"pill \(verdict.rawValue)\">\(text)</span>"
  }

  private static func table(_ first: String, columns: [String], rows: [String]) -> String {
    let head = ([first] + columns).map { "<th scope=\"col\">\($0)</th>" }
    return """
      <div class="wide" role="region" tabindex="0" aria-label="\(first)"><table><thead><tr>\(head.joined())</tr></thead><tbody>\
      \(rows.joined())</tbody></table></div>
      """
  }

  private static func row(_ name: String, _ cells: [String], look: String = "") -> String {
    let texts = cells.map { "<td>\($0)</td>" }
    return
      "<tr class=\"\(look)\"><th scope=\"row\">\(name.markupEscaped)</th>\(texts.joined())</tr>"
  }

  // MARK: Steps and passes

  /// Of each size, the largest first; the others are closed.
  private func steps(_ result: BenchResult) -> String {
    result.sizes.reversed().enumerated().map { index, size in
      let rows = size.stepRows
      let most = rows.compactMap { $0.step.time?.median }.max() ?? 1
      let lines = rows.flatMap { step, passes in
        [Self.line(step, most, look: "hop")] + passes.map { Self.line($0, most, look: "pass") }
      }
      let title =
        "By step and pass, \(CountText.text(size.objects)) objects \(result.backend.shownName)"
      let table = Self.table(
        "step and pass", columns: ["of the longest"] + BenchColumns.names, rows: lines)
      return "<details class=\"steps\"\(index == 0 ? " open" : "")><summary>\(title)</summary>"
        + "\(table)</details>"
    }.joined(separator: "\n")
  }

  private static func line(_ row: BenchRow, _ most: Double, look: String) -> String {
    guard let time = row.time else {
      return "<tr class=\"\(look)\"><th scope=\"row\">\(row.name.markupEscaped)</th>"
        + "<td colspan=\"\(BenchColumns.names.count + 1)\">with the next</td></tr>"
    }
    let part = Int((100 * time.median / max(most, 1e-12)).rounded())
    let bar = "<span class=\"bar\" style=\"--part:\(part)%\"></span>"
    return Self.row(row.name, [bar] + BenchColumns.cells(of: row), look: look)
  }

  private func counters(_ result: BenchResult) -> String {
    let rows = result.sizes.map { size in
      Self.row(
        CountText.text(size.objects),
        BenchCounter.allCases.map { size.counters[$0].map(CountText.text) ?? "–" })
    }
    guard result.sizes.contains(where: { !$0.counters.isEmpty }) else { return "" }
    let table = Self.table("objects", columns: BenchCounter.allCases.map(\.name), rows: rows)
    return "<details class=\"steps\"><summary>Counted, \(result.backend.shownName)</summary>"
      + "\(table)</details>"
  }
}
