/// What makes a benchmark fail.
package struct BenchGates: Sendable {
  /// The largest growth exponent; what may be nothing but the samples' spread isn't beyond it.
  package var exponent: Double?
  /// The largest peak memory of any sample, in megabytes.
  package var megabytes: Double?
  /// How many times the baseline's median a confident regression may be.
  package var ratio: Double?
  /// The largest sum of the sizes of a migration's files in any sample, in megabytes.
  package var diskMegabytes: Double?
  /// The most that hooks may do for each source object.
  package var hooks: [HookGate] = []

  /// What is beyond the gates, in words.
  func failures(of result: BenchResult, against baseline: BenchBaseline?) -> [String] {
    let sizes = result.sizes.flatMap { size -> [String] in
      let comparison = baseline?.comparison(of: size, in: result)
      return [
        memoryFailure(of: size), diskFailure(of: size),
        comparison?.ratio.flatMap { ratioFailure(of: size, $0) },
        baseline != nil && comparison == nil ? absenceFailure(of: size) : nil,
      ].compactMap { $0 } + counterFailures(of: size, comparison)
        + hooks.flatMap { $0.failures(of: size) }
    }
    return [exponentFailure(of: result)].compactMap { $0 } + sizes
  }

  /// What is beyond the gates, but may be nothing but the samples' spread, in words.
  func doubts(of result: BenchResult) -> [String] {
    guard let excess = exponentExcess(of: result), !excess.isSure else { return [] }
    return [excess.text + ", but not certainly: take more samples"]
  }

  /// Gates that nothing was measured for in any scenario, in words: to be within them says nothing.
  func unmeasured(in results: [BenchResult], against baseline: BenchBaseline?) -> [String] {
    let pairs = results.flatMap { result in result.sizes.map { (size: $0, result) } }
    let isCompared = pairs.contains { baseline?.comparison(of: $0.size, in: $0.1) != nil }
    let all: [(isMissing: Bool, text: String)] = [
      (
        exponent != nil && results.allSatisfy { $0.exponent == nil },
        "--max-exponent: no scenario was measured at two sizes; its rows are repeated whole"
      ),
      (
        diskMegabytes != nil && pairs.allSatisfy { ($0.size.diskBytes ?? 0) == 0 },
        "--max-disk: stores in memory take nothing on disk"
      ),
      (!hooks.isEmpty && pairs.allSatisfy { $0.size.hookSteps.isEmpty }, "--gate: no hook ran"),
      (baseline != nil && !isCompared, "nothing that was measured is in the baseline"),
    ]
    return results.isEmpty ? [] : all.filter(\.isMissing).map(\.text)
  }

  private func exponentFailure(of result: BenchResult) -> String? {
    exponentExcess(of: result).flatMap { $0.isSure ? $0.text : nil }
  }

  private func exponentExcess(of result: BenchResult) -> (text: String, isSure: Bool)? {
    guard let most = exponent, let exponent = result.exponent, exponent > most else { return nil }
    let text =
      "time grows with objects^\(GrowthExponent.text(exponent)), more than ^\(GrowthExponent.text(most))"
    return (text, result.exponentDoubt.map { exponent - $0 > most } ?? false)
  }

  private func memoryFailure(of size: BenchResult.Size) -> String? {
    let peak = Double(size.peakBytes) / 1_048_576
    guard let megabytes, peak > megabytes else { return nil }
    return String(
      format: "%@ objects take %.0f MB of memory, more than %.0f MB",
      CountText.text(size.objects), peak, megabytes)
  }

  private func diskFailure(of size: BenchResult.Size) -> String? {
    let peak = size.diskBytes ?? 0
    guard let diskMegabytes, Double(peak) > diskMegabytes * 1_048_576 else { return nil }
    let most = ByteText.text(Int64(diskMegabytes * 1_048_576))
    return
      "\(CountText.text(size.objects)) objects take \(ByteText.text(peak)) on disk, more than \(most)"
  }

  /// A gate that has nothing to compare with isn't passed.
  private func absenceFailure(of size: BenchResult.Size) -> String? {
    guard let ratio else { return nil }
    return String(
      format:
        "%@ objects aren't in the baseline, so that nothing says whether they take more than %g times as long",
      CountText.text(size.objects), ratio)
  }

  private func ratioFailure(of size: BenchResult.Size, _ found: BenchRatio) -> String? {
    guard found.verdict == .worse else { return nil }
    if let ratio, found.medians <= ratio { return nil }
    return String(
      format: "%@ objects take %.2f times as long as before", CountText.text(size.objects),
      found.medians)
  }

  /// Counters are exact: one more is one too many.
  private func counterFailures(
    of size: BenchResult.Size, _ comparison: BenchComparison?
  ) -> [String] {
    (comparison?.counterChanges ?? []).filter(\.isWorse).map {
      "\(CountText.text(size.objects)) objects: \($0.text)"
    }
  }
}
