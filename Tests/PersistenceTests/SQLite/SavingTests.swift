import TestSupport
import Testing

@testable import Persistence

@Suite("Saving to an SQLite store")
struct SavingTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  @Test func countsVersions() throws {
    let store = try create(.sameEntityManyToMany)
    var writing = StoreWriting(store)
    let id = try writing.insert("Person", ["name": .string("a")])
    try writing.save()
    for version in 1...3 {
      let row = try #require(try store.row(for: id))
      #expect(row.version == Int64(version))
      writing.update(row, ["name": .string("a\(version)")])
      try writing.save()
    }
    #expect(try store.row(for: id)?.version == 4)
  }

  @Test(arguments: ["update", "delete"])
  func refusesWhatWasChangedSinceItWasRead(_ way: String) throws {
    let store = try create(.sameEntityManyToMany)
    var writing = StoreWriting(store)
    let id = try writing.insert("Person", ["name": .string("a")])
    try writing.save()
    let old = try #require(try store.row(for: id))
    writing.update(old, ["name": .string("b")])
    try writing.save()

    if way == "update" { writing.update(old, ["name": .string("c")]) } else { writing.delete(id) }
    let error = #expect(throws: CoreDataError.self) { try writing.save() }
    #expect(error?.code == .managedObjectMerge)
    #expect(error?.place.object == id.description)
    #expect(try store.row(for: id)?.value("name") == .string("b"))
  }

  @Test func writesAllOrNothing() throws {
    let store = try create(.indexesAndConstraints)
    var writing = StoreWriting(store)
    let first = try writing.insert("Book", ["isbn": .string("1"), "title": .string("a")])
    try writing.save()
    let before = try store.rows("Book")

    writing.update(before[0], ["title": .string("changed")])
    try writing.insert("Writer", ["name": .string("new")])
    let clash = try writing.insert("Book", ["isbn": .string("1")])
    let error = #expect(throws: CoreDataError.self) { try writing.save() }
    #expect(error?.code == .managedObjectConstraintMerge)
    #expect(error?.place.entity == "Book" && error?.place.property == "isbn")
    #expect(error?.place.object == "\(first), \(clash)")
    #expect(error?.value == "1")
    #expect(try store.rows("Book")[0].value("title") == .string("a"))
    #expect(try store.rows("Writer").isEmpty)

    try writing.insert("Book", ["isbn": .string("2")])
    try writing.save()
    #expect(try store.rows("Book").map(\.objectID.primaryKey) == [1, 3], "keys aren't used again")
  }

  @Test func namesAConstraintOfSeveralProperties() throws {
    let store = try create(.indexesAndConstraints)
    var writing = StoreWriting(store)
    let author = try writing.insert("Author", ["alias": .string("x")])
    for isbn in ["1", "2"] {
      try writing.insert(
        "Book", ["isbn": .string(isbn), "title": .string("t"), "author": .object(author)])
    }
    let error = #expect(throws: CoreDataError.self) { try writing.save() }
    #expect(error?.place.property == "title, author")
    #expect(error?.value == "t, \(author)")
  }

  @Test func nilNeverClashes() throws {
    let store = try create(.indexesAndConstraints)
    var writing = StoreWriting(store)
    for _ in 1...3 { try writing.insert("Book", ["title": .string("same")]) }
    for _ in 1...3 { try writing.insert("Writer") }
    try writing.save()
    #expect(try store.rows("Book").count == 3)
  }

  @Test func uniqueValuesMayChangePlacesInOneSave() throws {
    let store = try create(.indexesAndConstraints)
    var writing = StoreWriting(store)
    for isbn in ["1", "2", "3"] { try writing.insert("Book", ["isbn": .string(isbn)]) }
    try writing.save()
    let rows = try store.rows("Book")
    writing.update(rows[0], ["isbn": .string("2")])
    writing.update(rows[1], ["isbn": .string("1")])
    writing.delete(rows[2].objectID)
    try writing.insert("Book", ["isbn": .string("3")])
    try writing.save()
    #expect(
      try store.rows("Book").map { $0.value("isbn") } == [.string("2"), .string("1"), .string("3")])
  }

  @Test func givesKeysOfAFamilyOnce() throws {
    let store = try create(.inheritance)
    let text = try #require(store.model.entity(named: "TextMessage"))
    let system = try #require(store.model.entity(named: "SystemMessage"))
    #expect(try store.reservePrimaryKeys(3, for: text) == 1)
    #expect(try store.reservePrimaryKeys(1, for: system) == 4)
    try store.close()
    let again = try SQLiteStore.open(at: url, model: store.model)
    #expect(try again.reservePrimaryKeys(1, for: text) == 5, "not even after reopening")
  }

  @Test func twoStoresOnOneFileSeeEachOther() throws {
    let store = try create(.sameEntityManyToMany)
    let other = try SQLiteStore.open(at: url, model: store.model)
    var (writing, otherWriting) = (StoreWriting(store), StoreWriting(other))
    let id = try writing.insert("Person", ["name": .string("a")])
    let otherID = try otherWriting.insert("Person", ["name": .string("b")])
    #expect((id.primaryKey, otherID.primaryKey) == (1, 2))
    try writing.save()
    try otherWriting.save()
    #expect(try store.rows("Person").count == 2)
    let row = try #require(try other.row(for: id))
    writing.update(row, ["name": .string("c")])
    try writing.save()
    otherWriting.update(row, ["name": .string("d")])
    let error = #expect(throws: CoreDataError.self) { try otherWriting.save() }
    #expect(error?.code == .managedObjectMerge)
  }

  @Test func aStoreForReadingRefusesToWrite() throws {
    let store = try create(.sameEntityManyToMany)
    try store.close()
    let reading = try SQLiteStore.openReadOnly(at: url, model: store.model)
    let error = #expect(throws: CoreDataError.self) { try reading.save(SaveRequest()) }
    #expect(error?.code == .fileWriteNoPermission)
    #expect(error?.place.file == url.path)
  }

  @Test func worksOnTablesWithTheTriggersOfDerivedAttributes() throws {
    let store = try create(.sameEntityManyToMany)
    try store.close()
    do {
      let database = try Database(at: url, access: .readWrite)
      try database.execute(
        """
        CREATE TRIGGER Z_DA_ZPERSON_Person_count_INSERT AFTER INSERT ON ZPERSON BEGIN
          SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZPERSON', NEW.Z_ENT, NEW.Z_PK);
        END
        """)
    }
    let again = try SQLiteStore.open(at: url, model: store.model)
    var writing = StoreWriting(again)
    try writing.insert("Person", ["name": .string("a")])
    try writing.save()
    #expect(try again.rows("Person").count == 1)
  }
}

@Suite("Filling an SQLite store in bulk")
struct BulkTests: StoreSuite {
  let place: StorePlace

  init() throws { place = try StorePlace() }

  @Test(arguments: StoreShape.allCases, [true, false])
  func givesTheSameStoreAsSingleSaves(_ shape: StoreShape, undoesSaves: Bool) throws {
    let single = try SQLiteStore.create(at: url, model: try shape.model())
    try shape.fill(single)
    let bulkURL = folder.url.appending(path: "bulk.sqlite")
    let bulk = try SQLiteStore.create(at: bulkURL, model: try shape.model())
    try bulk.beginBulk(undoesSaves: undoesSaves)
    try shape.fill(bulk)
    try bulk.endBulk()
    for table in try single.database.texts("SELECT name FROM sqlite_master WHERE type = 'table'")
    where table != "Z_METADATA" && shape != .external {
      #expect(try rows(of: table, in: bulk) == rows(of: table, in: single), "\(table)")
    }
    let objects = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    #expect(try bulk.database.texts(objects) == single.database.texts(objects))
  }

  private func rows(of table: String, in store: SQLiteStore) throws -> [String] {
    let columns = try store.database.texts("SELECT name FROM pragma_table_info('\(table)')")
    let list = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
    return try store.database.texts("SELECT \(list) FROM \(table) ORDER BY 1")
  }

  @Test func makesIndexesWhenTheyAreNeeded() throws {
    let store = try SQLiteStore.create(at: url, model: try StoreShape.library.model())
    try store.beginBulk()
    let count = "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZITEM'"
    #expect(try store.database.integer(count) == 0)
    var writing = StoreWriting(store)
    let shelf = try writing.insert("Shelf", ["name": .string("s")])
    try writing.insert("Item", ["shelf": .object(shelf)])
    try writing.save()
    #expect(try store.keys("items", of: shelf) == [1])
    #expect(try store.database.integer(count) == 3)
    try store.endBulk()
    #expect(try store.database.integer(count) == 3)
  }

  @Test func undoesARefusedSaveAlone() throws {
    let store = try SQLiteStore.create(
      at: url, model: try StoreShape.indexesAndConstraints.model())
    try store.beginBulk()
    var writing = StoreWriting(store)
    try writing.insert("Book", ["isbn": .string("1")])
    try writing.save()
    try writing.insert("Book", ["isbn": .string("2")])
    try writing.insert("Book", ["isbn": .string("1")])
    #expect(throws: CoreDataError.self) { try writing.save() }
    try writing.insert("Book", ["isbn": .string("3")])
    try writing.save()
    try store.endBulk()
    #expect(try store.rows("Book").map { $0.value("isbn") } == [.string("1"), .string("3")])
  }

  @Test func discardLeavesNoFile() throws {
    let store = try SQLiteStore.create(at: url, model: try StoreShape.external.model())
    try store.beginBulk()
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["photo": .data(Data(count: 200_000))])
    try writing.save()
    #expect(try contents(of: folder.url).contains(".store_SUPPORT"))
    try store.discard()
    #expect(try contents(of: folder.url) == [])
  }

  @Test func discardLeavesAStoreThatExistedBefore() throws {
    let model = try StoreShape.library.model()
    try SQLiteStore.create(at: url, model: model).close()
    let store = try SQLiteStore.open(at: url, model: model)
    try store.beginBulk()
    var writing = StoreWriting(store)
    try writing.insert("Tag", ["name": .string("a")])
    try writing.save()
    try store.discard()
    #expect(try SQLiteStore.openReadOnly(at: url, model: model).rows("Tag").isEmpty)
  }
}
