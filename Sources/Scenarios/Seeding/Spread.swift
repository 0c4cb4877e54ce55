/// How often each of several things is chosen.
enum Spread: String, CaseIterable, Sendable {
  /// All equally often.
  case uniform
  /// The first ones more often: the first hundredth has a tenth.
  case skewed
  /// By Zipf's law: the second one half as often as the first, the third a third as often.
  case zipf
}

/// Chooses among so many things, with integers only: what floating point makes of logarithms and
/// powers isn't the same everywhere.
struct Chooser: Sendable {
  let count: Int
  private let spread: Spread
  /// For Zipf's law and weights: the sums of the weights so far.
  private let sums: [UInt64]
  /// Where groups of things begin that have one weight together; things before the first of them have a
  /// weight each.
  private let groups: [Int]
  /// Things that Zipf's law has a weight each for; the sums take eight bytes each.
  private static let singleCount = 1_000_000

  init(count: Int, _ spread: Spread) {
    self.count = count
    self.spread = spread
    guard spread == .zipf else {
      (sums, groups) = ([], [])
      return
    }
    let single = min(count, Self.singleCount)
    groups = Self.groups(of: count)
    let ends = groups.dropFirst() + [count]
    var weights: [UInt64] = (0..<single).map { (1 << 32) / UInt64($0 + 1) }
    for (start, end) in zip(groups, ends) {
      weights.append(UInt64(end - start) * ((1 << 32) / UInt64((start + end) / 2 + 1)))
    }
    sums = Self.sums(weights)
  }

  /// Groups so narrow that the weights in one hardly differ.
  private static func groups(of count: Int) -> [Int] {
    var (starts, start) = ([Int](), singleCount)
    while start < count {
      starts.append(start)
      start += start / 1024
    }
    return starts
  }

  /// Chooses by weights, of which one at least isn't 0.
  init(weights: [UInt64]) {
    count = weights.count
    spread = .zipf
    sums = Self.sums(weights)
    groups = []
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
      let group = (0..<sums.count - 1).firstPlace { sums[$0] > mark }
      return index(inGroup: group, &chance)
    }
  }

  private func index(inGroup number: Int, _ chance: inout Chance) -> Int {
    let group = number - (sums.count - groups.count)
    guard group >= 0 else { return number }
    let end = group + 1 < groups.count ? groups[group + 1] : count
    return groups[group] + chance.index(below: end - groups[group])
  }
}
