import TestSupport
import Testing

@testable import Persistence

@Suite("A fresh SQLite store looks as Core Data's own")
struct StoreFormatTests {
  @Test(
    .tags(.process), .tiered,
    arguments: StoreShape.allCases, [false, true])
  func passesTheIndependentCheck(_ shape: StoreShape, isBulk: Bool) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "store.sqlite")
    let model = try shape.model()
    let store = try SQLiteStore.create(at: url, model: model)
    if isBulk { try store.beginBulk() }
    try shape.fill(store)
    if isBulk { try store.endBulk() }
    let whileOpen = try StoreChecker.findings(in: url, model: model)
    #expect(whileOpen == [])
    try store.checkpointAndClose()
    let afterClosing = try StoreChecker.findings(in: url, model: model)
    #expect(afterClosing == [])
    #expect(try contents(of: folder.url) == ["store.sqlite"])
  }

  @Test(
    .tags(.process), .tiered,
    arguments: 1...40 as ClosedRange<UInt64>)
  func randomModelsPassTheIndependentCheck(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "store.sqlite")
    var random = RandomModel(seed: seed)
    let model = try random.make()
    let store = try SQLiteStore.create(at: url, model: model)
    if seed.isMultiple(of: 2) { try store.beginBulk() }
    try random.fill(store)
    if seed.isMultiple(of: 2) { try store.endBulk() }
    try store.checkpointAndClose()
    // Deleting what a relationship without inverse leads to leaves it dangling, as in Core Data.
    let findings = try StoreChecker.findings(in: url, model: model).filter {
      !model.hasToOneWithoutInverse || !$0.contains("point nowhere")
    }
    #expect(findings == [], "seed \(seed)")
    let again = try SQLiteStore.openReadOnly(at: url, model: model)
    #expect(try again.integrityCheck() == [], "seed \(seed)")
    #expect(again.findings == [], "seed \(seed)")
  }

  @Test func entitiesOfOneTableAreToldByName() throws {
    let folder = try TemporaryFolder()
    let entities = try ["Tag", "tag"].map {
      try ModelNotation.entity($0, properties: ["name": "string?"])
    }
    let model = try ManagedObjectModel(entities: entities)
    let error = #expect(throws: CoreDataError.self) {
      try SQLiteStore.create(at: folder.url.appending(path: "store.sqlite"), model: model)
    }
    #expect(
      error?.reason == "'tag' and 'Tag' differ only in case, so they would have one table")
    #expect(try contents(of: folder.url) == [])
  }

  @Test func hasCoreDatasTablesAndColumns() throws {
    let schema = try StoreSchema(freshFor: try StoreShape.inheritance.model())
    #expect(
      schema.tableStatements == [
        "CREATE TABLE ZCONVERSATION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZLAST INTEGER, ZPINNED INTEGER, Z4_PINNED INTEGER )",
        "CREATE TABLE ZMESSAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZCONVERSATION INTEGER, ZCODE INTEGER, Z_FOK_CONVERSATION INTEGER, ZSENTAT TIMESTAMP, "
          + "ZTEXT VARCHAR, ZTEXT1 VARCHAR, ZSTYLE VARCHAR )",
        "CREATE TABLE ZREACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZMESSAGE INTEGER, Z2_MESSAGE INTEGER, ZEMOJI VARCHAR )",
        "CREATE TABLE ZUSER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZNAME VARCHAR )",
        "CREATE TABLE Z_3USERS ( Z_3SYSTEM INTEGER, Z_7USERS INTEGER, "
          + "PRIMARY KEY (Z_3SYSTEM, Z_7USERS) )",
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
          + "Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), "
          + "Z_PLIST BLOB)",
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
      ])
  }

  @Test(arguments: try RecordedEntity.all())
  func hasTheColumnsThatSwiftDataMade(_ recorded: RecordedEntity) throws {
    let model = try recorded.model()
    let schema = try StoreSchema(freshFor: model)
    let entity = try #require(model.entity(named: recorded.entity))
    let columns = schema.columnNames(ofTableOf: entity)
    #expect(StoreSchema.fixedColumns + columns == recorded.columns)
  }

  @Test func hasCoreDatasIndexes() throws {
    let schema = try StoreSchema(freshFor: try StoreShape.indexesAndConstraints.model())
    #expect(
      schema.indexes.map(\.statement) == [
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE INDEX ZWRITER_Z_ENT_INDEX ON ZWRITER (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Author_UNIQUE_alias ON ZWRITER (ZALIAS COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Book_UNIQUE_isbn ON ZBOOK (ZISBN COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Book_UNIQUE_title_author ON ZBOOK "
          + "(ZTITLE COLLATE BINARY ASC, ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_Book_byYear ON ZBOOK (ZYEAR COLLATE BINARY DESC, ZTITLE COLLATE BINARY ASC)",
        "CREATE INDEX Z_Book_isbn ON ZBOOK (ZISBN COLLATE BINARY ASC)",
      ])
  }

  @Test(arguments: [false, true])
  func hasCoreDatasFileHeader(isBulk: Bool) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "store.sqlite")
    let store = try SQLiteStore.create(at: url, model: try StoreShape.library.model())
    if isBulk { try store.beginBulk() }
    try StoreShape.library.fill(store)
    if isBulk { try store.endBulk() }
    try store.checkpointAndClose()

    let header = try Data(contentsOf: url).prefix(100)
    #expect(header.prefix(16) == Data("SQLite format 3\0".utf8))
    #expect(Array(header[16...17]) == [0x10, 0], "pages of 4096 bytes")
    #expect(Array(header[18...19]) == [2, 2], "a write-ahead log")
    #expect(Array(header[44...47]) == [0, 0, 0, 4], "schema format")
    #expect(header[55] > 0, "auto-vacuum")
    #expect(Array(header[56...59]) == [0, 0, 0, 1], "UTF-8")
    #expect(Array(header[60...71]) == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], "incremental vacuum")
  }

  @Test func raisesTheHighestKeyOfTheRootOnly() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "store.sqlite")
    let store = try SQLiteStore.create(at: url, model: try StoreShape.inheritance.model())
    try StoreShape.inheritance.fill(store)
    let rows = try store.database.with("SELECT Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") {
      var rows: [String] = []
      while try $0.step() { rows.append("\($0.text(0)) \($0.integer(1)) \($0.integer(2))") }
      return rows
    }
    #expect(
      rows == [
        "Conversation 0 4", "Message 0 12", "SystemMessage 2 0", "TextMessage 2 0",
        "RichTextMessage 4 0", "Reaction 0 4", "User 0 4",
      ])
  }

  @Test(arguments: [AttributeType.objectID])
  func refusesWhatHasNoColumn(_ type: AttributeType) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "store.sqlite")
    let model = try ManagedObjectModel(
      entities: [StoreShape.entity("Place", [StoreShape.attribute("position", type)])])
    let error = #expect(throws: CoreDataError.self) {
      try SQLiteStore.create(at: url, model: model)
    }
    #expect(error?.code == .persistentStoreIncompatibleSchema)
    #expect(error?.place.entity == "Place" && error?.place.property == "position")
    #expect(!PersistentStoreFiles(url).exist)
  }
}

extension ManagedObjectModel {
  fileprivate var hasToOneWithoutInverse: Bool {
    entities.flatMap(\.relationships).contains { !$0.isToMany && $0.inverseRelationship == nil }
  }
}

/// The names in a folder, hidden ones included.
func contents(of folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}
