/// A shuffling of the numbers below a count, each of which can be asked for by itself: Feistel rounds,
/// again and again until the result is below the count.
struct Permutation: Sendable {
  let count: UInt64
  private let halfWidth: UInt64
  private let keys: [UInt64]

  /// - Parameter count: From 1 to 2⁶².
  init(below count: UInt64, _ chance: inout Chance) {
    self.count = max(1, min(count, 1 << 62))
    let width = UInt64(64 - (self.count - 1).leadingZeroBitCount)
    halfWidth = max(1, (width + 1) / 2)
    keys = (0..<4).map { _ in chance.next() }
  }

  /// - Parameter index: Below ``count``.
  func number(_ index: UInt64) -> UInt64 {
    var number = index
    // The rounds go over at most four times as many numbers as there are, so this ends soon.
    repeat { number = shuffled(number) } while number >= count
    return number
  }

  private func shuffled(_ number: UInt64) -> UInt64 {
    let mask = (1 as UInt64) << halfWidth - 1
    var (high, low) = (number >> halfWidth, number & mask)
    for key in keys { (high, low) = (low, high ^ (Chance.mixed(low ^ key) & mask)) }
    return high << halfWidth | low
  }
}
