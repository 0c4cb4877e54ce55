/// A benchmark's results for a person.
struct BenchTextReport {
  let summary: BenchSummary
  let style: TextStyle

  func text() -> String {
    let results = summary.results
    let head = results.isOptimized ? [] : [style.notable("a debug build: its times mean nothing")]
    let lines = head + results.scenarios.flatMap(lines)
    return (lines + doubt).map { $0 + "\n" }.joined() + results.machine + "\n"
  }

  /// Measurements of another time differ for reasons of their own; those by turns don't.
  private var doubt: [String] {
    guard summary.isInconclusive else { return [] }
    let isKept = summary.baseline?.isOfSameRun == false
    return [
      style.notable("? inconclusive at every size")
        + (isKept ? ": --against COMMIT measures by turns with the app's files of a commit" : ""),
      "",
    ]
  }

  private func lines(_ result: BenchResult) -> [String] {
    let place = "\(result.file), \(result.backend.shownName)"
    let heading = "\(style.strong(result.scenario))  \(style.faint(place))"
    return [heading] + table(result) + growth(result) + plots(result) + steps(result)
      + hooks(result) + counters(result) + verdicts(result) + [""]
  }

  // MARK: Sizes

  private func table(_ result: BenchResult) -> [String] {
    let rows = result.sizes.map { size in
      [CountText.text(size.objects)] + BenchColumns.cells(of: size)
        + [verdict(size, result) ?? ""]
    }
    let names = ["objects"] + BenchColumns.names + [""]
    return TextTable([names] + rows, left: [names.count - 1]).lines(
      TextStyle(isColoured: false), indent: 2)
  }

  private func verdict(_ size: BenchResult.Size, _ result: BenchResult) -> String? {
    guard let baseline = summary.baseline else { return nil }
    guard let comparison = summary.comparison(of: size, in: result) else {
      return style.faint("not in the baseline")
    }
    guard let verdict = comparison.verdict, let text = comparison.text else {
      return baseline.refusal == nil ? nil : style.faint("times not compared")
    }
    return switch verdict {
    case .better: style.good(text)
    case .worse: style.bad(text)
    case .same: text
    case .inconclusive: style.notable(text)
    }
  }

  private func growth(_ result: BenchResult) -> [String] {
    guard let time = result.exponent, let memory = result.memoryExponent else { return [] }
    return [
      "  time grows with objects^\(GrowthExponent.text(time)), memory with objects^\(GrowthExponent.text(memory))"
    ]
  }

  private func plots(_ result: BenchResult) -> [String] {
    let time = TerminalPlot(
      title: "median time, logarithmic",
      points: result.sizes.map { ($0.objects, $0.statistics.median) },
      label: TimeText.text)
    let memory = TerminalPlot(
      title: "peak memory, logarithmic",
      points: result.sizes.map { ($0.objects, Double($0.peakBytes)) },
      label: { ByteText.text(Int64($0)) })
    let lines = TerminalPlot.beside(
      [time, memory], columns: TextFlow.columns(of: STDOUT_FILENO))
    return lines.isEmpty ? [] : [""] + lines.map { $0.isEmpty ? $0 : "  \($0)" } + [""]
  }

  // MARK: Steps

  /// Of the largest size: each step and its passes.
  private func steps(_ result: BenchResult) -> [String] {
    guard let size = result.sizes.last else { return [] }
    let names = ["\(CountText.text(size.objects)) objects, by step and pass"] + BenchColumns.names
    let steps = size.stepRows
    let least =
      steps.count > Self.mostStepsInFull
      ? 0.2 * (steps.compactMap(\.step.time?.median).max() ?? 0) : 0
    let rows = steps.flatMap { step, passes in
      let isShown = step.time?.median ?? 0 >= least
      return [Self.cells(step, named: step.name)]
        + (isShown ? passes : []).map { Self.cells($0, named: "  \($0.name)") }
    }
    return TextTable([names] + rows).lines(TextStyle(isColoured: false), indent: 2)
  }

  /// Of longer chains only the steps that take a fifth of the slowest one's time have their passes
  /// shown; the page and the JSON have all.
  private static let mostStepsInFull = 4

  private static func cells(_ row: BenchRow, named name: String) -> [String] {
    row.time == nil ? [name, "with the next"] : [name] + BenchColumns.cells(of: row)
  }

  // MARK: Hooks, counters and verdicts

  /// Of the largest size: what policies' hooks do for each source object.
  private func hooks(_ result: BenchResult) -> [String] {
    let rows = result.sizes.last?.hookRows ?? []
    if rows.isEmpty { return [] }
    let names = ["per source object, by hook", "calls"] + HookCount.allCases.map(\.name)
    return TextTable([names] + rows.map { [$0.name] + $0.cells })
      .lines(TextStyle(isColoured: false), indent: 2)
  }

  private func counters(_ result: BenchResult) -> [String] {
    guard let size = result.sizes.last, !size.counters.isEmpty else { return [] }
    let counts = BenchCounter.allCases.compactMap { counter in
      size.counters[counter].flatMap { $0 == 0 ? nil : "\(CountText.text($0)) \(counter.name)" }
    }
    let unsteady = size.unsteadyCounters.map {
      "  " + style.faint("\($0.name) differ from sample to sample, and aren't compared")
    }
    return ["  counted: " + counts.joined(separator: ", ")] + unsteady
  }

  private func verdicts(_ result: BenchResult) -> [String] {
    summary.improvements(of: result).map { "  " + style.good("✓ \($0)") }
      + summary.failures(of: result).map { "  " + style.bad("✗ \($0)") }
      + summary.doubts(of: result).map { "  ? \($0)" }
  }
}
