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

  /// With two decimals; none has a sign.
  static func text(_ exponent: Double) -> String {
    String(format: "%.2f", (exponent * 100).rounded() / 100 + 0)
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
