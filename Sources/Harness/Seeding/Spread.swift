/// How often each of several things is chosen.
enum Spread: String, CaseIterable {
  /// All equally often.
  case uniform
  /// The first ones more often: the first hundredth has a tenth.
  case skewed
  /// By Zipf's law: the second one half as often as the first, the third a third as often.
  case zipf
}

/// Chooses among so many things, with integers only: what floating point makes of logarithms and
/// powers isn't the same everywhere.
struct Chooser {
  let count: Int
  private let spread: Spread
  /// For Zipf's law and weights: the sums of the weights so far.
  private let sums: [UInt64]
  /// Most things that Zipf's law is done for; the sums take eight bytes each.
  static let mostForZipf = 1_000_000

  init(count: Int, _ spread: Spread) {
    self.count = count
    self.spread = spread
    sums = spread == .zipf ? Self.sums((0..<count).map { (1 << 32) / UInt64($0 + 1) }) : []
  }

  /// Chooses by weights, of which one at least isn't 0.
  init(weights: [UInt64]) {
    count = weights.count
    spread = .zipf
    sums = Self.sums(weights)
  }

  private static func sums(_ weights: [UInt64]) -> [UInt64] {
    var sum: UInt64 = 0
    return weights.map { weight in
      sum += weight
      return sum
    }
  }

  /// An index below ``count``.
  func index(_ chance: inout Chance) -> Int {
    switch spread {
    case .uniform: return chance.index(below: count)
    case .skewed:
      let half = chance.next() >> 32
      return Int(((half * half) >> 32).multipliedFullWidth(by: UInt64(count) << 32).high)
    case .zipf:
      guard let total = sums.last, total > 0 else { return 0 }
      let mark = chance.next().multipliedFullWidth(by: total).high
      return firstIndex(above: mark)
    }
  }

  private func firstIndex(above mark: UInt64) -> Int {
    var (low, high) = (0, sums.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > mark { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
