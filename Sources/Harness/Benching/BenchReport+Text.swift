/// A benchmark's results for a person.
struct BenchTextReport {
  let results: BenchResults
  let baseline: BenchResults?
  let gates: BenchGates
  let style: TextStyle

  func text() -> String {
    let head = results.isOptimized ? [] : [style.notable("a debug build: the times say nothing")]
    let lines = head + results.scenarios.flatMap(lines)
    return lines.map { $0 + "\n" }.joined() + results.machine + "\n"
  }

  private func lines(_ result: BenchResult) -> [String] {
    let heading = "\(style.strong(result.scenario))  \(style.faint(result.file))"
    return [heading] + table(result) + growth(result) + hops(result)
      + gates.failures(of: result, against: baseline).map { "  " + style.bad("✗ \($0)") } + [""]
  }

  // MARK: Sizes

  private func table(_ result: BenchResult) -> [String] {
    let longest = result.sizes.map(\.statistics.median).max() ?? 0
    let rows = result.sizes.map { size -> [String] in
      let time = size.statistics
      return [
        Self.count(size.objects), TimeText.text(time.median), TimeText.text(time.p90),
        TimeText.text(time.p99), Self.count(Int(Double(size.objects) / max(time.median, 1e-9))),
        TimeText.text(size.cpu), ByteText.text(size.peakBytes), ByteText.text(size.writtenBytes),
        Self.bar(time.median / longest), verdict(size, result) ?? "",
      ]
    }
    let names = [
      "objects", "median", "p90", "p99", "objects/s", "CPU", "peak memory", "written", "", "",
    ]
    return Self.aligned([names] + rows).map { "  \($0)" }
  }

  private func verdict(_ size: BenchResult.Size, _ result: BenchResult) -> String? {
    guard let baseline else { return nil }
    guard let old = baseline.size(size.objects, of: result.file) else {
      return style.faint("not in the baseline")
    }
    let verdict = BenchVerdict.of(size.seconds, against: old.seconds)
    let ratio = String(format: "×%.2f", size.statistics.median / old.statistics.median)
    let text = "\(verdict.rawValue) \(ratio)"
    return switch verdict {
    case .better: style.good(text)
    case .worse: style.bad(text)
    case .same: text
    case .inconclusive: style.notable(text)
    }
  }

  private func growth(_ result: BenchResult) -> [String] {
    guard let exponent = result.exponent else { return [] }
    return [String(format: "  time grows with objects^%.2f", exponent)]
  }

  // MARK: Hops

  /// Of the largest size: each hop and its passes.
  private func hops(_ result: BenchResult) -> [String] {
    guard let size = result.sizes.last, let first = size.samples.first else { return [] }
    let rows = first.hops.indices.map { index -> [String] in
      let hops = size.samples.compactMap { $0.hops.indices.contains(index) ? $0.hops[index] : nil }
      let names = Self.passes.filter { name in hops.contains { $0.passes[name] != nil } }
      let passes = names.map { name in
        "\(name) \(TimeText.text(BenchStatistics(hops.compactMap { $0.passes[name] }).median))"
      }
      let seconds = BenchStatistics(hops.map(\.seconds)).median
      return [
        first.hops[index].hop, seconds == 0 ? "with the next" : TimeText.text(seconds),
        passes.joined(separator: ", "),
      ]
    }
    let width = rows.map(\.[0].count).max() ?? 0
    return ["  \(Self.count(size.objects)) objects, hop by hop:"]
      + rows.map { row in
        "    \(row[0].padded(to: width))  \(row[1])" + (row[2].isEmpty ? "" : "  (\(row[2]))")
      }
  }

  /// In the order in which they run.
  private static let passes = MigrationPass.allCases.map(\.rawValue) + ["sync"]

  // MARK: Columns

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.indices.map { index in
        index < 8
          ? row[index].alignedRight(to: widths[index]) : row[index].padded(to: widths[index])
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  private static func bar(_ part: Double) -> String {
    String(repeating: "█", count: max(1, Int((part * 20).rounded())))
  }

  private static func count(_ number: Int) -> String {
    var (digits, groups) = (String(number), [String]())
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",")
  }
}
