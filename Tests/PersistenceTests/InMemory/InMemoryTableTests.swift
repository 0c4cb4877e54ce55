import TestSupport
import Testing

@testable import Persistence

/// Rows by the places of their keys: whatever comes and goes, a row is found by its key and given in order.
@Suite struct InMemoryTableTests {
  private static func model() throws -> ManagedObjectModel {
    let entity = EntityDescription(name: "Song")
    entity.ownProperties = [AttributeDescription(name: "number", type: .integer64)]
    return try ManagedObjectModel(entities: [entity], name: "v1")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func isLikeADictionary(seed: UInt64) throws {
    let model = try Self.model()
    let store = InMemoryStore(model: model)
    var random = RandomSource(seed: seed)
    var table = InMemoryTable()
    var expected: [Int64: Int64] = [:]
    // Few keys, so that they come again; with a wide range there are gaps.
    let range: ClosedRange<Int64> = seed % 2 == 0 ? 5...40 : -1000...100_000
    var used = (0..<30).map { _ in Int64.random(in: range, using: &random) }
    if seed % 3 == 0 { used.sort() }
    for step in 0..<400 {
      guard let key = used.randomElement(using: &random) else { break }
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        table[key] = nil
        expected[key] = nil
      case 1:
        let changed: Void? = table.change(key) { $0.version += 1 }
        #expect((changed != nil) == (expected[key] != nil))
        if let version = expected[key] { expected[key] = version + 1 }
      default:
        let id = ManagedObjectID(entity: model.entities[0], primaryKey: key, store: store)
        table[key] = InMemoryRow(id: id, version: Int64(step), values: [], toMany: [:])
        expected[key] = Int64(step)
      }
      #expect(table.count == expected.count)
    }
    for key in used + [range.lowerBound - 1, range.upperBound + 1] {
      #expect(table[key]?.version == expected[key])
    }
    var given: [Int64] = []
    table.forEachRow { row in
      given.append(row.id.primaryKey)
      return true
    }
    #expect(given == expected.keys.sorted())
  }

  @Test func placesOfRowsThatAreGoneAreForgotten() throws {
    let model = try Self.model()
    let store = InMemoryStore(model: model)
    var table = InMemoryTable()
    for key in 1...1000 as ClosedRange<Int64> {
      let id = ManagedObjectID(entity: model.entities[0], primaryKey: key, store: store)
      table[key] = InMemoryRow(id: id, version: 1, values: [], toMany: [:])
    }
    for key in 1...990 as ClosedRange<Int64> { table[key] = nil }
    #expect(table.count == 10)
    #expect(table.keys.count < 40)
    #expect(table[995]?.id.primaryKey == 995)
    #expect(table[5] == nil)
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
