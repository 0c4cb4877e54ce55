/// Whether differences of pairs lie around zero, by the signed ranks of Wilcoxon.
///
/// The statistic is counted as the number of Walsh averages (those of any two differences, and of each with itself) that
/// are above zero, which is the sum of the positive differences' ranks. Its distribution is the exact one.
struct SignedRanks {
  /// Sorted.
  private let averages: [Double]
  /// The probability of each value of the statistic by mere chance.
  private let probabilities: [Double]

  /// - Complexity: The square of the number of pairs for the averages, its cube for the distribution.
  init(_ differences: [Double]) {
    averages = differences.indices.flatMap { i in
      differences[i...].map { (differences[i] + $0) / 2 }
    }.sorted()
    probabilities = Self.distribution(of: differences.count)
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
    return min(1, 2 * probabilities.prefix(lesser + 1).reduce(0, +))
  }

  /// Where the middle of the differences lies, but for a probability at either end; nil with too few pairs for that.
  func interval(tail: Double) -> ClosedRange<Double>? {
    var (place, sum) = (0, 0.0)
    while place < probabilities.count, sum + probabilities[place] <= tail {
      sum += probabilities[place]
      place += 1
    }
    guard place >= 1, 2 * place <= averages.count else { return nil }
    return averages[place - 1]...averages[averages.count - place]
  }
}
