// What didn't run, and why.

extension SuiteReport {
  /// `skipped 2: waits for the server`, `left out 3: --tag songs`; the same reasons summed.
  var absenceLines: [String] {
    skipReasons.map { "skipped \($0.count): \($0.reason)" }
      + leftOut.map { "left out \($0.count): by \($0.option)" }
  }

  /// Why scenarios were skipped, the most frequent reason first.
  var skipReasons: [(reason: String, count: Int)] {
    let groups = Dictionary(grouping: skipped, by: \.reason)
    return groups.map { (reason: $0.key, count: $0.value.count) }.sorted {
      ($1.count, $0.reason) < ($0.count, $1.reason)
    }
  }
}
