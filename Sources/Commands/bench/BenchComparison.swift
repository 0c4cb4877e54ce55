/// One size of a scenario against what it was before.
struct BenchComparison {
  /// Nil when times can't be compared.
  let ratio: BenchRatio?
  /// The counters that aren't what they were.
  let counterChanges: [CounterChange]

  var verdict: BenchVerdict? { ratio?.verdict }

  /// The verdict with the ratio: `worse ×1.32 (1.25–1.40)`.
  var text: String? { ratio?.text }
}

/// What results are compared with.
struct BenchBaseline {
  let results: BenchResults
  /// Why times can't be compared; nil when they can.
  let refusal: String?
  /// Whether both were measured by turns, so that the machine was the same for both.
  let isOfSameRun: Bool

  /// Another build or checkout, measured by turns with this one.
  init(measuredBeside results: BenchResults) {
    self.results = results
    refusal = nil
    isOfSameRun = true
  }

  /// What `--save` wrote. Times of another machine or kind of build are refused; counters aren't.
  /// - Throws: ``BenchError`` for a file that isn't one.
  init(file: String) throws {
    results = try BenchResults(contentsOf: file)
    isOfSameRun = false
    let here = BenchResults([])
    refusal =
      results.machine == here.machine && results.isOptimized == here.isOptimized
      ? nil
      : "\(file) was measured on another machine (\(results.shownMachine); this is "
        + "\(here.shownMachine)): times can't be compared, only counters; measure it again here with "
        + "--save"
  }

  /// - Returns: Nil for a scenario, backend or size that isn't in the baseline.
  func comparison(of size: BenchResult.Size, in result: BenchResult) -> BenchComparison? {
    guard let old = results.size(size.objects, of: result.file, result.backend) else { return nil }
    return BenchComparison(
      ratio: refusal == nil ? ratio(of: size, to: old) : nil,
      counterChanges: CounterChange.all(
        from: old.counters, to: size.counters,
        sameSQLite: results.sqlite == StoreCounters.sqliteVersion))
  }

  private func ratio(of size: BenchResult.Size, to old: BenchResult.Size) -> BenchRatio {
    isOfSameRun
      ? BenchRatio(size.seconds, besides: old.seconds)
      : BenchRatio(size.seconds, against: old.seconds, drift: drift(from: old, to: size))
  }

  /// By which part of it the machine's speed has changed since then.
  private func drift(from old: BenchResult.Size, to new: BenchResult.Size) -> Double {
    guard let (a, b) = old.pace.flatMap({ a in new.pace.map { (a, $0) } }), a > 0,
      b > 0
    else { return 0 }
    return max(a / b, b / a) - 1
  }
}
