/// What several measurements come to.
struct BenchStatistics: Codable, Equatable {
  let median: Double
  let p90: Double
  let p99: Double
  /// The middle half's width as a part of the median.
  let spread: Double
  private let count: Int

  init(_ samples: [Double]) {
    count = samples.count
    let sorted = samples.sorted()
    median = sorted.quantile(0.5)
    p90 = sorted.quantile(0.9)
    p99 = sorted.quantile(0.99)
    let width = sorted.quantile(0.75) - sorted.quantile(0.25)
    spread = median > 0 ? width / median : 0
  }

  /// By which part of itself the median may be off, for all but one in a few hundred cases: three standard
  /// errors, by the middle half's width, which single slow samples don't change. Nil for a single sample,
  /// which says nothing of that.
  var doubt: Double? {
    count > 1 ? 3 * 1.2533 * spread / 1.349 / Double(count).squareRoot() : nil
  }
}

extension [Double] {
  /// The value below which a part of the sorted elements are, between two of them in proportion.
  fileprivate func quantile(_ part: Double) -> Double {
    guard let last, count > 1 else { return first ?? 0 }
    let place = part * Double(count - 1)
    let index = Int(place)
    if index + 1 >= count { return last }
    return self[index] + (self[index + 1] - self[index]) * (place - Double(index))
  }
}

/// How time grows with size: `seconds = c · objects^exponent`, by least squares of the logarithms.
enum GrowthExponent {
  /// Nil with fewer than two sizes.
  static func of(_ points: [(objects: Int, seconds: Double)]) -> Double? {
    let logs = points.filter { $0.objects > 0 && $0.seconds > 0 }
      .map { (x: log(Double($0.objects)), y: log($0.seconds)) }
    guard Set(logs.map(\.x)).count > 1 else { return nil }
    let n = Double(logs.count)
    let (meanX, meanY) = (logs.map(\.x).reduce(0, +) / n, logs.map(\.y).reduce(0, +) / n)
    let covariance = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
    let variance = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
    return covariance / variance
  }

  /// By how much the exponent may be off where each size's time may be, by a part of it.
  static func doubt(of points: [(objects: Int, doubt: Double)]) -> Double? {
    let logs = points.filter { $0.objects > 0 }.map { log(Double($0.objects)) }
    guard logs.count == points.count, Set(logs).count > 1 else { return nil }
    let mean = logs.reduce(0, +) / Double(logs.count)
    let variance = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let squares = zip(logs, points).map { x, point in
      let weight = (x - mean) / variance * point.doubt
      return weight * weight
    }
    return squares.reduce(0, +).squareRoot()
  }
}

/// What two sets of samples say of each other.
package enum BenchVerdict: String, Codable, Sendable {
  case better, worse, same, inconclusive

  /// A difference smaller than this is none.
  private static let leastDifference = 1.05
  /// Ranks as uneven as they are by chance once in two thousand times are taken for a difference, if
  /// the medians agree. Nine samples on either side can show that, fewer can't.
  private static let chance = 0.0005

  /// Compares by ranks, which a few slow samples can't turn round, and asks of the medians that they
  /// differ by more than the samples spread.
  /// - Parameters:
  ///   - drift: By which part the machine's own speed differed between the two.
  ///   - mostSpread: Samples that spread more than that are too uncertain for a verdict.
  static func of(
    _ new: [Double], against old: [Double], drift: Double = 0, mostSpread: Double = .infinity
  ) -> BenchVerdict {
    let (a, b) = (BenchStatistics(new), BenchStatistics(old))
    guard a.median > 0, b.median > 0 else { return .inconclusive }
    let ratio = a.median / b.median
    let noise = max(a.spread, b.spread)
    if noise > mostSpread { return .inconclusive }
    let difference = max(ratio, 1 / ratio)
    if difference > leastDifference + drift, difference > 1 + noise + drift,
      probability(new, old) < chance
    {
      return ratio > 1 ? .worse : .better
    }
    return difference <= 1.1 && noise <= 0.1 && drift <= 0.1 ? .same : .inconclusive
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
}
