import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Persistence
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Files as users have them: links, odd places, stores of one configuration, with history.
@Suite("Migrating files as users have them") struct RealFileMigrationTests {
  private let folder: TemporaryFolder
  private let source: URL

  private static func xml(_ more: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Book"><attribute name="title" attributeType="String"/>\(more)</entity>
      <entity name="Cache"><attribute name="key" attributeType="String"/></entity>
      <configuration name="Cloud"><memberEntity name="Book"/></configuration>
      <configuration name="Local"><memberEntity name="Cache"/></configuration>
    </model>
    """
  }

  /// A folder with the versions App and App 2, and a store of the first.
  init() throws {
    folder = try TemporaryFolder()
    source = folder.url.appending(path: "old.sqlite")
    try folder.write(Self.xml(), to: "App.xcdatamodeld/App.xcdatamodel/contents")
    try folder.write(
      Self.xml(#"<attribute name="pages" optional="YES" attributeType="Integer 16"/>"#),
      to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
    try fill(source, model: version("App"))
  }

  private func version(_ name: String) throws -> ManagedObjectModel {
    let model = try VersionedModel.load(contentsOf: folder.url.appending(path: "App.xcdatamodeld"))
    return try #require(model.version(named: name))
  }

  private func fill(
    _ url: URL, model: ManagedObjectModel, changedBy statements: String...
  ) throws {
    let store = try SQLiteStore.create(at: url, model: model)
    try store.database.execute(
      "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'One'), (2, 1, 1, 'Two'); "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Book'")
    for statement in statements { try store.database.execute(statement) }
    try store.checkpointAndClose()
  }

  private func url(_ name: String) -> URL { folder.url.appending(path: name) }

  private func migrate(
    _ store: URL, to output: URL, target: String? = "App 2"
  ) async throws -> StoreMigrationReport {
    let files = MigrationFiles(models: url("App.xcdatamodeld"))
    return try StoreMigration(
      of: store, to: output, by: try await ModelRouteFinder(files, to: target)
    ).run()
  }

  private func titles(_ store: URL) throws -> [String] {
    let database = try Database(at: store, access: .immutable)
    defer { database.close() }
    return try database.texts("SELECT ZTITLE FROM ZBOOK ORDER BY Z_PK")
  }

  private func kind(_ url: URL) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
  }

  // MARK: Links and places

  @Test(arguments: ["App", "App 2"])
  func aLinkToTheStoreIsFollowedAndTheResultIsAFile(target: String) async throws {
    try FileManager.default.createSymbolicLink(at: url("link"), withDestinationURL: source)
    let before = try Data(contentsOf: source)
    let report = try await migrate(url("link"), to: url("new.sqlite"), target: target)
    #expect(report.failure == nil)
    #expect(try kind(url("new.sqlite")) == .typeRegular)
    #expect(try titles(url("new.sqlite")) == ["One", "Two"])
    #expect(try Data(contentsOf: source) == before)
  }

  @Test(arguments: ["with space ünï%20?#é.sqlite", "no suffix", ".hidden.sqlite", "a.b.c"])
  func anyNameServesAsTheResults(_ name: String) async throws {
    let before = Set(try contents())
    let report = try await migrate(source, to: url(name))
    #expect(report.failure == nil)
    #expect(try titles(url(name)) == ["One", "Two"])
    #expect(try Set(contents()).subtracting(before) == [name])
  }

  private func contents() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  private func refusal(of output: URL) async throws -> String {
    let before = try contents().sorted()
    let error = await #expect(throws: Diagnostics.self) { try await migrate(source, to: output) }
    #expect(try contents().sorted() == before)
    return "\(try #require(error))".replacing(folder.url.path + "/", with: "")
      .replacing(folder.url.path, with: "FOLDER")
  }

  @Test func placesThatCannotBeTakenSayWhy() async throws {
    try FileManager.default.createSymbolicLink(
      at: url("dangling"), withDestinationURL: url("nowhere"))
    for name in ["old.sqlite", "dangling", "App.xcdatamodeld"] {
      #expect(
        try await refusal(of: url(name))
          == "\(name): error: this already exists, and nothing is overwritten; name another file")
    }
    #expect(
      try await refusal(of: folder.url.appending(path: "new/", directoryHint: .isDirectory))
        == "new: error: give the name of a file for the result, not a folder")
    #expect(
      try await refusal(of: url("none/new.sqlite"))
        == "none/new.sqlite: error: there is no folder 'none'; make it first")
    #expect(
      try await refusal(of: url("old.sqlite/new.sqlite"))
        == "old.sqlite/new.sqlite: error: there is no folder 'old.sqlite'; make it first")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "there is no /proc"))
  func aFolderThatCannotBeWrittenToIsBadInput() async throws {
    #expect(
      try await refusal(of: URL(filePath: "/proc/new.sqlite"))
        == "/proc/new.sqlite: error: nothing can be written in the folder '/proc': "
        + "No such file or directory")
  }

  // MARK: What is in the store

  @Test func aStoreOfOneConfigurationKeepsToIt() async throws {
    let store = url("cloud.sqlite")
    try fill(store, model: version("App").part(named: "Cloud"))
    let report = try await migrate(store, to: url("new.sqlite"))
    #expect(report.failure == nil)
    #expect(report.configuration == "Cloud")
    #expect(report.versions == ["App"])
    #expect(report.target == "App 2")
    #expect(report.entities == [.init(entity: "Book", before: 2, after: 2)])
    #expect(
      report.text(style: TextStyle(isColoured: false)).contains(
        "cloud.sqlite is of version App, configuration Cloud\n"))
    let metadata = try SQLiteStore.metadata(at: url("new.sqlite"))
    let fits = try version("App 2").isConfiguration(
      withName: "Cloud", compatibleWithStoreMetadata: metadata)
    #expect(fits)
    #expect(try titles(url("new.sqlite")) == ["One", "Two"])
    let inspected = try InspectReport(
      of: url("new.sqlite"),
      models: [try VersionedModel.load(contentsOf: url("App.xcdatamodeld"))])
    #expect(inspected.findings.filter { $0.severity != .note }.map(\.description) == [])
    #expect(inspected.version?.best?.match.configuration == "Cloud")
  }

  @Test func objectsOfAnEntityThatLeavesTheConfigurationAreNamed() async throws {
    try folder.write(
      Self.xml().replacing(
        #"<configuration name="Cloud"><memberEntity name="Book"/>"#,
        with: #"<entity name="Log"/><configuration name="Cloud"><memberEntity name="Book"/>"#
          + #"<memberEntity name="Cache"/>"#),
      to: "App.xcdatamodeld/App.xcdatamodel/contents")
    try fill(
      url("cloud.sqlite"), model: version("App").part(named: "Cloud"),
      changedBy: "INSERT INTO ZCACHE (Z_PK, Z_ENT, Z_OPT, ZKEY) VALUES (1, 2, 1, 'one')")
    let report = try await migrate(url("cloud.sqlite"), to: url("new.sqlite"))
    #expect(report.failure == nil)
    #expect(
      report.text(style: TextStyle(isColoured: false)).contains(
        "emptied: Cache: 1 object before, none after, not in the store's configuration any more\n"))
  }

  @Test func whatIsWrongWithRowsThatOnlySQLReadsIsSaid() async throws {
    let store = url("damaged.sqlite")
    try fill(
      store, model: version("App"),
      changedBy: "UPDATE ZBOOK SET ZTITLE = x'01' WHERE Z_PK = 2", "PRAGMA user_version = 7",
      "CREATE INDEX mine ON ZBOOK (ZTITLE)")
    try folder.write("no log", to: "damaged.sqlite-wal")
    let report = try await migrate(store, to: url("new.sqlite"))
    #expect(report.failure == nil)
    #expect(
      report.findings == [
        "ZBOOK: a migration doesn't take along indexes that Core Data doesn't make: 'mine'",
        "user_version: it is 7, and a migration doesn't take it along",
        "the -wal file (6 bytes) isn't a write-ahead log; what was in it can't be seen",
        "Book.title: 1 row holds something other than a value of type String",
      ])
  }

  /// That nobody looked at so many rows is no damage.
  @Test func nothingIsSaidOfTheRowsOfALargeStore() async throws {
    let store = url("large.sqlite")
    try fill(
      store, model: version("App"),
      changedBy: """
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, Z_ENT, 1, 'Book ' || i
        FROM n, (SELECT Z_ENT FROM ZBOOK LIMIT 1)
        """)
    let report = try await migrate(store, to: url("new.sqlite"))
    #expect(report.failure == nil)
    #expect(report.findings == [])
  }

  @Test func historyIsLeftBehindAndThatIsSaid() async throws {
    let store = url("history.sqlite")
    try fill(
      store, model: version("App"),
      changedBy: "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZENTITY INTEGER)",
      "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)",
      "CREATE TABLE NOTES (text)", "INSERT INTO ACHANGE VALUES (1, 1), (2, 1)",
      "ALTER TABLE ZBOOK ADD ZOLD VARCHAR", "UPDATE ZBOOK SET ZOLD = 'x' WHERE Z_PK = 1",
      "ALTER TABLE ZBOOK ADD ZEMPTY VARCHAR",
      "INSERT INTO NOTES VALUES ('mine')",
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2), (16002, 'TRANSACTION', 0, 0)")
    let report = try await migrate(store, to: url("new.sqlite"))
    #expect(report.failure == nil)
    #expect(report.leftBehind.map(\.table) == ["ACHANGE", "NOTES", "ZBOOK"])
    let text = report.text(style: TextStyle(isColoured: false))
    #expect(text.contains("  left behind: ACHANGE, 2 rows, persistent history\n"))
    #expect(text.contains("  left behind: NOTES, 1 row, a table of no entity\n"))
    #expect(text.contains("  left behind: ZBOOK.ZOLD, 1 row, a column of no property\n"))
    let json = try JSONSerialization.jsonObject(with: report.json.machineReport()) as? [String: Any]
    let tables = json?["leftBehind"] as? [[String: Any]]
    #expect(tables?.map { $0["table"] as? String } == ["ACHANGE", "NOTES", "ZBOOK"])
    #expect(tables?.map { $0["rows"] as? Int } == [2, 1, 1])
    let database = try Database(at: url("new.sqlite"), access: .immutable)
    defer { database.close() }
    #expect(
      try database.texts("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT") == ["Book", "Cache"])
    // A copy is the whole file.
    let copied = try await migrate(store, to: url("copy.sqlite"), target: "App")
    #expect(copied.leftBehind == [])
    #expect(try Data(contentsOf: url("copy.sqlite")) == Data(contentsOf: store))
  }

  @Test func aStoreOfAnotherAppSaysSo() async throws {
    let model = try ManagedObjectModel.notated(["Film": ["title": "string"]])
    try SQLiteStore.create(at: url("films.sqlite"), model: model).close()
    let report = try await migrate(url("films.sqlite"), to: url("new.sqlite"))
    let text = report.text(style: TextStyle(isColoured: false))
      .replacing(folder.url.path + "/", with: "")
    #expect(
      text == """
        films.sqlite matches none of the versions
            NSCocoaErrorDomain 134130: Can't find model for source store
              do: No model has any of the store's entities. Is this the store of another app?
            see: `heavyweight inspect films.sqlite --models MODEL` shows what differs, property by property

        the migration failed; nothing was written

        """)
  }

  @Test func aStoreNewerThanTheModelsNamesTheNearest() async throws {
    let newer = try ManagedObjectModel.notated([
      "Book": ["title": "string", "isbn": "string?"], "Cache": ["key": "string"],
    ])
    try SQLiteStore.create(at: url("newer.sqlite"), model: newer).close()
    let report = try await migrate(url("newer.sqlite"), to: url("new.sqlite"))
    #expect(
      (report.failure?.error as? CoreDataError)?.advice
        == "The nearest of 2 models is 'App'; it differs in: Book. Is the version that wrote the "
        + "store missing here, perhaps a newer one, or was a model changed after it was "
        + "released? The store's own model (Z_MODELCACHE) could be migrated from: SwiftData "
        + "certainly does, and whether Core Data does is unknown on a device; `heavyweight migrate "
        + "\(url("newer.sqlite").relativePath) --models MODEL --from-store-model -o FILE` does it.")
  }
}
