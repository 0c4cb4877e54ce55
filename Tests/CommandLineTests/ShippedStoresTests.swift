import CSQLite
import Foundation
import TestSupport
import Testing

/// `lock --stores` and `init --stores`: one fixture for each version that shipped.
@Suite(.tags(.process), .tiered)
struct ShippedStoresTests {
  private let folder: TemporaryFolder
  private static let name = #"<attribute name="name" attributeType="String"/>"#
  private static let x = #"<attribute name="x" optional="YES" attributeType="String"/>"#
  private static let y = #"<attribute name="y" optional="YES" attributeType="String"/>"#

  /// A model of three versions, with stores of the first and the last, one in a log, and one of none.
  init() throws {
    folder = try TemporaryFolder()
    try write(Self.name, as: "App")
    try write(Self.name + Self.x, as: "App 2")
    try write(Self.name + Self.x + Self.y, as: "App 3")
    try folder.write(
      """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>App 3.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    try makeStore("1.0.sqlite", of: "name: string")
    try makeStore("3.0.sqlite", of: "name: string, x: string?, y: string?")
  }

  private func write(_ attributes: String, as version: String) throws {
    try folder.write(
      "<model><entity name=\"Item\">\(attributes)</entity></model>",
      to: "App.xcdatamodeld/\(version).xcdatamodel/contents")
  }

  private func makeStore(_ name: String, of properties: String) throws {
    try folder.write(
      """
      scenario: Made
      models: { v: { Item: { \(properties) } } }
      seed: { Item: [{ name: rope }, { name: axe }] }
      expect: [{ count: { Item: 2 } }]

      """, to: "Make/made.scenario.yaml")
    let made = try Tool.run(["run", "Make/made.scenario.yaml", "--keep", "Kept"], in: folder)
    try #require(made.status == 0, "\(made)")
    let kept = try #require(
      FileManager.default.subpaths(atPath: folder.url.appending(path: "Kept").path)?.first {
        $0.hasSuffix("store.sqlite")
      })
    let fixtures = folder.url.appending(path: "Fixtures")
    try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/\(kept)"), to: fixtures.appending(path: name))
    try FileManager.default.removeItem(at: folder.url.appending(path: "Kept"))
  }

  private func lock(_ options: String...) throws -> Tool.Result {
    try Tool.run(["lock", "App.xcdatamodeld"] + options, in: folder)
  }

  private func stores() throws -> [[String: Any]] {
    let file = folder.url.appending(path: "App.xcdatamodeld.lock.json")
    let manifest = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return (manifest as? [String: Any])?["stores"] as? [[String: Any]] ?? []
  }

  // MARK: lock

  @Test(arguments: ["Fixtures/*.sqlite", "Fixtures", "Fixtures/*"])
  func storesAreRecordedWithTheirVersions(path: String) throws {
    // In write-ahead mode, with the log beside it.
    var connection: OpaquePointer?
    let place = folder.url.appending(path: "Fixtures/1.0.sqlite").path
    try #require(sqlite3_open(place, &connection) == SQLITE_OK)
    defer { sqlite3_close(connection) }
    let write = "PRAGMA journal_mode = WAL; UPDATE ZITEM SET ZNAME = 'cord' WHERE ZNAME = 'rope'"
    try #require(sqlite3_exec(connection, write, nil, nil, nil) == SQLITE_OK)
    let result = try lock("--stores", path)
    #expect(result.status == 0)
    #expect(
      result.output == """
        note: App 2: no store of it is recorded [version-without-store]
        App.xcdatamodeld.lock.json: 3 versions, 2 stores locked, current App 3

        """, "\(result.errors)")
    let stores = try stores()
    #expect(stores.map { $0["path"] as? String } == ["Fixtures/1.0.sqlite", "Fixtures/3.0.sqlite"])
    #expect(stores.map { $0["version"] as? String } == ["App", "App 3"])
    let check = try lock("--check")
    #expect(check.status == 0)
    #expect(
      check.output == """
        note: App 2: no store of it is recorded [version-without-store]
        3 versions, 2 stores locked, current App 3: nothing changed

        """)
  }

  @Test func storesStayInTheManifestAndOthersAreAdded() throws {
    #expect(try lock("--stores", "Fixtures/1.0.sqlite").status == 0)
    #expect(try lock().output.contains("is up to date: 3 versions, 1 store locked"))
    #expect(try lock("--stores", "Fixtures/3.0.sqlite").status == 0)
    #expect(try stores().count == 2)
  }

  @Test func aStoreThatAnEditStrandsFailsTheCheckAlsoWithoutItsFile() throws {
    #expect(try lock("--stores", "Fixtures").status == 0)
    try FileManager.default.removeItem(at: folder.url.appending(path: "Fixtures"))
    #expect(try lock("--check").status == 0)
    try write(
      Self.name.replacing("attributeType", with: #"optional="YES" attributeType"#), as: "App")
    let expected = """
      error: App: Item.name: was 'String, required' and is 'String, optional' [edited-version]
      error: Fixtures/1.0.sqlite: this store is of 'App' as it was, and matches none of the versions; the nearest is 'App 3', which differs in: Item [stranded-store]
      note: App 2: no store of it is recorded [version-without-store]
      3 versions, 2 stores locked, current App 3: 2 errors

      """
    let check = try lock("--check")
    #expect(check.status == 1)
    #expect(check.output == expected)
    // Nor does a new manifest forget what the store was.
    #expect(try lock().output.contains("[stranded-store]"))
    #expect(try stores().map { $0["version"] as? String } == ["App", "App 3"])
    #expect(try lock("--check").status == 1)
    let accepted = try lock("--accept", "Nobody has it.")
    #expect(accepted.status == 0, "\(accepted)")
    #expect(try lock("--check").status == 0)
  }

  @Test func aStoreOfNoVersionFails() throws {
    try makeStore("odd.sqlite", of: "name: string, q: string?")
    let result = try lock("--stores", "Fixtures")
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix(
        "error: Fixtures/odd.sqlite: this store matches none of the versions; the nearest is 'App 3', which differs in: Item [store-of-no-version]\n"
      ))
    let check = try lock("--check", "--json", "report.json")
    #expect(check.status == 1)
    let report = try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.url.appending(path: "report.json")))
    let printed = try Tool.run(["schema", "lock"], in: folder).output
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
    #expect(SchemaCheck(schema).problems(report) == [])
    #expect(((report as? [String: Any])?["stores"] as? [Any])?.count == 3)
  }

  @Test func aStoreThatCannotBeReadKeepsNoneOfTheOthersFromBeingRecorded() throws {
    try folder.write("text", to: "Fixtures/bad.sqlite")
    let result = try lock("--stores", "Fixtures/*.sqlite")
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "NSCocoaErrorDomain 259: The store can't be opened: file is not a database (SQLite code 26)\n"
      ) && result.errors.contains("Fixtures/bad.sqlite\n"), "\(result.errors)")
    #expect(
      result.output.hasSuffix(
        "App.xcdatamodeld.lock.json: 3 versions, 2 stores locked, current App 3\n"))
    #expect(try stores().count == 2)
    // What was recorded is as it was.
    let again = try lock("--stores", "Fixtures")
    #expect(again.status == 2 && again.output.contains("is up to date") == false, "\(again)")
  }

  @Test func storesInFoldersOfAFolderAreFound() throws {
    let old = folder.url.appending(path: "Fixtures/1.0.sqlite")
    try folder.write("", to: "Fixtures/1.0/note.txt")
    try FileManager.default.moveItem(
      at: old, to: folder.url.appending(path: "Fixtures/1.0/default.sqlite"))
    #expect(try lock("--stores", "Fixtures").status == 0)
    #expect(
      try stores().map { $0["path"] as? String } == [
        "Fixtures/1.0/default.sqlite", "Fixtures/3.0.sqlite",
      ])
  }

  @Test func whatIsNoStoreIsBadInput() throws {
    try folder.write("text", to: "Fixtures/bad.sqlite")
    #expect(try lock("--stores", "Fixtures/bad.sqlite").status == 2)
    #expect(
      try lock("--stores", "None/*.sqlite").errors == "None/*.sqlite: error: there is no store\n")
    #expect(try lock("--check", "--stores", "Fixtures").status == 2)
    #expect(
      !FileManager.default.fileExists(
        atPath: folder.url.appending(path: "App.xcdatamodeld.lock.json").path))
  }

  // MARK: init

  @Test func aScenarioIsWrittenForEachStoreAndPasses() throws {
    try makeStore("odd.sqlite", of: "name: string, q: string?")
    try makeStore("2.0.sqlite", of: "name: string, x: string?")
    let result = try Tool.run(
      ["init", "App.xcdatamodeld", "--stores", "Fixtures/*.sqlite"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output == """
        wrote Scenarios/Store-1.0.scenario.yaml
          a store of App in one step, as Core Data does by itself: 3 expectations
        wrote Scenarios/Store-2.0.scenario.yaml
          a store of App 2 in one step, as Core Data does by itself: 3 expectations
        wrote Scenarios/Store-3.0.scenario.yaml
          a store of App 3: 1 expectation
        next: heavyweight run Scenarios

        """, "\(result.errors)")
    #expect(
      result.errors.hasPrefix(
        "left out: Fixtures/odd.sqlite: the store matches none of the versions; the nearest is 'App 3', which differs in: Item. "
      ), "\(result.errors)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Scenarios/Store-1.0.scenario.yaml"), encoding: .utf8)
    #expect(
      text == """
        # yaml-language-server: $schema=scenario.schema.json
        # What becomes of a store that a shipped version left. The expectations are what was found: add what
        # must have become of objects that matter.
        scenario: The store 1.0, of App, goes on in one step, as Core Data does by itself
        models: ../App.xcdatamodeld
        store: ../Fixtures/1.0.sqlite
        chain: direct
        expect:
          - mapping: inferred
          - everySourceMigrated: true
          - count: { Item: 2 }

        """)
    let run = try Tool.run(["run", "Scenarios"], in: folder)
    #expect(run.status == 0, "\(run)")
    let again = try Tool.run(
      ["init", "App.xcdatamodeld", "--stores", "Fixtures", "--json", "report.json"], in: folder)
    #expect(again.output.contains("kept Scenarios/Store-1.0.scenario.yaml, which exists"))
    let report = try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.url.appending(path: "report.json")))
    let schema = try #require(
      JSONSerialization.jsonObject(
        with: Data(try Tool.run(["schema", "init"], in: folder).output.utf8)) as? [String: Any])
    #expect(SchemaCheck(schema).problems(report) == [])
  }

  @Test func aStoreThatFailsHasARedScenarioAndIsSaid() throws {
    try write(Self.name + #"<attribute name="z" attributeType="String"/>"#, as: "App 3")
    let result = try Tool.run(
      ["init", "App.xcdatamodeld", "--stores", "Fixtures/1.0.sqlite"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "a store of App in one step, as Core Data does by itself: error 134110 at Item.z in App -> App 3"
      ))
    #expect(
      result.errors.hasPrefix(
        "This store in one step, as Core Data does by itself: error 134110 at Item.z in App -> App 3, as in the app. "
          + "The scenario fails until that is mended; where no user has such a store, give it 'skip: REASON'. "
          + "If the app goes version by version"), "\(result.errors)")
    #expect(try Tool.run(["run", "Scenarios"], in: folder).status == 1)
  }

  @Test func aStoreThatCannotBeReadCostsTheStatusAndTheOthersGetTheirScenarios() throws {
    try folder.write("text", to: "Fixtures/bad.sqlite")
    let result = try Tool.run(
      ["init", "App.xcdatamodeld", "--stores", "Fixtures/*.sqlite"], in: folder)
    #expect(result.status == 2)
    #expect(result.output.contains("wrote Scenarios/Store-3.0.scenario.yaml"))
    #expect(
      result.errors
        == "left out: Fixtures/bad.sqlite: The store can't be opened: file is not a database (SQLite code 26)\n"
    )
  }

  @Test func theFolderAfterTheStoresIsNoStore() throws {
    let result = try Tool.run(
      ["init", "App.xcdatamodeld", "--stores", "Fixtures/1.0.sqlite", "Released"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "Released: error: there is no store; a folder that scenarios go to is named before --stores\n"
    )
  }

  @Test func whereNoStoreFitsNothingIsWritten() throws {
    try makeStore("odd.sqlite", of: "name: string, q: string?")
    let result = try Tool.run(
      ["init", "App.xcdatamodeld", "--stores", "Fixtures/odd.sqlite"], in: folder)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("Fixtures/odd.sqlite: error: the store matches none"))
    #expect(
      !FileManager.default.fileExists(atPath: folder.url.appending(path: "Scenarios").path))
  }
}
