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
    let place = folder.url.appending(path: store)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/made.v1.run/store.sqlite"),
      to: place)
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

  @Test func oneOfSeveralStoresThatCannotBeReadIsAFindingAndTheOthersAreChecked() throws {
    let folder = try folder(store: "Fixtures/1.0.store")
    try folder.write("text", to: "Fixtures/2.0.store")
    let result = try Tool.run(["check", "Fixtures"], in: folder)
    #expect(result.status == 1)
    #expect(
      result.output == """
        Fixtures: 1 version, current 1.0

        error: 2.0: Fixtures/2.0.store: no model can be read from this store: The store can't be opened: file is not a database (SQLite code 26) [version-unreadable]
            do: Copy the store anew, with its -wal, or leave it out.

        1 error, 0 warnings, 0 notes

        """, "\(result)")
    let model = try Tool.run(["model", "Fixtures"], in: folder)
    #expect(model.status == 2)
    #expect(
      model.output.contains("error: Fixtures/2.0.store: no model can be read from this store: "),
      "\(model)")
  }

  /// It costs the status, and not the answer.
  @Test(arguments: [
    (["inspect", "Fixtures/1.0.store", "--models", "Fixtures"], "1.0, by its version hashes"),
    (
      ["inspect", "Fixtures/1.0.store", "--models", "Fixtures", "--json"], #""exitStatus" : 2,"#
    ),
    (["diff", "Fixtures/1.0.store", "old.store", "--models", "Fixtures"], "equal: 1 object"),
    (["lock", "Fixtures"], "1 version locked, current 1.0"),
    (
      ["migrate", "old.store", "--models", "Fixtures", "-o", "new.store"],
      "new.store is of version 1.0"
    ),
    (
      ["migrate", "old.store", "--models", "Fixtures", "-o", "new.store", "--json"],
      #""exitStatus" : 2,"#
    ),
    (
      ["explain", "could not locate an entity named 'Book' in this model", "--models", "Fixtures"],
      "Book: in 1.0"
    ),
  ])
  func otherCommandsGoOnWithoutAStoreThatCannotBeRead(
    arguments: [String], output: String
  ) throws {
    let folder = try folder(store: "Fixtures/1.0.store")
    try folder.write("text", to: "Fixtures/2.0.store")
    try FileManager.default.copyItem(
      at: folder.url.appending(path: "Fixtures/1.0.store"),
      to: folder.url.appending(path: "old.store"))
    let result = try Tool.run(arguments, in: folder)
    #expect(result.status == 2, "\(result)")
    #expect(result.output.contains(output), "\(result)")
    #expect(
      result.errors.split(separator: "\n").count {
        $0.hasPrefix("Fixtures/2.0.store: error: no model can be read from this store: ")
      } == 1, "\(result)")
  }

  @Test func aScenarioOfAFolderOfStoresWantsEveryStore() throws {
    let folder = try folder(store: "Fixtures/1.0.store")
    try folder.write("text", to: "Fixtures/2.0.store")
    let scenario = """
      scenario: From a fixture
      models: Fixtures
      store: Fixtures/1.0.store
      chain: []
      expect: [{ count: { Book: 1 } }]

      """
    try folder.write(scenario, to: "fixture.scenario.yaml")
    let result = try Tool.run(["run", "fixture.scenario.yaml"], in: folder)
    #expect(result.status == 2, "\(result)")
    #expect(result.errors.contains("no model can be read from this store"), "\(result)")
    try folder.write(
      scenario.replacing("models: Fixtures", with: "models: { xcode: Fixtures, versions: [1.0] }"),
      to: "fixture.scenario.yaml")
    let chosen = try Tool.run(["run", "fixture.scenario.yaml"], in: folder)
    #expect(chosen.status == 0, "\(chosen)")
  }

  @Test func ofAFolderWithAModelAndStoresTheModelIsTakenAndThatIsSaid() throws {
    let folder = try folder(store: "App/1.0.store")
    try folder.write(
      "<model><entity name='Book'/></model>", to: "App/App.xcdatamodeld/App.xcdatamodel/contents")
    let result = try Tool.run(["check", "App"], in: folder)
    #expect(
      result.output.contains(
        "note: App: the model in this folder is taken, and no store as a version: App/1.0.store; name stores themselves to take their models [passed-over]"
      ), "\(result)")
  }

  @Test(arguments: [
    ["inspect", "1.0.store", "--models", "A", "--models", "1.0.store"],
    ["lock", "1.0.store", "-o", "a.json", "--output=b.json"],
  ])
  func anOptionThatTakesOneValueIsThereOnce(arguments: [String]) throws {
    let result = try Tool.run(arguments, in: folder())
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "'\(arguments[0] == "lock" ? "--output" : "--models")' takes one value, and is there more than once."
      ), "\(result)")
  }

  /// Foundation stops the process at such a path.
  @Test func aFolderWithANameOfOneCharacterIsTaken() throws {
    let folder = try folder(store: "S/1.0.store")
    try folder.write(
      """
      scenario: From a fixture
      models: S
      store: S/1.0.store
      chain: []
      expect: [{ count: { Book: 1 } }]

      """, to: "fixture.scenario.yaml")
    let result = try Tool.run(["run", "fixture.scenario.yaml", "--sandbox"], in: folder)
    #expect(result.status == 0, "\(result)")
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
