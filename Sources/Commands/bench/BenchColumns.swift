/// The figures that reports show side by side.
enum BenchColumns {
  static let names = [
    "median", "p90", "p99", "objects/s", "CPU", "peak memory", "written", "peak disk",
  ]

  static func cells(of size: BenchResult.Size) -> [String] {
    times(size.statistics) + [
      CountText.text(size.objectsPerSecond), TimeText.text(size.cpu),
      ByteText.text(size.peakBytes), ByteText.text(size.writtenBytes), bytes(size.diskBytes),
    ]
  }

  /// Empty where a figure isn't known.
  static func cells(of row: BenchRow) -> [String] {
    let speed: String = row.objectsPerSecond.map { CountText.text($0) } ?? ""
    let cpu: String = row.cpuSeconds.map { TimeText.text($0) } ?? ""
    let peak: String = row.peakBytes.map { ByteText.text($0) } ?? ""
    let times = row.time.map { Self.times($0) } ?? ["", "", ""]
    return times + [speed, cpu, peak, bytes(row.writtenBytes), bytes(row.diskBytes)]
  }

  private static func times(_ time: BenchStatistics) -> [String] {
    [TimeText.text(time.median), TimeText.text(time.p90), TimeText.text(time.p99)]
  }

  private static func bytes(_ count: Int64?) -> String {
    guard let count else { return "" }
    return count == 0 ? "–" : ByteText.text(count)
  }
}

extension Backend {
  /// As reports of benchmarks call it.
  var shownName: String { self == .memory ? "in memory" : "SQLite" }
}
