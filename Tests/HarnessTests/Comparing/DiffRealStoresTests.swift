import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Persistence
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stores that are damaged, lack something, or hold a part of a model, compared all the same or
/// refused with a reason; never written to.
@Suite("Comparing stores as they come") struct DiffRealStoresTests {
  private func compare(
    _ a: URL, _ b: URL, models: [String] = [], identity: [String] = [], ignored: [String] = []
  ) throws -> StoreDifferences {
    var options = StoreComparison.Options()
    options.ignored = ignored
    return try DiffSession(
      stores: Both(a.path, b.path), models: models, identity: identity, options: options
    ).compare()
  }

  private func change(_ url: URL, _ statements: String...) throws {
    let database = try Database(at: url, access: .readWrite)
    defer { database.close() }
    for statement in statements { try database.execute(statement) }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @Test(arguments: [7, 41] as [UInt64])
  func flippedBitsNeverCrashAComparison(_ seed: UInt64) throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let (whole, damaged) = (try stores.store("v1"), try stores.store("v3"))
    let sound = try Data(contentsOf: damaged)
    var random = RandomSource(seed: seed)
    var refusals = 0
    for round in 0..<60 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      if round % 10 == 0 { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
      try bytes.write(to: damaged)
      let before = try stores.files()
      do { _ = try compare(whole, damaged) } catch {
        refusals += 1
        #expect("\(error)".contains(damaged.lastPathComponent), "seed \(seed), round \(round)")
      }
      #expect(try stores.files() == before, "seed \(seed), round \(round)")
    }
    #expect(refusals > 0, "seed \(seed)")
  }

  @Test func damagedRowsAreToldAndTheRestIsCompared() throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let (a, b) = (try stores.store("v2"), try stores.store("v3"))
    try change(b, "UPDATE ZBOOK SET ZSHELF = 9, ZPAGES = 8 WHERE Z_PK = 1")
    let found = try compare(a, b, identity: ["Book=title"])
    #expect(found.entity("Book")?.changed == 1)
    #expect(found.stores.b.findings.count == 1)
    #expect(
      found.plainText.contains(
        "\n   damaged: Book.shelf: 1 row leads to an object that doesn't exist; read as nil\n"))
    #expect(found.stores.a.findings == [])
    // What leads nowhere is read as nil, and isn't.
    let c = stores.url("copy.sqlite")
    try PersistentStoreFiles(b).copy(to: PersistentStoreFiles(c))
    try change(c, "UPDATE ZBOOK SET ZSHELF = NULL WHERE Z_PK = 1")
    let alike = try compare(b, c)
    #expect(alike.isEmpty && alike.exitStatus == .nothingChecked)
    #expect(
      alike.plainText.contains("\nnot compared as a whole, since values are missing or damaged: "))
    // What is of another type reads as a value of its own.
    try change(c, "UPDATE ZBOOK SET ZPAGES = 8.5 WHERE Z_PK = 1")
    let misread = try compare(c, c)
    #expect(misread.isEmpty && misread.exitStatus == .nothingChecked)
    #expect(
      misread.stores.a.findings
        == ["Book.pages: 1 row holds something other than a value of type Integer 16"])
    for ignored in ["Book", "Book.pages"] {
      let other = try compare(c, c, ignored: [ignored])
      #expect(other.stores.a.findings == [] && !other.lacksValues, "\(ignored)")
    }
    // Where something differs, nobody takes the stores for equal.
    try change(c, "UPDATE ZBOOK SET ZTITLE = 'Three' WHERE Z_PK = 2")
    #expect(try compare(b, c).stores.b.findings == [])
    try change(
      c,
      """
      WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 20001)
      INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES) SELECT i, Z_ENT, 1, 'Book ' || i, 1
      FROM n, (SELECT Z_ENT FROM ZBOOK LIMIT 1)
      """)
    let large = try compare(c, c)
    #expect(large.stores.a.findings == [] && large.exitStatus == .passed)
    #expect(large.plainText.contains("no damage is looked for beyond 20000 objects"))
  }

  @Test func whatSQLiteFindsWrongIsNotCompared() throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let a = try stores.store("v3")
    defer { withExtendedLifetime(stores) {} }
    try change(a, "CREATE INDEX mine ON ZBOOK (ZPAGES)")
    let wrong = "UPDATE sqlite_master SET sql = replace(sql, 'PAGES', 'TITLE') WHERE name = 'mine'"
    let (status, output) = try Command.run(
      "/usr/bin/env", ["sqlite3", a.path, "PRAGMA writable_schema = ON; \(wrong)"])
    try #require(status == 0, "\(output)")
    let found = try compare(a, a)
    #expect(found.isEmpty && found.exitStatus == .nothingChecked)
    #expect(found.stores.a.findings.contains { $0.contains("missing from index mine") })
  }

  @Test func aModelCacheThatCannotBeReadNeedsTheModel() throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let (a, b) = (try stores.store("v1"), stores.url("copy.sqlite"))
    try PersistentStoreFiles(a).copy(to: PersistentStoreFiles(b))
    try change(b, "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'")
    let error = #expect(throws: CoreDataError.self) { try compare(a, b) }
    #expect(error?.place.file == b.path)
    #expect(error?.reason == "The model in the store can't be read")
    let folder = try writeModels(stores)
    #expect(try compare(a, b, models: [folder.path]).isEmpty)
  }

  /// A folder with the model of v1 in Xcode's form.
  private func writeModels(_ stores: LibraryStores) throws -> URL {
    try stores.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Book"><attribute name="title" attributeType="String"/></entity>
      </model>
      """, to: "App/Models/Library.xcdatamodeld/Library.xcdatamodel/contents")
    return stores.url("App")
  }

  @Test func modelsAreTakenFromAFolderAndEqualVersionsAreNamed() throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let a = try stores.store("v1")
    try change(a, "DROP TABLE Z_MODELCACHE")
    let folder = try writeModels(stores)
    try FileManager.default.copyItem(
      at: folder.appending(path: "Models/Library.xcdatamodeld/Library.xcdatamodel"),
      to: folder.appending(path: "Models/Library.xcdatamodeld/Library 2.xcdatamodel"))
    let found = try compare(a, a, models: [folder.path])
    #expect(found.isEmpty)
    #expect(found.stores.a.versions == ["Library", "Library 2"])
  }

  @Test func aBrokenModelIsNamedWithItsPlace() throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let a = try stores.store("v1")
    let folder = try writeModels(stores)
    try stores.folder.write("<model>\n<entity", to: "Bad.xcdatamodel/contents")
    let error = #expect(throws: ModelFileError.self) {
      try compare(a, a, models: [stores.url("Bad.xcdatamodel").path])
    }
    #expect("\(try #require(error))".contains("Bad.xcdatamodel/contents:2"))
    let missing = #expect(throws: ModelFileError.self) {
      try compare(a, a, models: [folder.path, stores.url("No.momd").path])
    }
    #expect("\(try #require(missing))".contains("No.momd"))
  }

  @Test func rulesInAFileAreNamedWithTheirPlace() throws {
    let stores = try LibraryStores(LibraryStores.optionalShelf)
    let a = try stores.store("v1")
    func problem(_ text: String) throws -> String {
      let file = try stores.folder.write(text, to: "rules.yaml").path
      let error = #expect(throws: Diagnostics.self) { try compare(a, a, identity: [file]) }
      return "\(try #require(error))".split(separator: "\n").first.map(String.init)?
        .replacing(stores.folder.url.path + "/", with: "") ?? ""
    }
    #expect(try problem("Book: [titel]\n").hasPrefix("rules.yaml:1:"))
    #expect(try problem("Book: [titel]\n").contains("did you mean 'title'?"))
    #expect(try problem("Film: title\n").hasPrefix("rules.yaml:1:1: error: "))
    #expect(try problem("Book: [title\n").hasPrefix("rules.yaml:"))
    #expect(try problem("Book: .rows\n").contains("a rule is a key path"))
  }

  @Test func storesOfOneConfigurationAreComparedWithWholeOnes() throws {
    let folder = try TemporaryFolder()
    func model() throws -> ManagedObjectModel {
      try .notated(
        ["Book": ["title": "string"], "Cache": ["key": "string"]],
        configurations: ["Cloud": ["Book"]])
    }
    let (a, b) = (folder.url.appending(path: "a.sqlite"), folder.url.appending(path: "b.sqlite"))
    let part = try StoreConfiguration(model: model(), named: "Cloud")
    for (url, configuration) in [(a, part), (b, StoreConfiguration(model: try model()))] {
      let store = try SQLiteStore.create(at: url, configuration: configuration)
      try store.database.execute(
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'One')")
      try store.checkpointAndClose()
    }
    let found = try compare(a, b)
    #expect(found.entity("Book")?.equal == 1)
    #expect(found.isEmpty)
  }
}
