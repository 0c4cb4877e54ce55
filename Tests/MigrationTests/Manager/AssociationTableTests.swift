import Testing

@testable import Migration

/// The associations of one entity mapping.
@Suite struct AssociationTableTests {
  private let context: ManagedObjectContext
  private let entity: EntityDescription
  private let store: PersistentStore

  init() throws {
    let model = try model("v1", EntityDescription(name: "A"))
    store = InMemoryStore(model: model)
    context = ManagedObjectContext(on: store)
    entity = model.entities[0]
  }

  private func source(_ key: Int64) -> ManagedObject {
    context.object(with: ManagedObjectID(entity: entity, primaryKey: key, store: store))
  }

  private func destinations(_ count: Int) -> [ManagedObject] {
    (0..<count).map { _ in context.insertNewObject(for: entity) }
  }

  private func destinations(_ table: AssociationTable, of key: Int64) -> [ManagedObject] {
    var found: [ManagedObject] = []
    table.forEachDestination(of: source(key)) { found.append($0) }
    return found
  }

  @Test func samePairCountsOnce() {
    let table = AssociationTable()
    let made = destinations(2)
    for _ in 1...3 { table.associate(source(1), made[0]) }
    table.associate(source(1), made[1])
    #expect(table.count == 2)
    #expect(destinations(table, of: 1) == made)
    #expect(destinations(table, of: 2).isEmpty)
  }

  @Test func everyPairIsFoundAmongMany() {
    let table = AssociationTable()
    let made = destinations(5000)
    for (index, object) in made.enumerated() { table.associate(source(Int64(index * 7)), object) }
    for (index, object) in made.enumerated() {
      #expect(destinations(table, of: Int64(index * 7)) == [object])
      #expect(table.rows(of: object) == [index])
    }
    #expect(table.destinationCount == 5000)
  }

  /// In sequence up to some pair, then not: what is found must not depend on where that is.
  @Test(arguments: [0, 1, 5, 30])
  func pairsOutOfSequenceAreFoundLikeOthers(after count: Int) throws {
    let table = AssociationTable()
    let made = destinations(120)
    var pairs = (0..<count).map { (key: Int64($0 * 3 + 100), object: made[$0]) }
    pairs += (count..<50).map { (key: Int64(90 - $0), object: made[119 - $0]) }
    for pair in pairs { table.associate(source(pair.key), pair.object) }
    for pair in pairs { table.associate(source(pair.key), pair.object) }
    #expect(table.count == 50)
    for (row, pair) in pairs.enumerated() {
      #expect(destinations(table, of: pair.key) == [pair.object])
      #expect(table.rows(of: pair.object) == [row])
    }
    #expect(destinations(table, of: 7).isEmpty)
    #expect(table.rows(of: context.insertNewObject(for: entity)).isEmpty)
  }

  @Test func savedObjectsAreFoundInSequence() throws {
    let table = AssociationTable()
    let made = destinations(20)
    for (index, object) in made.enumerated().prefix(10) {
      table.associate(source(Int64(index + 1)), object)
    }
    try context.save()
    for (row, object) in made.prefix(10).enumerated() { #expect(table.rows(of: object) == [row]) }
    table.associate(source(11), made[15])
    #expect(table.rows(of: made[15]) == [10])
    #expect(table.rows(of: made[3]) == [3])
    #expect(destinations(table, of: 4) == [made[3]])
  }

  @Test func manySourcesOfOneDestination() {
    let table = AssociationTable()
    let library = destinations(1)[0]
    for key in 1...20_000 { table.associate(source(Int64(key)), library) }
    #expect(table.rows(of: library) == Array(0..<20_000))
    #expect(table.destinationCount == 1)
    #expect(table.uniqueDestinations == [library])
    #expect(table.isFirst(0))
    #expect(!table.isFirst(19_999))
  }

  @Test func manyDestinationsOfOneSource() {
    let table = AssociationTable()
    let made = destinations(20_000)
    for object in made { table.associate(source(1), object) }
    #expect(destinations(table, of: 1) == made)
    #expect(table.uniqueDestinations == made)
  }
}
