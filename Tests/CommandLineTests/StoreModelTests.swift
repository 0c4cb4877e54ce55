import CSQLite
import Foundation
import TestSupport
import Testing

/// A store where a model is asked for: its own model, in `Z_MODELCACHE`, is taken.
@Suite(.tags(.process), .tiered)
struct StoreModelTests {
  /// A folder with a scenario's store of `v1`, which has a suffix that says nothing.
  private func folder(store: String = "1.0.store") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Books
      models: { v1: { Book: { title: string, pages: int32 = 0 } } }
      seed: { Book: [{ title: One, pages: 3 }] }
      expect: [{ count: { Book: 1 } }]

      """, to: "made.scenario.yaml")
    let made = try Tool.run(["run", "made.scenario.yaml", "--keep", "Kept"], in: folder)
    try #require(made.status == 0)
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/made.v1.run/store.sqlite"),
      to: folder.url.appending(path: store))
    return folder
  }

  @Test(arguments: ["1.0.store", "1.0.sqlite", "1.0.fixture"])
  func checkTakesAStoreForAModelAndLeavesItAsItIs(name: String) throws {
    let folder = try folder(store: name)
    let before = try Data(contentsOf: folder.url.appending(path: name))
    let result = try Tool.run(["check", name], in: folder)
    #expect(result.errors == "")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("\(name): 1 version, current 1.0\n"))
    #expect(try Data(contentsOf: folder.url.appending(path: name)) == before)
  }

  @Test func inspectFindsAStoresVersionByAnotherStore() throws {
    let folder = try folder()
    let result = try Tool.run(["inspect", "1.0.store", "--models", "1.0.store"], in: folder)
    #expect(result.status == 0)
    #expect(result.output.contains("1.0, by its version hashes"))
  }

  @Test func aScenarioMigratesFromTheModelOfAStore() throws {
    let folder = try folder()
    try folder.write(
      """
      scenario: From a fixture
      models:
        v1: 1.0.store
        v2: { Book: { title: string, pages: int32 = 0, note: string? } }
      store: 1.0.store
      chain: [v1 -> v2]
      expect: [{ count: { Book: 1 } }, { everySourceMigrated: [Book] }]

      """, to: "fixture.scenario.yaml")
    let result = try Tool.run(["run", "fixture.scenario.yaml"], in: folder)
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func aSandboxedRunReadsAStoreWithWhatIsInItsLog() throws {
    let folder = try folder()
    let store = folder.url.appending(path: "1.0.store")
    // An open connection keeps the log, and what is in it, beside the store.
    let log = try Self.writeIntoLog(of: store, "UPDATE Z_MODELCACHE SET Z_CONTENT = Z_CONTENT")
    defer { sqlite3_close(log) }
    let result = try Tool.run(["check", "1.0.store"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    try folder.write(
      """
      scenario: From a fixture
      models: { v1: 1.0.store }
      seed: { Book: [{ title: One }] }
      expect: [{ count: { Book: 1 } }]

      """, to: "fixture.scenario.yaml")
    let run = try Tool.run(["run", "fixture.scenario.yaml", "--sandbox"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func aModelThatIsOnlyInTheLogIsRead() throws {
    let folder = try folder()
    let store = folder.url.appending(path: "1.0.store")
    let log = try Self.writeIntoLog(of: store, "DROP TABLE Z_MODELCACHE")
    defer { sqlite3_close(log) }
    let result = try Tool.run(["check", "1.0.store"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "1.0.store: error: the store has no model of its own (Z_MODELCACHE); give the model that it was made with\n"
    )
  }

  private static func writeIntoLog(of store: URL, _ statement: String) throws -> OpaquePointer? {
    var connection: OpaquePointer?
    try #require(sqlite3_open(store.path, &connection) == SQLITE_OK)
    let statements = "PRAGMA journal_mode = WAL; \(statement)"
    try #require(sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK)
    return connection
  }

  @Test(arguments: ["", "some text", "\u{1}\u{2}\u{3}\u{4}", "SQLite format 3\0cut"])
  func whatIsNoStoreIsBadInput(content: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(content, to: "bad.store")
    let result = try Tool.run(["check", "bad.store"], in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors.hasPrefix("bad.store: error: no model can be read from this store: "),
      "\(result.errors)")
  }
}
