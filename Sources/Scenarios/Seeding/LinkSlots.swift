/// Places at the other side of links, where the model says how many links each object there may have.
///
/// Each object made by rule takes a place of its own, so that none there gets more than it may, and all
/// get as many as they must before any gets more.
struct LinkSlots: Sendable {
  /// Places that must be taken, then those that may be; nil where there is no limit.
  private let required: Places
  private let others: Places?
  /// How many links fit; nil without a limit.
  let capacity: Int?

  /// - Parameters:
  ///   - least: How many links each object there must have.
  ///   - most: How many it may have; 0 for any number.
  ///   - taken: How many the first ones have already.
  init(poolCount: Int, least: Int, most: Int, taken: [Int], _ chance: inout Chance) {
    required = Places(poolCount, of: least, first: taken.map { max(0, least - $0) }, &chance)
    others =
      most > least
      ? Places(
        poolCount, of: most - least, first: taken.map { max(0, most - max(least, $0)) }, &chance)
      : nil
    capacity = most == 0 ? nil : required.count + (others?.count ?? 0)
  }

  /// - Returns: The position of the object that link number `index` leads to; nil when there is no place
  ///   left, or the choice is free.
  func target(_ index: Int) -> Int? {
    if index < required.count { return required.object(index) }
    guard let others, index < capacity ?? 0 else { return nil }
    return others.object(index - required.count)
  }
}

/// So many places at each of some objects, shuffled.
private struct Places: Sendable {
  let count: Int
  /// Up to which number the places of the first objects go, where those have fewer than the others.
  private let ends: [Int]
  private let evenCount: Int
  private let order: Permutation

  init(_ poolCount: Int, of each: Int, first: [Int], _ chance: inout Chance) {
    var (end, ends) = (0, [Int]())
    if first.contains(where: { $0 != each }) {
      for places in first {
        end += places
        ends.append(end)
      }
    }
    self.ends = ends
    evenCount = poolCount - ends.count
    count = end + evenCount * each
    order = Permutation(below: UInt64(max(1, count)), &chance)
  }

  /// - Parameter index: Below ``count``.
  func object(_ index: Int) -> Int {
    let place = Int(order.number(UInt64(index)))
    let end = ends.last ?? 0
    if place >= end { return ends.count + (place - end) % evenCount }
    return ends.indices.firstPlace { place < ends[$0] }
  }
}
