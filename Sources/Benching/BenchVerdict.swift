/// What two sets of samples say of each other.
package enum BenchVerdict: String, Codable, Sendable {
  case better, worse, same, inconclusive
}

/// How many times as long one build takes as another, and how sure that is.
struct BenchRatio: Equatable, Sendable {
  /// Of the medians.
  let medians: Double
  /// Where the ratio lies in nineteen of twenty comparisons; nil with too few samples for that.
  let interval: ClosedRange<Double>?
  let verdict: BenchVerdict

  /// A difference smaller than this is none.
  private static let leastDifference = 0.05
  /// Ranks as uneven as they are by chance once in a thousand times are taken for a difference, if the interval
  /// agrees. Eight samples on either side can show that, fewer can't.
  private static let chance = 0.001
  /// Of how many standard deviations of the ranks the interval is made.
  private static let deviations = 1.96

  /// Compares by ranks, which a few slow samples can't turn round, and asks of the ratio's interval that it is
  /// beyond what samples differ by that were taken of one build.
  ///
  /// The interval is that of Hodges and Lehmann: the ratios for which the rank test of Mann and Whitney
  /// wouldn't tell the two apart. It is wide where samples spread, so that a difference beyond it is one
  /// however noisy both are.
  /// - Parameters:
  ///   - isApart: Whether they were measured at different times. On a machine that is busy now and then,
  ///     samples differ by more then than those of either time show.
  ///   - drift: By which part the machine's own speed differed between the two.
  init(_ new: [Double], against old: [Double], isApart: Bool = false, drift: Double = 0) {
    let (a, b) = (BenchStatistics(new), BenchStatistics(old))
    guard a.median > 0, b.median > 0, (new + old).allSatisfy({ $0 > 0 }) else {
      (medians, interval, verdict) = (1, nil, .inconclusive)
      return
    }
    medians = a.median / b.median
    interval = Self.interval(new, old, including: medians)
    let noise = max(a.spread, b.spread)
    let least = 1 + max(Self.leastDifference, noise * (isApart ? 2 : 0.5)) + drift
    let isByRank = Self.probability(new, old) < Self.chance
    if let sure = isByRank ? interval : Self.gap(new, old, isApart: isApart) {
      if sure.lowerBound > least {
        verdict = .worse
        return
      }
      if sure.upperBound < 1 / least {
        verdict = .better
        return
      }
    }
    let difference = max(medians, 1 / medians)
    verdict = difference <= 1.1 && noise <= 0.1 && drift <= 0.1 ? .same : .inconclusive
  }

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
  private static func interval(
    _ new: [Double], _ old: [Double], including medians: Double
  ) -> ClosedRange<Double>? {
    let (n, m) = (Double(new.count), Double(old.count))
    let place = Int(
      (n * m / 2 - deviations * (n * m * (n + m + 1) / 12).squareRoot()).rounded(.down))
    guard place >= 1 else { return nil }
    let ratios = new.flatMap { a in old.map { a / $0 } }.sorted()
    let (low, high) = (ratios[place - 1], ratios[ratios.count - place])
    return min(low, medians)...max(high, medians)
  }

  /// How far apart samples are that are too few for a rank test; nil unless that is further than those of
  /// either side are from each other, and by more than a busy machine does.
  private static func gap(
    _ new: [Double], _ old: [Double], isApart: Bool
  ) -> ClosedRange<Double>? {
    guard min(new.count, old.count) >= 3,
      let (a, b) = range(new).flatMap({ a in range(old).map { (a, $0) } })
    else { return nil }
    let least = max(isApart ? 10 : 3, a.upperBound / a.lowerBound, b.upperBound / b.lowerBound)
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
