import TestSupport
import Testing

@testable import Persistence

@Suite("A damaged or unusual SQLite store")
struct DamagedStoreTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  private func openingError(_ model: ManagedObjectModel) -> CoreDataError? {
    #expect(throws: CoreDataError.self) { try SQLiteStore.open(at: url, model: model) }
  }

  // MARK: Damage

  @Test(arguments: ["", "plain text", "SQLite format 3\0 and then nothing good"])
  func aFileThatIsNoDatabaseIsRefused(_ text: String) throws {
    try Data(text.utf8).write(to: url)
    let error = openingError(try StoreShape.library.model())
    // SQLite takes an empty file for a database without tables.
    #expect(error?.code == (text.isEmpty ? .persistentStoreOpen : .fileReadCorruptFile))
    #expect(error?.place.file == url.path)
    #expect(error?.advice?.isEmpty == false)
  }

  @Test func anotherAppsDatabaseIsRefused() throws {
    let database = try Database(at: url, access: .create)
    try database.execute("CREATE TABLE notes (id INTEGER)")
    database.close()
    let error = openingError(try StoreShape.library.model())
    #expect(error?.code == .persistentStoreOpen)
    #expect(error?.reason.contains("no tables Z_METADATA and Z_PRIMARYKEY") == true)
  }

  @Test func aTruncatedFileNeverCrashes() throws {
    let model = try make(.library)
    let whole = try Data(contentsOf: url)
    for length in stride(from: 0, to: whole.count, by: 1500) {
      try whole.prefix(length).write(to: url)
      do {
        let store = try SQLiteStore.open(at: url, model: model)
        for entity in model.entities { _ = try store.rows(entity.name) }
        // SQLite takes a last page that is cut off for one that ends in zeros.
        #expect(length > whole.count - 4096)
      } catch let error as CoreDataError {
        #expect(
          [.fileReadCorruptFile, .persistentStoreOpen, .sqlite, .persistentStoreIncompatibleSchema]
            .contains(error.code))
        #expect(error.place.file == url.path)
      }
    }
  }

  @Test(arguments: [
    ("DELETE FROM Z_METADATA", "the table Z_METADATA is empty"),
    ("UPDATE Z_METADATA SET Z_PLIST = X'00'", "Z_METADATA doesn't hold a property list"),
  ])
  func brokenMetadataIsNamed(_ sql: String, _ reason: String) throws {
    let model = try make(.library, changedBy: sql)
    #expect(openingError(model)?.reason.hasSuffix(reason) == true)
  }

  @Test(arguments: [
    ("DROP TABLE ZCHAPTER", "there is no table ZCHAPTER"),
    ("DROP TABLE Z_3TAGS", "there is no table Z_3TAGS or Z_6ITEMS"),
    ("ALTER TABLE ZCHAPTER RENAME ZTITLE TO ZHEADING", "table ZCHAPTER has no column ZTITLE"),
    ("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 1", "Z_PRIMARYKEY has no entity 'Chapter'"),
  ])
  func missingTablesAndColumnsAreNamed(_ sql: String, _ reason: String) throws {
    let error = openingError(try make(.library, changedBy: sql))
    #expect(error?.code == .persistentStoreIncompatibleSchema)
    #expect(error?.reason == "The store's tables don't fit the model: \(reason)")
  }

  @Test func aBrokenModelCacheIsNamed() throws {
    _ = try make(.library, changedBy: "UPDATE Z_MODELCACHE SET Z_CONTENT = X'0102'")
    let error = #expect(throws: CoreDataError.self) { try SQLiteStore.cachedModel(at: url) }
    #expect(error?.code == .persistentStoreOpen)
    #expect(error?.underlying != nil)
  }

  @Test func aRowOfAStrangeEntityIsNamed() throws {
    let model = try make(.inheritance, changedBy: "UPDATE ZMESSAGE SET Z_ENT = 77 WHERE Z_PK = 2")
    let store = try SQLiteStore.open(at: url, model: model)
    let error = #expect(throws: CoreDataError.self) { try store.rows("Message") }
    #expect(error?.reason.hasSuffix("Z_PK 2 has Z_ENT 77") == true)
  }

  @Test func anUnreadableValueIsNamed() throws {
    let model = try make(
      .everyAttributeType, changedBy: "UPDATE ZSAMPLE SET ZAUUID = X'0102' WHERE Z_PK = 3")
    let store = try SQLiteStore.open(at: url, model: model)
    let error = #expect(throws: CoreDataError.self) { try store.rows("Sample") }
    #expect(error?.code == .persistentStoreOperation)
    #expect(error?.place.property == "auuid")
    #expect(error?.place.object?.hasSuffix("/Sample/p3") == true)
  }

  // MARK: What is read all the same

  @Test func danglingKeysAreNilAndCounted() throws {
    let model = try make(
      .inheritance,
      changedBy: "UPDATE ZREACTION SET ZMESSAGE = 99, Z2_MESSAGE = 3 WHERE Z_PK < 3",
      "INSERT INTO Z_3USERS VALUES (1, 99)",
      // A system message isn't a text message.
      "UPDATE ZCONVERSATION SET ZPINNED = 1, Z4_PINNED = 3 WHERE Z_PK = 2")
    let store = try SQLiteStore.open(at: url, model: model)
    let messages = try store.rows("Reaction").map { $0.value("message").isNull }
    #expect(messages == [true, true, false, false])
    #expect(try store.rows("Conversation").map { $0.value("pinned").isNull }[1])
    let system = try #require(try store.rows("SystemMessage").first).objectID
    #expect(try store.keys("users", of: system).contains(99) == false)
    #expect(
      store.findings.map(\.description).sorted() == [
        "Conversation.pinned: 1 row leads to an object that doesn't exist; read as nil",
        "Reaction.message: 2 rows lead to an object that doesn't exist; read as nil",
      ])
  }

  @Test func aDestinationWithoutEntityNumberIsLookedUp() throws {
    let model = try make(.inheritance, changedBy: "UPDATE ZREACTION SET Z2_MESSAGE = NULL")
    let store = try SQLiteStore.open(at: url, model: model)
    guard case .object(let object) = try store.rows("Reaction")[0].value("message") else {
      Issue.record("no destination")
      return
    }
    #expect((object as? ManagedObjectID)?.entity.name == "SystemMessage")
  }

  @Test func integersAreReadAsDates() throws {
    let model = try make(.everyAttributeType, changedBy: "UPDATE ZSAMPLE SET ZADATE = 5")
    let store = try SQLiteStore.open(at: url, model: model)
    let date = Date(timeIntervalSinceReferenceDate: 5)
    #expect(try store.rows("Sample").allSatisfy { $0.value("adate") == .date(date) })
  }

  @Test func joinTablesAreNamedAfterEitherSideAndColumnsMayHaveDigits() throws {
    let model = try make(
      .sameEntityManyToMany,
      changedBy: "ALTER TABLE Z_1LIKEDBY RENAME TO Z_1LIKES",
      "ALTER TABLE Z_1LIKES RENAME Z_1LIKEDBY TO Z_1LIKEDBY1")
    let store = try SQLiteStore.open(at: url, model: model)
    let people = try store.rows("Person").map(\.objectID)
    #expect(try people.map { try store.keys("likedBy", of: $0) } == [[2, 3, 4], [3, 4], [4], []])
    #expect(try people.map { try store.keys("likes", of: $0) } == [[], [1], [1, 2], [1, 2, 3]])
  }

  @Test func aSubentityRenamedInPlaceIsRecognized() throws {
    let model = try make(
      .inheritance,
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_NAME = 'OldText' WHERE Z_NAME = 'TextMessage'")
    let store = try SQLiteStore.open(at: url, model: model)
    #expect(try store.rows("TextMessage").count == 8)
  }

  @Test func entitiesAreFoundUnderOtherNumbers() throws {
    let model = try make(
      .library,
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 10, Z_SUPER = 13 WHERE Z_SUPER > 0",
      "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 10 WHERE Z_ENT < 10",
      "UPDATE ZCHAPTER SET Z_ENT = Z_ENT + 10", "UPDATE ZCOVER SET Z_ENT = Z_ENT + 10",
      "UPDATE ZITEM SET Z_ENT = Z_ENT + 10", "UPDATE ZSHELF SET Z_ENT = Z_ENT + 10",
      "UPDATE ZTAG SET Z_ENT = Z_ENT + 10", "ALTER TABLE Z_3TAGS RENAME TO Z_13TAGS",
      "ALTER TABLE Z_13TAGS RENAME Z_3ITEMS TO Z_13ITEMS",
      "ALTER TABLE Z_13TAGS RENAME Z_6TAGS TO Z_16TAGS")
    let store = try SQLiteStore.open(at: url, model: model)
    #expect(try store.rows("Item").count == 8)
    #expect(
      try store.rows("Book").map(\.objectID.entity.name) == Array(repeating: "Book", count: 4))
    let tag = try #require(try store.rows("Tag").first).objectID
    let items = try store.keys("items", of: tag)
    #expect(items == Array(2...8))
    var writing = StoreWriting(store)
    let book = try writing.insert("Book", ["title": .string("new")])
    try writing.save()
    #expect(try store.row(for: book)?.objectID.entity.name == "Book")
    #expect(try store.database.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 13") == 9)
  }

  @Test func columnsAddedAtTheEndAndStrangeTablesAreNoHindrance() throws {
    let model = try make(
      .everyAttributeType, changedBy: "ALTER TABLE ZSAMPLE DROP COLUMN ZAINTEGER16",
      "ALTER TABLE ZSAMPLE ADD COLUMN ZAINTEGER16 INTEGER", "CREATE TABLE ACHANGE (Z_PK INTEGER)",
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5)")
    let store = try SQLiteStore.open(at: url, model: model)
    #expect(try store.rows("Sample").allSatisfy { $0.value("ainteger16").isNull })
    #expect(try store.rows("Sample")[1].value("adouble") == .double(2.5))
  }

  @Test func aStoreWithoutModelCacheHasNone() throws {
    _ = try make(.library, changedBy: "DROP TABLE Z_MODELCACHE")
    #expect(try SQLiteStore.cachedModel(at: url) == nil)
  }

  @Test func aLowHighestKeyIsNotTrusted() throws {
    let model = try make(.library, changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    let store = try SQLiteStore.open(at: url, model: model)
    let tag = try #require(model.entity(named: "Tag"))
    #expect(try store.reservePrimaryKeys(1, for: tag) == 5)
  }
}
