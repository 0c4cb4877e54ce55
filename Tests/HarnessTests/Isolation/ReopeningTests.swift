import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What the app's next start must find.
@Suite struct ReopeningTests: StoreSuite {
  let place: StorePlace
  private let model: ManagedObjectModel

  init() throws {
    place = try StorePlace()
    model = try .notated([
      "Book": ["title": "string", "tags": "[Tag] <-> books", "cover": "data?"],
      "Tag": ["name": "string", "books": "[Book] <-> tags"],
    ])
  }

  /// A store with two books and a tag, and its digest.
  private func ending(version: String = "v2", isMigrated: Bool = true) throws -> StoreEnding {
    let store = try SQLiteStore.create(at: url, model: model)
    let context = try ManagedObjectContext(readingFrom: store)
    let books = try (1...2).map { number in
      let book = context.insertNewObject(for: try #require(model.entity(named: "Book")))
      book.setValue("Book \(number)", forKey: "title")
      return book
    }
    let tag = context.insertNewObject(for: try #require(model.entity(named: "Tag")))
    tag.setValue("old", forKey: "name")
    tag.setValue(Set(books), forKey: "books")
    try context.save()
    try store.close()
    return try StoreEnding(
      store: url.path, version: version, isMigrated: isMigrated, digest: digest())
  }

  private func digest() throws -> StoreDigest {
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    defer { try? store.close() }
    return try StoreDigest(of: store, at: url)
  }

  private func execute(_ sql: String) throws {
    let (status, output) = try Command.run("/usr/bin/env", ["sqlite3", url.path, sql])
    try #require(status == 0, "\(output)")
  }

  @Test(arguments: [true, false])
  func aStoreThatStaysAsItIsHasNoProblem(isMigrated: Bool) throws {
    let ending = try ending(isMigrated: isMigrated)
    #expect(ending.digest.objectCount == 3)
    for _ in 1...2 { #expect(Reopening(ending: ending, model: model).problem() == nil) }
  }

  @Test func fileThatChangedAfterwardsIsNamed() throws {
    let ending = try ending()
    try execute("UPDATE ZBOOK SET ZTITLE = 'Other' WHERE Z_PK = 1")
    #expect(
      Reopening(ending: ending, model: model).problem()
        == ReopeningProblem(
          expected: "files that don't change",
          found: "store.sqlite changed after the run had closed the store"))
  }

  @Test(
    arguments: [
      (
        "UPDATE ZBOOK SET ZTITLE = 'Other' WHERE Z_PK = 1",
        "different values or links in 3 objects"
      ),
      ("DELETE FROM Z_1TAGS WHERE Z_1BOOKS = 1", "different values or links in 3 objects"),
      ("DELETE FROM ZBOOK WHERE Z_PK = 2", "2 objects"),
    ])
  func contentIsComparedRowByRow(sql: String, found: String) throws {
    var ending = try ending()
    try execute(sql)
    // As if it had been so in the file already, and only memory had known otherwise.
    ending = StoreEnding(
      store: ending.store, version: ending.version, isMigrated: true,
      digest: try forged(ending.digest))
    let problem = Reopening(ending: ending, model: model).problem()
    #expect(problem == ReopeningProblem(expected: "the same content (3 objects)", found: found))
  }

  private func forged(_ digest: StoreDigest) throws -> StoreDigest {
    var forged = digest
    forged.files = try StoreDigest.files(of: PersistentStoreFiles(url))
    return forged
  }

  @Test func aStoreOfAnotherVersionWouldBeMigratedAgain() throws {
    let ending = try ending(version: "v3")
    let newer = try ManagedObjectModel.notated([
      "Book": ["title": "string", "pages": "int16 = 0"]
    ])
    let problem = try #require(Reopening(ending: ending, model: newer).problem())
    #expect(problem.expected == "a store of v3, which needs no migration")
    #expect(problem.found.hasSuffix("it would be migrated once more"))
  }

  @Test func aStoreThatIsGoneDoesNotOpen() throws {
    let ending = try ending()
    try FileManager.default.removeItem(at: url)
    let problem = try #require(Reopening(ending: ending, model: model).problem())
    #expect(problem.found.contains("store.sqlite"))
  }
}
