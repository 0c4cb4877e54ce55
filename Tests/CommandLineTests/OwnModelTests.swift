import CSQLite
import Foundation
import TestSupport
import Testing

/// A store that fits none of the app's versions, and the model that it keeps of itself.
@Suite(.tags(.process), .tiered)
struct OwnModelTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.url.appending(path: "old.store") }

  /// A store as SwiftData makes them, with a composite attribute, and an app that has only the model after it.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Songs
      models: { v1: { Song: { title: string, place: "composite(city: string?, no: int16?)?" } } }
      seed: { Song: [{ title: One, place: { city: Oslo, no: 3 } }, { title: Two }] }
      expect: [{ count: { Song: 2 } }]

      """, to: "made.scenario.yaml")
    let made = try Tool.run(["run", "made.scenario.yaml", "--keep", "Kept"], in: folder)
    try #require(made.status == 0, "\(made)")
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/made.v1.run/store.sqlite"), to: store)
    try folder.write(
      """
      <model><entity name="Song"><attribute name="title" attributeType="String"/>
      <attribute name="note" optional="YES" attributeType="String"/></entity></model>
      """, to: "App.xcdatamodeld/App.xcdatamodel/contents")
  }

  private func execute(_ statements: String) throws -> OpaquePointer? {
    var connection: OpaquePointer?
    try #require(sqlite3_open(store.path, &connection) == SQLITE_OK)
    try #require(sqlite3_exec(connection, statements, nil, nil, nil) == SQLITE_OK)
    return connection
  }

  private func migrate(_ options: String...) throws -> Tool.Result {
    try Tool.run(
      ["migrate", "old.store", "--models", "App.xcdatamodeld"] + options, in: folder)
  }

  @Test func theErrorSaysThatTheStoresOwnModelCouldBeMigratedFrom() throws {
    let result = try migrate("-o", "new.store")
    #expect(result.status == 1)
    #expect(
      result.output == """
        old.store matches none of the versions
            NSCocoaErrorDomain 134130: Can't find model for source store
              do: The only model is 'App'; it differs in: Song. Is the version that wrote the store missing here, perhaps a newer one, or was a model changed after it was released? The store's own model (Z_MODELCACHE) could be migrated from: SwiftData certainly does, and whether Core Data does is unknown on a device; `heavyweight migrate old.store --models MODEL --from-store-model -o FILE` does it.
            see: `heavyweight inspect old.store --models App.xcdatamodeld` shows what differs, property by property

        the migration failed; nothing was written

        """)
    let explained = try migrate("--explain")
    #expect(explained.status == 2)
    #expect(explained.errors.contains("--from-store-model -o FILE` does it."))
  }

  @Test(arguments: ["DELETE", "WAL"])
  func theStoreIsMigratedFromItsOwnModel(journal: String) throws {
    // An open connection keeps what it wrote in the log.
    let connection = try execute(
      "PRAGMA journal_mode = \(journal); UPDATE ZSONG SET ZTITLE = 'Three' WHERE ZTITLE = 'Two'")
    defer { sqlite3_close(connection) }
    #expect(
      FileManager.default.fileExists(atPath: store.path + "-wal") == (journal == "WAL"))
    let before = try Data(contentsOf: store)
    let result = try migrate("--from-store-model", "-o", "new.store", "--json", "report.json")
    #expect(result.status == 0, "\(result)")
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[0] == "old.store matches none of the versions; its own model is the source")
    #expect(
      lines[1].hasPrefix("  ✓ the store's own model -> App  inferred  2 -> 2 objects  "))
    #expect(
      lines[2]
        == "      unknown on a device: it starts from the store's own model, as SwiftData certainly does, and Core Data perhaps"
    )
    #expect(try Data(contentsOf: store) == before)
    let inspected = try Tool.run(
      ["inspect", "new.store", "--models", "App.xcdatamodeld"], in: folder)
    #expect(inspected.status == 0)
    #expect(inspected.output.contains("App, by its version hashes"))
    var rows: OpaquePointer?
    var made: OpaquePointer?
    try #require(
      sqlite3_open(folder.url.appending(path: "new.store").path, &made) == SQLITE_OK)
    defer { sqlite3_close(made) }
    let titles = "SELECT group_concat(ZTITLE, ' ') FROM (SELECT ZTITLE FROM ZSONG ORDER BY ZTITLE)"
    try #require(sqlite3_prepare_v2(made, titles, -1, &rows, nil) == SQLITE_OK)
    defer { sqlite3_finalize(rows) }
    #expect(sqlite3_step(rows) == SQLITE_ROW)
    #expect(String(cString: sqlite3_column_text(rows, 0)) == "One Three")
    try expectSchema("migrate", of: "report.json")
  }

  private func expectSchema(_ name: String, of file: String) throws {
    let report = try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.url.appending(path: file)))
    let printed = try Tool.run(["schema", name], in: folder).output
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
    #expect(SchemaCheck(schema).problems(report) == [])
    #expect((report as? [String: Any])?["fromStoreModel"] as? Bool == true)
  }

  /// What is done to the store, and why its own model is no use then.
  @Test(arguments: [
    ("DROP TABLE Z_MODELCACHE", "there is none"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'", "The model in the store can't be read"),
    ("UPDATE Z_MODELCACHE SET Z_CONTENT = x''", "The model in the store can't be read"),
  ])
  func aModelThatIsNoUseIsTold(_ statement: String, _ reason: String) throws {
    sqlite3_close(try execute(statement))
    let told = "The store's own model (Z_MODELCACHE) can't be migrated from: \(reason)"
    let result = try migrate("-o", "new.store")
    #expect(result.status == 1)
    #expect(result.output.contains(told), "\(result.output)")
    #expect(!result.output.contains("--from-store-model"))
    let asked = try migrate("--from-store-model", "-o", "new.store")
    #expect(asked.status == 2)
    #expect(asked.errors.hasPrefix("old.store: error: \(told)"), "\(asked.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "new.store").path))
  }

  @Test func aModelOfAnotherVersionThanTheMetadataIsNoUse() throws {
    try folder.write(
      """
      scenario: Others
      models: { v1: { Song: { title: string } } }
      seed: { Song: [{ title: One }] }
      expect: [{ count: { Song: 1 } }]

      """, to: "other.scenario.yaml")
    _ = try Tool.run(["run", "other.scenario.yaml", "--keep", "Other"], in: folder)
    let other = folder.url.appending(path: "Other/other.v1.run/store.sqlite").path
    sqlite3_close(
      try execute(
        "ATTACH '\(other)' AS other; UPDATE Z_MODELCACHE SET Z_CONTENT = (SELECT Z_CONTENT FROM other.Z_MODELCACHE)"
      ))
    let asked = try migrate("--from-store-model", "-o", "new.store")
    #expect(asked.status == 2)
    #expect(
      asked.errors
        == "old.store: error: The store's own model (Z_MODELCACHE) can't be migrated from: its version hashes aren't those of the metadata\n"
    )
  }

  @Test func aStoreOfAVersionGoesItsUsualWay() throws {
    let made = try migrate("--from-store-model", "-o", "new.store")
    #expect(made.status == 0)
    let again = try Tool.run(
      [
        "migrate", "new.store", "--models", "App.xcdatamodeld", "--from-store-model", "-o",
        "newer.store",
      ], in: folder)
    #expect(again.status == 0)
    #expect(
      again.output.hasPrefix("new.store is of version App\n"), "\(again.output)")
  }

  @Test func aScenarioBringsItsOwnModels() throws {
    let result = try Tool.run(
      [
        "migrate", "old.store", "--scenario", "made.scenario.yaml", "--from-store-model", "-o",
        "new.store",
      ], in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("--from-store-model, --to and --direct."))
  }

  @Test func inspectComparesPropertyByPropertyWhereItCan() throws {
    let arguments = ["inspect", "old.store", "--models", "App.xcdatamodeld"]
    let result = try Tool.run(arguments, in: folder)
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        """
          nearest       App
                        changed: Song
                        from the store's own model to App:
                        ~ Song
                            + note: attribute, String, optional
                            - place: attribute, Composite, optional

        """.replacing("Composite, optional\n", with: "Composite")), "\(result.output)")
    sqlite3_close(try execute("DROP TABLE Z_MODELCACHE"))
    #expect(
      try Tool.run(arguments, in: folder).output.contains(
        "which properties differ isn't known: the store's own model is missing"))
  }

  @Test func aScenarioThatStartsFromTheStoreIsToldTheWay() throws {
    try folder.write(
      """
      scenario: Goes on
      models: { app: App.xcdatamodeld }
      store: old.store
      expect: [{ count: { Song: 2 } }]

      """, to: "on.scenario.yaml")
    let result = try Tool.run(["run", "on.scenario.yaml"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "on.scenario.yaml:3:8: error: the store matches none of the versions; the nearest is 'app', which differs in: Song. The store's own model (Z_MODELCACHE) could be migrated from: SwiftData certainly does, and whether Core Data does is unknown on a device; take the store as a version to start with, as in 'models: { old: old.store, … }'\n"
      ), "\(result.errors)")
    try folder.write(
      """
      scenario: Goes on
      models: { old: old.store, app: App.xcdatamodeld }
      store: old.store
      chain: [old -> app]
      expect: [{ count: { Song: 2 } }]

      """, to: "on.scenario.yaml")
    #expect(try Tool.run(["run", "on.scenario.yaml"], in: folder).status == 0)
  }
}
