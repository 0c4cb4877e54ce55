import TestSupport
import Testing

@testable import Persistence

@Suite("Queries of an SQLite store")
struct QueryTests {
  let folder: TemporaryFolder
  let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore.create(
      at: folder.url.appending(path: "store.sqlite"), model: try StoreShape.library.model())
    var writing = StoreWriting(store)
    let shelf = try writing.insert("Shelf", ["name": .string("left")])
    let tag = try writing.insert("Tag", ["name": .string("red")])
    for (number, title) in ["Émile", "emma", "Middlemarch", "a", "Z"].enumerated() {
      let values: [String: Value] = [
        "title": .string(title), "pages": .integer(Int64(number * 100)),
        "shelf": number < 2 ? .object(shelf) : .null,
      ]
      try writing.insert(
        number % 2 == 0 ? "Book" : "Item", values, toMany: number > 2 ? ["tags": [tag]] : [:])
    }
    try writing.insert("Item")
    try writing.save()
  }

  private func query(
    _ format: String?, entity: String = "Item", _ arguments: Any?...,
    change: (inout StoreQuery) -> Void = { _ in }
  ) throws -> StoreQuery {
    var query = StoreQuery(entity: try #require(store.model.entity(named: entity)))
    query.predicate = try format.map { try Predicate.parse($0, arguments: arguments) }
    change(&query)
    return query
  }

  private func keys(_ query: StoreQuery) throws -> [Int64] {
    var keys: [Int64] = []
    try store.enumerateRows(matching: query) {
      keys.append($0.objectID.primaryKey)
      return true
    }
    #expect(try store.count(of: query) == keys.count)
    return keys
  }

  @Test(arguments: [
    ("title == 'emma'", [2]), ("title ==[cd] 'EMILE'", [1]), ("title BEGINSWITH[c] 'em'", [2]),
    ("title LIKE '?'", [4, 5]), ("title MATCHES '[a-z]+'", [2, 4]), ("title == nil", [6]),
    ("pages > 100 AND title != 'Z'", [3, 4]), ("pages BETWEEN {100, 200}", [2, 3]),
    ("shelf.name == 'left'", [1, 2]), ("ANY tags.name == 'red'", [4, 5]),
    ("tags.@count == 0", [1, 2, 3, 6]),
    ("title IN {'a', 'Z', 'none'}", [4, 5]), ("TRUEPREDICATE", [1, 2, 3, 4, 5, 6]),
  ])
  func answerPredicates(_ format: String, _ expected: [Int64]) throws {
    let query = try query(format)
    #expect(store.capability(for: query) == .all)
    #expect(try keys(query) == expected)
  }

  /// SQLite compares each of so many constants with all others.
  @Test func evenMoreConditionsAreLeftToMemory() throws {
    let any = try query((0..<6_000).map { "pages == \($0)" }.joined(separator: " OR "))
    #expect(store.capability(for: any) == .sort)
  }

  /// SQLite makes a tree of a chain that is as deep as it is long.
  @Test func manyConditionsAreAnsweredInSQL() throws {
    let any = try query((0..<3_000).map { "pages == \($0)" }.joined(separator: " OR "))
    #expect(store.capability(for: any) == .all)
    #expect(try keys(any) == [1, 2, 3, 4, 5])
    let all = try query((150..<3_150).map { "pages != \($0)" }.joined(separator: " AND "))
    #expect(store.capability(for: all) == .all)
    #expect(try keys(all) == [1, 2, 6])
  }

  /// Those of an app are joined in one chain, as a device does it.
  @Test func manyConditionsOfAnAppAreRefusedAsOnADevice() throws {
    let format = (0..<1_001).map { "pages == \($0)" }.joined(separator: " OR ")
    let query = try query(format) { $0.logic = .threeValued }
    let error = #expect(throws: CoreDataError.self) { try store.count(of: query) }
    #expect(error?.code == .sqlite)
    #expect(
      error?.reason
        == "SQLite refused a statement: Expression tree is too large (maximum depth 1000) "
        + "(code 1, SQL logic error)")
    #expect(
      error?.advice
        == "the predicate joins too many conditions by AND or OR, for a device, too; "
        + "write 'key IN {…}', or fetch in parts")
  }

  @Test func answerForOneEntityOfAFamily() throws {
    #expect(try keys(query("pages >= 0", entity: "Book")) == [1, 3, 5])
    #expect(try keys(query("pages >= 0") { $0.includesSubentities = false }) == [2, 4])
  }

  @Test func compareWithObjects() throws {
    let shelf = try #require(try store.rows("Shelf").first).objectID
    #expect(try keys(query("shelf == %@", shelf)) == [1, 2])
    let tag = try #require(try store.rows("Tag").first).objectID
    #expect(try keys(query("%@ IN tags", tag)) == [4, 5])
    #expect(try keys(query("shelf == %@", tag)) == [], "of another family")
  }

  @Test func sortAsMemoryDoes() throws {
    let byTitle = SortDescriptor(key: "title", ascending: true)
    #expect(try keys(query(nil) { $0.sortDescriptors = [byTitle] }) == [6, 3, 5, 4, 2, 1])
    let down = SortDescriptor(key: "pages", ascending: false)
    #expect(try keys(query("title != nil") { $0.sortDescriptors = [down] }) == [5, 4, 3, 2, 1])
    let paged = try query(nil) {
      $0.sortDescriptors = [byTitle]
      ($0.limit, $0.offset) = (2, 1)
    }
    #expect(try keys(paged) == [3, 5])
  }

  @Test func leaveToMemoryWhatSQLiteWouldAnswerOtherwise() throws {
    let itself = SortDescriptor(key: nil, ascending: true)
    #expect(store.capability(for: try query(nil) { $0.sortDescriptors = [itself] }) == .predicate)
    let block = try query("title == 1")
    #expect(store.capability(for: block) == .sort)
    #expect(try keys(block).count == 6, "all candidates")
    let limited = try query("title == 1") { $0.limit = 1 }
    #expect(try keys(limited).count == 6, "the limit is the caller's too")
  }

  @Test func takeKeysThatLeadNowhereForNil() throws {
    let count = try store.count(of: query("shelf == nil"))
    try store.database.execute("UPDATE ZITEM SET ZSHELF = 77 WHERE Z_PK = 2")
    let url = try #require(store.url)
    try store.close()
    let again = try SQLiteStore.open(at: url, model: store.model)
    #expect(again.capability(for: try query("shelf == nil")) == .all)
    #expect(try again.count(of: query("shelf == nil")) == count + 1)
  }

  @Test func lookUpsInABulkHaveAnIndexThatGoesWithIt() throws {
    let indexes = "SELECT name FROM sqlite_master WHERE name LIKE 'HW_%'"
    try store.beginBulk()
    #expect(try keys(query("title == 'none'")) == [])
    #expect(try store.database.texts(indexes) == [])
    #expect(try keys(query("title == 'emma'")) == [2])
    #expect(try keys(query("title == 'emma'")) == [2])
    #expect(try store.database.texts(indexes) == ["HW_ZITEM_ZTITLE"])
    try store.endBulk()
    #expect(try store.database.texts(indexes) == [])
  }
}
