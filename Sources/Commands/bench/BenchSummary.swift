/// Everything that a report of a benchmark tells.
struct BenchSummary {
  let results: BenchResults
  let baseline: BenchBaseline?
  let gates: BenchGates

  /// What is beyond the gates.
  func failures(of result: BenchResult) -> [String] {
    gates.failures(of: result, against: baseline)
  }

  /// Gates that nothing was measured for.
  var unmeasured: [String] { gates.unmeasured(in: results.scenarios, against: baseline) }

  /// What is beyond the gates, but not surely, and what hooks do more of with more objects.
  func doubts(of result: BenchResult) -> [String] {
    gates.doubts(of: result) + result.growingHooks
  }

  /// What got better by exact counters.
  func improvements(of result: BenchResult) -> [String] {
    result.sizes.flatMap { size in
      (comparison(of: size, in: result)?.counterChanges ?? []).filter { !$0.isWorse }.map {
        "\(CountText.text(size.objects)) objects: \($0.text)"
      }
    }
  }

  /// What is said of all sizes together where no gate failed: that nothing is known is no pass.
  var isInconclusive: Bool {
    let verdicts = results.scenarios.flatMap { result in
      result.sizes.compactMap { comparison(of: $0, in: result)?.verdict }
    }
    return !verdicts.isEmpty && verdicts.allSatisfy { $0 == .inconclusive }
  }

  func comparison(of size: BenchResult.Size, in result: BenchResult) -> BenchComparison? {
    baseline?.comparison(of: size, in: result)
  }
}

/// What all samples of one size say of one step, or of one of its passes.
struct BenchRow {
  let name: String
  /// Nil for a step that ran together with the next.
  let time: BenchStatistics?
  let objectsPerSecond: Int?
  let cpuSeconds: Double?
  let peakBytes: Int64?
  let writtenBytes: Int64?
  let diskBytes: Int64?

  /// A step, all its passes together.
  init(step index: Int, of samples: [BenchSample]) {
    let steps = samples.compactMap { $0.steps.indices.contains(index) ? $0.steps[index] : nil }
    let time = BenchStatistics(steps.map(\.seconds))
    self.init(
      steps.first?.name ?? "", of: steps, time, isKnown: time.median > 0,
      uses: steps.map { Array($0.passes.values) })
  }

  init(_ pass: BenchPass, ofStep index: Int, of samples: [BenchSample]) {
    let steps = samples.compactMap { $0.steps.indices.contains(index) ? $0.steps[index] : nil }
    let uses = steps.compactMap { $0.passes[pass] }
    self.init(
      pass.rawValue, of: steps, BenchStatistics(uses.map(\.seconds)), isKnown: true,
      uses: uses.map { [$0] })
  }

  /// - Parameter uses: Of each sample, by pass.
  private init(
    _ name: String, of steps: [StepUsage], _ time: BenchStatistics, isKnown: Bool, uses: [[PassUse]]
  ) {
    self.name = name
    self.time = isKnown ? time : nil
    objectsPerSecond = Self.speed(steps.first?.objects ?? 0, time)
    cpuSeconds = Self.median(uses.map { Self.sum($0.map(\.cpuSeconds)) })
    peakBytes = uses.joined().compactMap(\.peakBytes).max()
    writtenBytes = Self.median(uses.map { Self.sum($0.map { $0.writtenBytes.map(Double.init) }) })
      .map { Int64($0) }
    diskBytes = uses.joined().compactMap(\.diskBytes).max()
  }

  /// Nil where the time is so short that the clock itself is most of it.
  private static func speed(_ objects: Int, _ time: BenchStatistics) -> Int? {
    objects > 0 && time.median > 0.000_1 ? Int(Double(objects) / time.median) : nil
  }

  private static func sum(_ values: [Double?]) -> Double? {
    let known = values.compactMap { $0 }
    return known.isEmpty ? nil : known.reduce(0, +)
  }

  private static func median(_ values: [Double?]) -> Double? {
    let known = values.compactMap { $0 }
    return known.isEmpty ? nil : BenchStatistics(known).median
  }
}

extension BenchResult.Size {
  /// Each step, and the passes that ran in it.
  var stepRows: [(step: BenchRow, passes: [BenchRow])] {
    (samples.first?.steps ?? []).indices.map { index in
      let ran = BenchPass.allCases.filter { pass in
        samples.contains {
          $0.steps.indices.contains(index) && $0.steps[index].passes[pass] != nil
        }
      }
      return (
        BenchRow(step: index, of: samples), ran.map { BenchRow($0, ofStep: index, of: samples) }
      )
    }
  }
}
