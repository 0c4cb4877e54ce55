/// Places at the other side of links, where the model says how many links each object there may have.
///
/// Each object made by rule takes a place of its own, so that none there gets more than it may, and all
/// get as many as they must before any gets more.
struct LinkSlots: Sendable {
  private let poolCount: Int
  /// Places that must be taken, then those that may be; nil where there is no limit.
  private let required: Permutation
  private let requiredCount: Int
  private let others: Permutation?
  /// How many links fit; nil without a limit.
  let capacity: Int?

  /// - Parameters:
  ///   - least: How many links each object there must have.
  ///   - most: How many it may have; 0 for any number.
  init(poolCount: Int, least: Int, most: Int, _ chance: inout Chance) {
    self.poolCount = poolCount
    requiredCount = poolCount * least
    required = Permutation(below: UInt64(max(1, requiredCount)), &chance)
    capacity = most == 0 ? nil : poolCount * most
    others =
      most > least ? Permutation(below: UInt64(max(1, poolCount * (most - least))), &chance) : nil
  }

  /// - Returns: The position of the object that link number `index` leads to; nil when there is no place
  ///   left, or the choice is free.
  func target(_ index: Int) -> Int? {
    if index < requiredCount { return Int(required.number(UInt64(index)) % UInt64(poolCount)) }
    guard let others, index < capacity ?? 0 else { return nil }
    return Int(others.number(UInt64(index - requiredCount)) % UInt64(poolCount))
  }
}
