import TestSupport
import Testing

@testable import Persistence

@Suite("Rows of an SQLite store")
struct RowTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  @Test(arguments: StoreShape.storableTypes)
  func keepValuesOfEveryType(_ type: AttributeType) throws {
    let store = try create(.everyAttributeType)
    let values = Self.extremes(of: type)
    var writing = StoreWriting(store)
    for value in values { try writing.insert("Sample", ["a\(type)": value]) }
    try writing.save()
    #expect(try store.rows("Sample").map { $0.value("a\(type)") } == values)
    try store.close()

    let again = try SQLiteStore.openReadOnly(at: url, model: store.model)
    #expect(try again.rows("Sample").map { $0.value("a\(type)") } == values)
  }

  private static func extremes(of type: AttributeType) -> [Value] {
    switch type {
    case .integer16: [.integer(-32768), .integer(32767), .integer(0), .null]
    case .integer32, .integer64: [.integer(.min), .integer(.max), .integer(0), .null]
    case .boolean: [.integer(0), .integer(1), .null]
    case .double: [.double(0.1), .double(-0.0), .double(1e308), .double(.infinity), .null]
    case .float: [.double(Double(Float(0.1))), .double(16_777_216), .null]
    case .decimal: decimals.map { .decimal($0) } + [.null]
    case .string:
      [
        .string(""), .string("a\0b"), .string("é e\u{301} 🏳️‍🌈"), .string("'; DROP TABLE ZSAMPLE"),
        .null,
      ]
    case .date:
      [
        .date(Date(timeIntervalSinceReferenceDate: 0)),
        .date(Date(timeIntervalSinceReferenceDate: -3e10 - 0.125)),
        .date(Date(timeIntervalSinceReferenceDate: 1e9 / 3)), .null,
      ]
    case .binaryData:
      [.data(Data()), .data(Data([0, 1, 255])), .data(Data(count: 300_000)), .null]
    case .uuid: [.uuid(UUID()), .null]
    case .uri:
      ["file:///tmp/%C3%A5%20b", "x-coredata://A/B/p1", "mailto:a@b.c?x=1#y"]
        .compactMap { URL(string: $0) }.map { .uri($0) } + [.null]
    case .transformable:
      [Data(), Data([9, 8]), Data("bplist00 not really".utf8)]
        .map { .transformable(TransformableValue(archived: $0)) } + [.null]
    case .undefined, .objectID, .composite: []
    }
  }

  private static let decimals = [
    "0", "1", "-1.5", "0.1", "1234567.89", "0.000001", "-99999999.999999", "123456789012345",
    "9223372036854775807",
  ].compactMap { Decimal(string: $0) }

  @Test func decimalsLoseTheNoiseOfApplesDoubles() throws {
    let store = try create(.everyAttributeType)
    try store.database.execute(
      "INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, ZADECIMAL) VALUES (1, 1, 1, 19.989999999999998437)")
    let expected = try #require(Decimal(string: "19.99"))
    #expect(try store.rows("Sample")[0].value("adecimal") == .decimal(expected))
  }

  @Test func convertNumbersOfAnotherKind() throws {
    let store = try create(.everyAttributeType)
    var writing = StoreWriting(store)
    try writing.insert(
      "Sample",
      ["adouble": .integer(3), "ainteger32": .double(7.9), "adecimal": .integer(5)])
    try writing.save()
    let row = try store.rows("Sample")[0]
    #expect(row.value("adouble") == .double(3))
    #expect(row.value("ainteger32") == .integer(7))
    #expect(row.value("adecimal") == .decimal(5))
  }

  @Test func refuseValuesOfAnotherType() throws {
    let store = try create(.everyAttributeType)
    var writing = StoreWriting(store)
    let id = try writing.insert("Sample", ["adate": .string("yesterday")])
    let error = #expect(throws: CoreDataError.self) { try writing.save() }
    #expect(error?.place.entity == "Sample" && error?.place.property == "adate")
    #expect(error?.place.object == id.description)
    #expect(try store.rows("Sample").isEmpty)
  }

  @Test func ofSubentitiesHaveTheirOwnSlots() throws {
    let store = try create(.inheritance)
    try StoreShape.inheritance.fill(store)
    let rows = try store.rows("Message")
    #expect(rows.map(\.objectID.primaryKey) == Array(1...12))
    #expect(
      rows.map(\.objectID.entity.name)
        == ["SystemMessage", "TextMessage", "RichTextMessage"].flatMap {
          Array(repeating: $0, count: 4)
        }
    )
    #expect(rows.allSatisfy { $0.values.count == $0.objectID.entity.slotCount })
    #expect(try store.rows("TextMessage").count == 8)
    #expect(try store.rows("TextMessage", subentities: false).count == 4)
    #expect(try store.rows("Message", subentities: false).isEmpty)

    let text = try #require(store.model.entity(named: "TextMessage")?.attribute(named: "text"))
    let system = try #require(store.model.entity(named: "SystemMessage")?.attribute(named: "text"))
    #expect(rows[4].value("text") == StoreShape.value(text, 1))
    #expect(rows[0].value("text") == StoreShape.value(system, 1))
  }

  @Test func nameTheRealEntityOfADestination() throws {
    let store = try create(.inheritance)
    try StoreShape.inheritance.fill(store)
    let pinned = try store.rows("Conversation")[0].value("pinned")
    guard case .object(let object) = pinned, let id = object as? ManagedObjectID else {
      Issue.record("no destination")
      return
    }
    #expect(id.entity.name == "RichTextMessage")
    #expect(id.primaryKey == 12)
    #expect(try store.row(for: id)?.objectID.entity.name == "RichTextMessage")
  }

  @Test func areFoundByIdentifierOfAnySuperentity() throws {
    let store = try create(.inheritance)
    try StoreShape.inheritance.fill(store)
    let message = try #require(store.model.entity(named: "Message"))
    let general = ManagedObjectID(entity: message, primaryKey: 12, store: store)
    #expect(try store.row(for: general)?.objectID.entity.name == "RichTextMessage")
    let system = try #require(store.model.entity(named: "SystemMessage"))
    let wrong = ManagedObjectID(entity: system, primaryKey: 12, store: store)
    #expect(try store.row(for: wrong) == nil, "a row of another branch")
    let gone = ManagedObjectID(entity: message, primaryKey: 99, store: store)
    #expect(try store.row(for: gone) == nil)
  }

  @Test func canBeCountedAndPaged() throws {
    let store = try create(.inheritance)
    try StoreShape.inheritance.fill(store)
    var query = StoreQuery(entity: try #require(store.model.entity(named: "TextMessage")))
    #expect(store.capability(for: query) == .all)
    #expect(try store.count(of: query) == 8)
    (query.limit, query.offset) = (3, 2)
    #expect(try store.count(of: query) == 3)
    var keys: [Int64] = []
    try store.enumerateRows(matching: query) {
      keys.append($0.objectID.primaryKey)
      return keys.count < 2
    }
    #expect(keys == [7, 8])
  }

  @Test func canBeReadAndWrittenWhileTheyAreEnumerated() throws {
    let store = try create(.sameEntityManyToMany)
    try StoreShape.sameEntityManyToMany.fill(store)
    let person = try #require(store.model.entity(named: "Person"))
    var inner = 0
    try store.enumerateRows(matching: StoreQuery(entity: person)) { row in
      inner += try store.rows("Person").count
      var writing = StoreWriting(store)
      writing.update(row, ["name": .string("changed")])
      try writing.save()
      return true
    }
    #expect(inner == 16)
    #expect(try store.rows("Person").allSatisfy { $0.value("name") == .string("changed") })
  }

  @Test func tellWhetherThereAreAny() throws {
    let store = try create(.inheritance)
    let text = try #require(store.model.entity(named: "TextMessage"))
    #expect(!store.mayHaveRows(of: text))
    var writing = StoreWriting(store)
    try writing.insert("SystemMessage")
    try writing.save()
    #expect(store.mayHaveRows(of: text), "the family has rows")
  }
}
