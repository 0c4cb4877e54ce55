/// A benchmark's sizes as a table for a page or a spreadsheet.
struct BenchTable {
  let summary: BenchSummary

  // MARK: Markdown

  /// A section for each scenario and backend, as a pull request's comment has it.
  func markdown() -> String {
    let machine = MarkdownText.escaped(summary.results.shownMachine)
    return summary.results.scenarios.map(section).joined(separator: "\n") + "\n\(machine)\n"
  }

  private func section(_ result: BenchResult) -> String {
    let title = MarkdownText.escaped(result.scenario)
    let place = MarkdownText.escaped("\(result.file), \(result.backend.shownName)")
    let compared = summary.baseline == nil ? [] : ["against the baseline"]
    let names = ["objects"] + BenchColumns.names + compared
    let rule = names.map { _ in "---:" }
    let rows = result.sizes.map { size in
      [CountText.text(size.objects)] + BenchColumns.cells(of: size)
        + compared.map { _ in summary.comparison(of: size, in: result)?.text ?? "–" }
    }
    let table = ([names, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
    let verdicts =
      summary.improvements(of: result).map { "- ✓ \(MarkdownText.escaped($0))" }
      + summary.failures(of: result).map { "- ✗ \(MarkdownText.escaped($0))" }
      + summary.doubts(of: result).map { "- ? \(MarkdownText.escaped($0))" }
    let lines = ["### \(title)", "", place, ""] + table + (verdicts.isEmpty ? [] : [""] + verdicts)
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: CSV

  private static let columns = [
    "scenario", "file", "backend", "objects", "samples", "median_seconds", "p90_seconds",
    "p99_seconds", "objects_per_second", "cpu_seconds", "peak_memory_bytes", "written_bytes",
    "peak_disk_bytes", "verdict", "ratio", "ratio_low", "ratio_high",
  ]

  /// A line for each size, as RFC 4180 has them; empty where a figure isn't known.
  func csv() -> String {
    let rows = summary.results.scenarios.flatMap { result in
      result.sizes.map { row($0, of: result) }
    }
    return ([Self.columns] + rows).map { row in
      row.map(Self.field).joined(separator: ",") + "\r\n"
    }.joined()
  }

  private func row(_ size: BenchResult.Size, of result: BenchResult) -> [String] {
    let time = size.statistics
    let ratio = summary.comparison(of: size, in: result)?.ratio
    let bounds = [ratio?.interval?.lowerBound, ratio?.interval?.upperBound]
    let figures: [String] = [
      "\(size.objects)", "\(size.samples.count)", "\(time.median)", "\(time.p90)", "\(time.p99)",
      "\(size.objectsPerSecond)", "\(size.cpu)", "\(size.peakBytes)", "\(size.writtenBytes)",
      size.diskBytes.map { "\($0)" } ?? "", ratio?.verdict.rawValue ?? "",
      ratio.map { "\($0.medians)" } ?? "",
    ]
    return [result.scenario, result.file, result.backend.rawValue] + figures
      + bounds.map { bound in bound.map { "\($0)" } ?? "" }
  }

  /// A text that a spreadsheet would take for a formula gets an apostrophe, which it doesn't show.
  private static func field(_ text: String) -> String {
    let isFormula = text.first.map { "=+-@".contains($0) } ?? false
    let plain = isFormula ? "'" + text : text
    let needsQuotes = plain.contains { ",\"\r\n".contains($0) || $0.isNewline }
    return needsQuotes ? "\"\(plain.replacing("\"", with: "\"\""))\"" : plain
  }
}
