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
        table.remove(key)
        expected[key] = nil
      case 1:
        let number = table.number(of: key)
        if let number { table.rows.setVersion(table.rows.version(number) + 1, number) }
        #expect((number != nil) == (expected[key] != nil))
        if let version = expected[key] { expected[key] = version + 1 }
      default:
        let number = table.makeRow(key, model.entities[0], version: Int64(step))
        #expect(table.rows.values(number) == [.null])
        table.rows.setValues([.integer(key)], number)
        expected[key] = Int64(step)
      }
      #expect(table.count == expected.count)
    }
    for key in used + [range.lowerBound - 1, range.upperBound + 1] {
      let number = table.number(of: key)
      #expect(number.map { table.rows.version($0) } == expected[key])
      if let number { #expect(table.rows.values(number) == [.integer(key)]) }
    }
    var given: [Int64] = []
    table.forEachRow { key, _ in
      given.append(key)
      return true
    }
    #expect(given == expected.keys.sorted())
  }

  @Test func placesOfRowsThatAreGoneAreForgotten() throws {
    let model = try Self.model()
    var table = InMemoryTable()
    for key in 1...1000 as ClosedRange<Int64> {
      _ = table.makeRow(key, model.entities[0], version: key)
    }
    for key in 1...990 as ClosedRange<Int64> { table.remove(key) }
    #expect(table.count == 10)
    #expect(table.keys.count < 40)
    #expect(table.number(of: 995).map { table.rows.version($0) } == 995)
    #expect(table.number(of: 5) == nil)
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
