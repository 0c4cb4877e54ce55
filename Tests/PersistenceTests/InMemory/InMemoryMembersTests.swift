import TestSupport
import Testing

@testable import Persistence

/// Members are in the order in which they came, each once, however they are kept.
@Suite struct InMemoryMembersTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func areLikeAListOfDistinctKeys(seed: UInt64) {
    var random = RandomSource(seed: seed)
    var (members, expected) = (InMemoryMembers.none, [Int64]())
    func add(_ key: Int64) { if !expected.contains(key) { expected.append(key) } }
    // Mostly rising keys, as of rows that are made; few keys, so that they come again.
    let range: ClosedRange<Int64> = seed % 2 == 0 ? 1...12 : 1...60
    for step in 0..<40 as Range<Int64> {
      let key = seed % 3 == 0 ? step : Int64.random(in: range, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        members.remove(key)
        expected.removeAll { $0 == key }
      case 1:
        members.change(removing: [key], adding: [key + 1, key])
        expected.removeAll { $0 == key }
        add(key + 1)
        add(key)
      case 2:
        members.subtract([key, key + 2])
        expected.removeAll { $0 == key || $0 == key + 2 }
      case 3:
        let order = Array(expected.shuffled(using: &random).dropLast())
        members.order(as: order + [-1])
        expected = order + expected.filter { !order.contains($0) }
      default:
        members.append(key)
        add(key)
      }
      #expect(Array(members.keys) == expected)
      #expect(members.isEmpty == expected.isEmpty)
    }
  }
}
