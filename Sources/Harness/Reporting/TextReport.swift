/// A report for a person at a terminal.
public struct TextReport {
  let style: TextStyle
  /// Whether to list entity mappings and hooks of runs that passed, too.
  let isVerbose: Bool

  public init(style: TextStyle, isVerbose: Bool = false) {
    self.style = style
    self.isVerbose = isVerbose
  }

  /// All runs, what went wrong in them, and the summary.
  public func text(_ report: SuiteReport) -> String {
    var lines: [String] = []
    for group in report.results.groupedByScenario { lines += scenario(group) }
    for problem in report.problems {
      lines.append("\(style.bad("✗")) \(style.strong(problem.path)) can't be run")
      lines += problem.text.split(separator: "\n").map { "    \($0)" }
    }
    return (lines + summary(report)).map { $0 + "\n" }.joined()
  }

  // MARK: One scenario

  private func scenario(_ results: [RunResult]) -> [String] {
    guard let first = results.first else { return [] }
    let isPassed = results.allSatisfy(\.isPassed)
    let title = "\(mark(isPassed)) \(style.strong(first.id.title))"
    let gap = String(repeating: " ", count: max(2, 60 - first.id.title.count))
    let table = RunTable(results)
    return [title + gap + style.faint(first.id.path)]
      + results.flatMap { result in
        run(result, table) + result.failures.flatMap { failure($0, of: result) }
      }
  }

  private func run(_ result: RunResult, _ table: RunTable) -> [String] {
    let head = "    \(mark(result.isPassed)) \(table.name(of: result))  \(table.time(of: result))"
    let width = 6 + table.nameWidth + 2 + table.timeWidth
    var hops = result.hops.map { table.line(for: $0) }
    if hops.isEmpty { hops = [style.faint("no step to execute")] }
    let indent = String(repeating: " ", count: width)
    var lines = hops.enumerated().map { ($0.offset == 0 ? head : indent) + "  " + $0.element }
    lines += result.hops.flatMap(\.stale).map {
      indent + "  " + style.notable("not used, made for other versions: \($0)")
    }
    if isVerbose { lines += result.hops.flatMap(details) }
    if let folder = result.folder { lines.append(indent + "  " + style.faint("kept in \(folder)")) }
    return lines
  }

  private func mark(_ isPassed: Bool) -> String {
    isPassed ? style.good("✓") : style.bad("✗")
  }

  private func details(_ hop: HopReport) -> [String] {
    let mappings = hop.entityMappings.map { mapping in
      let policy = mapping.policyClassName.map { ", \($0)" } ?? ""
      return "        \(mapping.name) (\(mapping.type)\(policy)): "
        + "\(mapping.sourceCount) -> \(mapping.destinationCount)"
    }
    return mappings + hop.events.map { style.faint("          \($0)") }
  }

  // MARK: Failures

  private func failure(_ failure: Failure, of result: RunResult) -> [String] {
    let place = failure.place.map { "\($0)" } ?? result.id.path
    let kind = failure.kind == .expectation ? "" : "\(failure.kind.rawValue): "
    var lines = ["      \(style.bad(place)): \(kind)\(style.strong(failure.subject))"]
    lines += labelled("expected", failure.expected) + labelled("found", failure.found)
    lines += failure.notes.map { "        \($0)" }
    if let step = failure.step { lines += labelled("at", where: step, result) }
    return lines + labelled("again", style.faint(result.id.command))
  }

  private func labelled(_ label: String, _ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      "        \((index == 0 ? label : "").padded(to: 9)) \(line)"
    }
  }

  private func labelled(_ label: String, where step: String, _ result: RunResult) -> [String] {
    let hop = result.hops.last { $0.hop == step }
    let mapping = hop?.mapping.map { use in
      use == .custom ? " with \(hop?.mappingNames.joined(separator: ", ") ?? "")" : ", inferred"
    }
    return labelled(label, step + (mapping ?? ""))
  }

  // MARK: Summary

  private func summary(_ report: SuiteReport) -> [String] {
    let results = report.results
    let failed = report.failedResults.count
    let scenarios = results.groupedByScenario.count
    var text = "\(scenarios) scenario\(scenarios == 1 ? "" : "s"), "
    text += "\(results.count) run\(results.count == 1 ? "" : "s"): "
    text += style.good("\(results.count - failed) passed")
    if failed > 0 { text += ", " + style.bad("\(failed) failed") }
    if !report.problems.isEmpty {
      text += ", " + style.bad("\(report.problems.count) not runnable")
    }
    let total = "\(text), in \(TimeText.text(report.seconds))"
    return results.isEmpty && report.problems.isEmpty
      ? ["nothing ran"] : [""] + [total] + slowest(results)
  }

  /// Worth a line only where there is a choice.
  private func slowest(_ results: [RunResult]) -> [String] {
    guard results.groupedByScenario.count > 3 else { return [] }
    let slow = results.sorted { $0.seconds > $1.seconds }.prefix(3)
    let names = slow.map {
      "\($0.id.title) (\($0.id.backend.rawValue)) \(TimeText.text($0.seconds))"
    }
    return [style.faint("slowest: " + names.joined(separator: "; "))]
  }
}

extension [RunResult] {
  /// The runs of one scenario together, in order.
  var groupedByScenario: [[RunResult]] {
    var groups: [[RunResult]] = []
    for result in self {
      if groups.last?.last?.id.path == result.id.path {
        groups[groups.count - 1].append(result)
      } else {
        groups.append([result])
      }
    }
    return groups
  }
}

extension RunID {
  /// The command that repeats just this run.
  public var command: String {
    let words = ["heavyweight", "run", path, "--backend", backend.rawValue]
    let all = words + (hasSeveralStarts ? ["--start", start] : [])
    return all.map(Self.quoted).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    let plain = word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:,+".contains($0) }
    return plain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
