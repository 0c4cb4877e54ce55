/// What two sets of samples say of each other.
package enum BenchVerdict: String, Codable, Sendable {
  case better, worse, same, inconclusive
}

/// How many times as long one takes as another, and how sure that is.
///
/// The interval is that of Hodges and Lehmann: the ratios for which a rank test wouldn't tell the two apart. It is wide
/// where samples spread, so that a difference beyond it is one however noisy both are. A few slow samples can't turn a
/// comparison by ranks round.
struct BenchRatio: Equatable, Sendable {
  /// Of the medians.
  let medians: Double
  /// Where the ratio lies in nineteen of twenty comparisons; nil with too few samples for that.
  let interval: ClosedRange<Double>?
  let verdict: BenchVerdict

  /// A difference smaller than this is none.
  private static let leastDifference = 0.05
  /// By how much one build differs from itself at another time on a machine that does nothing else: a quarter covers all
  /// but a few of a thousand comparisons.
  private static let leastDifferenceApart = 0.25
  /// What is less than this is the same.
  private static let leastChange = 1.1
  /// Ranks as uneven as they are by chance once in a thousand times are taken for a difference, if the interval agrees.
  private static let chance = 0.001
  /// Of how many standard deviations of the ranks the interval is made.
  private static let deviations = 1.96

  /// Compares two that took turns, sample by sample: each pair was measured at one time, so that what slowed the machine
  /// down slowed both (the signed ranks of Wilcoxon; ten pairs or fewer can't show a difference).
  init(_ new: [Double], besides old: [Double]) {
    guard new.count == old.count, let medians = Self.medians(new, old) else {
      (medians, interval, verdict) = (1, nil, .inconclusive)
      return
    }
    self.medians = medians
    let pairs = SignedRanks(zip(new, old).map { log($0 / $1) })
    let sure = pairs.interval.map { exp($0.lowerBound)...exp($0.upperBound) }
    interval = sure.map { $0.including(medians) }
    let difference =
      pairs.probability < Self.chance ? sure : Self.gap(new, old, least: 3)
    if let told = Self.verdict(difference, beyond: 1 + Self.leastDifference) {
      verdict = told
    } else {
      let isSame = sure.map { max($0.upperBound, 1 / $0.lowerBound) <= Self.leastChange }
      verdict = isSame ?? Self.isSteady(new, besides: old, around: medians) ? .same : .inconclusive
    }
  }

  /// Compares two that were measured at different times (the ranks of Mann and Whitney; seven samples on either side
  /// can't show a difference). On a machine that is busy now and then, samples differ by more than those of either time
  /// show.
  /// - Parameter drift: By which part the machine's own speed differed between the two.
  init(_ new: [Double], against old: [Double], drift: Double = 0) {
    guard let medians = Self.medians(new, old) else {
      (medians, interval, verdict) = (1, nil, .inconclusive)
      return
    }
    self.medians = medians
    let sure = Self.interval(new, old)
    interval = sure.map { $0.including(medians) }
    let noise = max(BenchStatistics(new).spread, BenchStatistics(old).spread)
    let difference =
      Self.probability(new, old) < Self.chance ? sure : Self.gap(new, old, least: 10)
    let least = 1 + max(Self.leastDifferenceApart, noise) + drift
    if let told = Self.verdict(difference, beyond: least) {
      verdict = told
    } else {
      verdict =
        Self.isSteady(new, besides: old, around: medians) && drift <= 0.1 ? .same : .inconclusive
    }
  }

  /// Whether the medians hardly differ, nor the samples of either side.
  private static func isSteady(_ new: [Double], besides old: [Double], around medians: Double)
    -> Bool
  {
    let noise = max(BenchStatistics(new).spread, BenchStatistics(old).spread)
    return max(medians, 1 / medians) <= leastChange && noise <= 0.1
  }

  /// Nil where a time is no time.
  private static func medians(_ new: [Double], _ old: [Double]) -> Double? {
    let (a, b) = (BenchStatistics(new).median, BenchStatistics(old).median)
    return (new + old).allSatisfy { $0 > 0 } && a > 0 && b > 0 ? a / b : nil
  }

  private static func verdict(
    _ ratio: ClosedRange<Double>?, beyond least: Double
  ) -> BenchVerdict? {
    guard let ratio else { return nil }
    if ratio.lowerBound > least { return .worse }
    return ratio.upperBound < 1 / least ? .better : nil
  }

  // MARK: At different times

  /// The two-sided probability of ranks this uneven by mere chance (Mann and Whitney, with the normal
  /// distribution).
  static func probability(_ a: [Double], _ b: [Double]) -> Double {
    let (n, m) = (Double(a.count), Double(b.count))
    guard n > 1, m > 1 else { return 1 }
    var wins = 0.0
    for x in a { for y in b { wins += x > y ? 1 : x == y ? 0.5 : 0 } }
    let deviation = (n * m * (n + m + 1) / 12).squareRoot()
    let z = (abs(wins - n * m / 2) - 0.5) / deviation
    return erfc(z / 2.0.squareRoot())
  }

  /// Nil with too few samples for a rank test.
  private static func interval(_ new: [Double], _ old: [Double]) -> ClosedRange<Double>? {
    let (n, m) = (Double(new.count), Double(old.count))
    let place = Int(
      (n * m / 2 - deviations * (n * m * (n + m + 1) / 12).squareRoot()).rounded(.down))
    guard place >= 1 else { return nil }
    let ratios = new.flatMap { a in old.map { a / $0 } }.sorted()
    return ratios[place - 1]...ratios[ratios.count - place]
  }

  // MARK: Few samples

  /// How far apart samples are that are too few for a rank test; nil unless that is further than those of
  /// either side are from each other, and by more than a busy machine does.
  private static func gap(
    _ new: [Double], _ old: [Double], least: Double
  ) -> ClosedRange<Double>? {
    guard min(new.count, old.count) >= 3,
      let (a, b) = range(new).flatMap({ a in range(old).map { (a, $0) } })
    else { return nil }
    let least = max(least, a.upperBound / a.lowerBound, b.upperBound / b.lowerBound)
    let gap = max(a.lowerBound / b.upperBound, b.lowerBound / a.upperBound)
    guard gap > least else { return nil }
    return a.lowerBound / b.upperBound...a.upperBound / b.lowerBound
  }

  private static func range(_ samples: [Double]) -> ClosedRange<Double>? {
    guard let low = samples.min(), let high = samples.max() else { return nil }
    return low...high
  }

  /// `worse ×1.32 (1.25–1.40)`.
  var text: String {
    let range = interval.map {
      String(format: " (%.2f–%.2f)", $0.lowerBound, $0.upperBound)
    }
    return verdict.rawValue + String(format: " ×%.2f", medians) + (range ?? "")
  }
}

extension ClosedRange<Double> {
  /// What is shown beside the ratio of the medians, which may lie just outside.
  fileprivate func including(_ value: Double) -> Self {
    Swift.min(lowerBound, value)...Swift.max(upperBound, value)
  }
}
