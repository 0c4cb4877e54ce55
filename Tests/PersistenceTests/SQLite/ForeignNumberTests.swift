import TestSupport
import Testing

@testable import Persistence

/// What real stores have although a model says otherwise, and what is read all the same.
@Suite("Rows that aren't as the model says") struct ForeignNumberTests: StoreSuite {
  let place: StorePlace
  private let model: ManagedObjectModel

  init() throws {
    place = try StorePlace(named: "Shop.sqlite")
    model = try ManagedObjectModel.notated([
      "Shop": ["name": "string", "items": "[Item] <-> shop"],
      "Item": ["price": "decimal?", "shop": "Shop? <-> items"],
    ])
  }

  /// A shop with an item, changed by SQL.
  private func make(_ sql: String) throws {
    let store = try SQLiteStore.create(at: url, model: model)
    var writing = StoreWriting(store)
    let shop = try writing.insert("Shop", ["name": .string("one")])
    try writing.insert("Item", ["price": .decimal(.nan), "shop": .object(shop)])
    try writing.save()
    try store.database.execute(sql)
    try store.close()
  }

  /// A table that holds one entity says what its rows are.
  @Test func anotherEntitysNumberIsTold() throws {
    try make("UPDATE ZITEM SET Z_ENT = 2")
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    let item = try #require(try store.rows("Item").first)
    #expect(item.objectID.entity.name == "Item")
    let shop = try #require(try store.rows("Shop").first).objectID
    #expect(try store.keys("items", of: shop) == [item.objectID.primaryKey])
    #expect(
      store.findings.map(\.description) == [
        "Item.Z_ENT: rows have the number of another entity; their table holds only Item, so they are read as such"
      ])
    try store.close()
    let findings = try StoreInspector(of: url).inspect(with: model).findings
    #expect(
      findings.map(\.description) == [
        "wrong-entity: ZITEM: 1 row has a Z_ENT of another table or of no entity at all; the table holds only "
          + "Item, so they are read as such"
      ])
    #expect(findings.map(\.severity) == [.warning])
  }

  /// In a table of several entities only the number says what a row is.
  @Test func rowsOfNoEntityOfAFamilyAreTold() throws {
    let entities = ["Work", "Song", "Book", "Other"].map { EntityDescription(name: $0) }
    for entity in entities[1...2] { entity.superentityName = "Work" }
    let family = try ManagedObjectModel(entities: entities)
    let store = try SQLiteStore.create(at: url, model: family)
    var writing = StoreWriting(store)
    for entity in ["Work", "Song", "Book", "Song", "Other"] { try writing.insert(entity) }
    try writing.save()
    #expect(try store.ignoredSchema().isEmpty)
    try store.database.execute(
      "UPDATE ZWORK SET Z_ENT = 99 WHERE Z_PK = 2; UPDATE ZWORK SET Z_ENT = NULL WHERE Z_PK = 3;"
        + "UPDATE ZOTHER SET Z_ENT = 98")
    #expect(
      try store.ignoredSchema().map(\.description) == [
        "ZWORK: rows of none of its entities, or an abstract one, come along in no step: 'p2', 'p3'"
      ])
    #expect(try store.rows("Song").count == 1)
  }

  @Test func aDecimalThatIsNoNumberIsAText() throws {
    try make("SELECT 1")
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    #expect(
      try store.database.texts("SELECT typeof(ZPRICE) || ' ' || ZPRICE FROM ZITEM") == ["text NaN"])
    #expect(try store.rows("Item").map { $0.value("price") } == [.decimal(.nan)])
    let memory = try InMemoryStore.copying(store)
    #expect(try memory.rows("Item").map { $0.value("price") } == [.decimal(.nan)])
    try store.close()
    #expect(try StoreInspector(of: url).inspect(with: model).findings == [])
  }

  @Test func anotherTextIsNoDecimal() throws {
    try make("UPDATE ZITEM SET ZPRICE = 'dear'")
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    let error = #expect(throws: CoreDataError.self) { try store.rows("Item") }
    #expect(error?.reason == "A stored value can't be read: 'dear' isn't a number")
    try store.close()
    let findings = try StoreInspector(of: url).inspect(with: model).findings
    #expect(findings.map(\.kind) == [.wrongType])
  }

  @Test func aMaximumThatIsTooLowIsNeverGivenOutAgain() throws {
    try make("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    let store = try SQLiteStore.open(at: url, model: model)
    var writing = StoreWriting(store)
    let item = try writing.insert("Item")
    try writing.save()
    #expect(item.primaryKey == 2)
    #expect(try store.database.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'") == 2)
    try store.close()
  }

  @Test func aMissingRequiredValueIsAWarning() throws {
    try make("UPDATE ZSHOP SET ZNAME = NULL")
    let findings = try StoreInspector(of: url).inspect(with: model).findings
    #expect(
      findings.map(\.description) == ["missing-value: Shop.name: 1 row lacks a required value"])
    #expect(findings.map(\.severity) == [.warning])
    #expect(findings.map(\.isDamage) == [true], "a migration mustn't make it")
  }

  @Test func whatIsCoreDatasInTheMetadataIsntAnApps() throws {
    try make("SELECT 1")
    let store = try SQLiteStore.open(at: url, model: model)
    var metadata = store.metadata
    metadata["lastSync"] = "app's own"
    metadata["NSOfTheApp"] = 1
    metadata["NSPersistenceMaximumFrameworkVersion"] = 1522
    metadata["NSPersistentStoreRebuildIndicies"] = true
    metadata[StoreMetadata.deferredMigrationKey] = true
    metadata["_NSStoreAncillaryModelVersionHashesMetadataKey"] = ["CHANGE": Data([1])]
    store.metadata = metadata
    try StoreWriting(store).empty()
    try store.close()
    let facts = try StoreInspector(of: url).inspect(with: model).metadata
    #expect(facts.ownKeys == ["lastSync": "string", "NSOfTheApp": "number"])
  }

  @Test(
    arguments: [
      (241, "iPhone OS 3, Mac OS X 10.6"), (419, "iOS 6"), (600, nil), (977, "iOS 13, macOS 10.15"),
      (1344, "iOS 17, macOS 14"), (1522, "iOS 26, macOS 26"), (1600, nil),
    ] as [(Int, String?)])
  func frameworksAreNamedBySystem(_ version: Int, _ name: String?) {
    var facts = StoreMetadataFacts()
    facts.frameworkVersion = version
    #expect(facts.approximateRelease == name)
  }
}

extension StoreWriting {
  fileprivate func empty() throws {
    var writing = self
    try writing.save()
  }
}
