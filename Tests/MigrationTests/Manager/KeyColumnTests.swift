import TestSupport
import Testing

@testable import Migration

/// Keys, and the rows they are in.
@Suite struct KeyColumnTests {
  /// One by one, with gaps, beyond 32 bits, below 0.
  @Test(arguments: [
    [Int64](1...50), [7, 8, 9, 12, 13, 400],
    [4_294_967_295, 4_294_967_296, 4_294_967_297], [-3, -2, -1, 0, 1],
    [Int64.max - 1, Int64.max], many { $0 }, many { $0 + $0 / 20 },
  ])
  func ascendingKeysAreFound(_ keys: [Int64]) {
    let column = ContiguousArray(keys)
    for (row, key) in keys.enumerated() { #expect(column.sortedPlace(of: key) == row) }
    #expect(column.sortedPlace(of: 100_000) == nil)
    #expect(ContiguousArray<Int64>().sortedPlace(of: 1) == nil)
  }

  private static func many(_ key: (Int64) -> Int64) -> [Int64] { (0..<200).map { key($0) } }

  @Test func entitiesComeBack() {
    var column = EntityColumn()
    let entities: [UInt16] = [3, 3, 3, 1, 3, 2]
    for (row, entity) in entities.enumerated() {
      column.append(entity)
      #expect((0...row).map { column[$0] } == Array(entities[...row]))
    }
  }
}
