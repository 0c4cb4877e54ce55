import TestSupport
import Testing

@testable import Persistence

/// Rows by their keys: whatever comes and goes, a row is found by its key and given in order.
@Suite struct RowTableTests {
  private static func model() throws -> ManagedObjectModel {
    let entity = EntityDescription(name: "Song")
    entity.ownProperties = [AttributeDescription(name: "number", type: .integer64)]
    return try ManagedObjectModel(entities: [entity], name: "v1")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func isLikeADictionary(seed: UInt64) throws {
    let song = try Self.model().entities[0]
    var random = RandomSource(seed: seed)
    var table = RowTable()
    var expected: [Int64: Int64] = [:]
    // Few keys, so that they come again; with a wide range there are gaps.
    let range: ClosedRange<Int64> = seed % 2 == 0 ? 5...40 : -1000...100_000
    var used = (0..<30).map { _ in Int64.random(in: range, using: &random) }
    if seed % 3 == 0 { used.sort() }
    for step in 0..<400 {
      guard let key = used.randomElement(using: &random) else { break }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        table.remove([key])
        expected[key] = nil
      case 1 where step % 7 == 0:
        let gone = Set(used.shuffled(using: &random).prefix(3))
        table.remove(gone)
        for key in gone { expected[key] = nil }
      case 2:
        table.change(key) { $0.version += 1 }
        expected[key]? += 1
      default:
        table.insert(.init(key: key, entity: song, version: Int64(step), values: [.integer(key)]))
        expected[key] = Int64(step)
      }
      #expect(table.rows.map(\.key) == expected.keys.sorted())
    }
    for key in used + [range.lowerBound - 1, range.upperBound + 1] {
      #expect(table[key]?.version == expected[key])
      #expect(table[key].map { $0.values == [.integer(key)] } != false)
    }
  }

  /// Damaged files have any keys.
  @Test func keysMayBeAsFarApartAsCanBe() throws {
    let song = try Self.model().entities[0]
    var table = RowTable()
    let keys = [.max, 0, .min, 1, -1, .max - 1] as [Int64]
    for key in keys { table.insert(.init(key: key, entity: song, version: 1, values: [.null])) }
    #expect(table.rows.map(\.key) == keys.sorted())
    #expect(keys.allSatisfy { table[$0]?.key == $0 })
    #expect(table[2] == nil)
  }

  @Test func whoIteratesIsGivenWhatWasThere() throws {
    let model = try Self.model()
    let store = InMemoryStore(model: model)
    let song = model.entities[0]
    func save(_ key: Int64) throws {
      var request = SaveRequest()
      request.inserted = [
        .init(
          objectID: ManagedObjectID(entity: song, primaryKey: key, store: store), version: 0,
          values: [.integer(key)], toMany: [])
      ]
      try store.save(request)
    }
    for key in 1...3 as ClosedRange<Int64> { try save(key) }
    var given: [Int64] = []
    try store.enumerateRows(matching: StoreQuery(entity: song)) { row in
      given.append(row.objectID.primaryKey)
      try save(row.objectID.primaryKey + 10)
      return true
    }
    #expect(given == [1, 2, 3])
    #expect(try store.count(of: StoreQuery(entity: song)) == 6)
  }
}
