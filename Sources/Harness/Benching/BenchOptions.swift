/// What `heavyweight bench` is asked to do.
public struct BenchOptions: Sendable {
  /// Objects in the source store; each is rounded up to whole copies of the scenario's rows.
  public var sizes: [Int]
  public var samples: Int
  public var warmups: Int
  public var gates: BenchGates
  /// Seconds that one migration may take.
  public var timeLimit = 3600.0

  public init(sizes: [Int], samples: Int, warmups: Int, gates: BenchGates = .init()) {
    self.sizes = sizes
    self.samples = samples
    self.warmups = warmups
    self.gates = gates
  }

  /// Sizes as people write them: `1000`, `1e5`, `10k`, `1M`, with commas between them.
  public static func sizes(_ text: String) -> [Int]? {
    let sizes = text.split(separator: ",").map { size($0.trimmingCharacters(in: .whitespaces)) }
    return sizes.isEmpty || sizes.contains(nil) ? nil : sizes.compactMap { $0 }
  }

  private static func size(_ word: String) -> Int? {
    let factor = word.hasSuffix("k") ? 1000.0 : word.hasSuffix("M") ? 1_000_000 : 1
    let digits = factor == 1 ? word : String(word.dropLast())
    guard let number = Double(digits), number.isFinite else { return nil }
    return Int(exactly: number * factor).flatMap { (1...100_000_000).contains($0) ? $0 : nil }
  }
}

/// What makes a benchmark fail.
public struct BenchGates: Sendable {
  /// The largest growth exponent.
  public var exponent: Double?
  /// The largest peak memory of any sample, in megabytes.
  public var megabytes: Double?
  /// How many times the baseline's median a confident regression may be.
  public var ratio: Double?

  public init(exponent: Double? = nil, megabytes: Double? = nil, ratio: Double? = nil) {
    self.exponent = exponent
    self.megabytes = megabytes
    self.ratio = ratio
  }

  /// What is beyond the gates, in words.
  func failures(of result: BenchResult, against baseline: BenchResults?) -> [String] {
    let sizes = result.sizes.flatMap { size in
      [memoryFailure(of: size), ratioFailure(of: size, result, baseline)].compactMap { $0 }
    }
    return [exponentFailure(of: result)].compactMap { $0 } + sizes
  }

  private func exponentFailure(of result: BenchResult) -> String? {
    guard let most = exponent, let exponent = result.exponent, exponent > most else { return nil }
    return String(format: "time grows with objects^%.2f, more than ^%.2f", exponent, most)
  }

  private func memoryFailure(of size: BenchResult.Size) -> String? {
    let peak = Double(size.peakBytes) / 1_048_576
    guard let megabytes, peak > megabytes else { return nil }
    return String(
      format: "%d objects take %.0f MB of memory, more than %.0f MB", size.objects, peak, megabytes)
  }

  private func ratioFailure(
    of size: BenchResult.Size, _ result: BenchResult, _ baseline: BenchResults?
  ) -> String? {
    guard let old = baseline?.size(size.objects, of: result.file),
      BenchVerdict.of(size.seconds, against: old.seconds) == .worse
    else { return nil }
    let found = size.statistics.median / old.statistics.median
    if let ratio, found <= ratio { return nil }
    return String(format: "%d objects take %.2f times as long as before", size.objects, found)
  }
}
