/// Whether differences of pairs lie around zero, by the signed ranks of Wilcoxon.
///
/// The statistic is counted as the number of Walsh averages (those of any two differences, and of each with itself) that
/// are above zero, which is the sum of the positive differences' ranks. Its distribution is the exact one for up to 200
/// pairs, and the normal one for more.
struct SignedRanks {
  /// Sorted.
  private let averages: [Double]
  /// The probability of each value of the statistic by mere chance; nil where there are too many to count them.
  private let probabilities: [Double]?
  /// Of the normal distribution.
  private let mean: Double
  private let deviation: Double

  private static let mostExact = 200

  /// - Complexity: The square of the number of pairs; up to 200 pairs its cube.
  init(_ differences: [Double]) {
    let count = Double(differences.count)
    mean = count * (count + 1) / 4
    deviation = (count * (count + 1) * (2 * count + 1) / 24).squareRoot()
    averages = differences.indices.flatMap { i in
      differences[i...].map { (differences[i] + $0) / 2 }
    }.sorted()
    probabilities =
      differences.count > Self.mostExact ? nil : Self.distribution(of: differences.count)
  }

  /// Each difference is above zero or below it with the same chance, whatever its rank.
  private static func distribution(of count: Int) -> [Double] {
    var chances = [1.0]
    for rank in 1..<max(count + 1, 1) {
      var next = [Double](repeating: 0, count: chances.count + rank)
      for (value, chance) in chances.enumerated() {
        next[value] += chance / 2
        next[value + rank] += chance / 2
      }
      chances = next
    }
    return chances
  }

  /// The two-sided probability of ranks this uneven by mere chance.
  var probability: Double {
    let above = averages.count { $0 > 0 }
    let below = averages.count { $0 < 0 }
    // An average of zero is half of either side.
    let lesser = min(above, below) + (averages.count - above - below) / 2
    guard let probabilities else {
      return min(1, erfc((mean - Double(lesser) - 0.5) / deviation / 2.0.squareRoot()))
    }
    return min(1, 2 * probabilities.prefix(lesser + 1).reduce(0, +))
  }

  /// Where the middle of the differences lies in nineteen of twenty cases; nil with too few pairs for that.
  var interval: ClosedRange<Double>? {
    let place = leftOut
    guard place >= 1, 2 * place <= averages.count else { return nil }
    return averages[place - 1]...averages[averages.count - place]
  }

  /// At which place from either end the interval begins: what is further out has a probability of 2.5%.
  private var leftOut: Int {
    guard let probabilities else { return Int((mean - 1.96 * deviation).rounded(.down)) }
    var (place, sum) = (0, 0.0)
    while place < probabilities.count, sum + probabilities[place] <= 0.025 {
      sum += probabilities[place]
      place += 1
    }
    return place
  }
}
