import TestSupport
import Testing

@testable import Persistence

/// Rules of the model that rows break, and statements of a store about itself that don't hold.
@Suite("Inspecting what a store says and allows")
struct InspectionRulesTests: StoreSuite {
  let place: StorePlace

  init() throws {
    place = try StorePlace()
  }

  /// A closed store with some rows, changed by SQL.
  private func make(
    _ model: ManagedObjectModel, changedBy statements: String...,
    filling fill: (SQLiteStore) throws -> Void = { _ in }
  ) throws {
    let store = try SQLiteStore.create(at: url, model: model)
    try fill(store)
    for statement in statements { try store.database.execute(statement) }
    try store.close()
  }

  private func inspection(rowLimit: Int = 5) throws -> StoreInspection {
    let inspector = try StoreInspector(of: url)
    return try inspector.inspect(with: inspector.cachedModel, rowLimit: rowLimit)
  }

  private func findings() throws -> [String] {
    try inspection().findings.map { finding in
      let rows = finding.rows.map { row in
        finding.name(of: row) + (row.detail.map { ": \($0)" } ?? "")
      }
      return "\(finding.severity) \(finding)"
        + (rows.isEmpty ? "" : " [\(rows.joined(separator: ", "))]")
    }
  }

  // MARK: Rows

  @Test func valuesBeyondTheirBoundsAreFoundWithTheSavesCode() throws {
    let model = try ManagedObjectModel.notated([
      "Book": [
        "pages": "int16?(1...10)", "isbn": "string?(/[0-9]+/)", "title": "string?(2...4)",
        "sold": "date?(2001-01-01...2002-01-01)",
      ]
    ])
    try make(
      model,
      changedBy: "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZPAGES, ZISBN, ZTITLE, ZSOLD) VALUES "
        + "(1, 1, 1, 99, '12', 'abc', 0), (2, 1, 1, 0, 'x', 'a', -1), "
        + "(3, 1, 1, 10, NULL, 'abcde', 1e9)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 3")
    #expect(
      try findings() == [
        "warning invalid-value: Book.isbn: 1 value breaks the rules of the model: isbn is invalid. "
          + "(1680) [Book/p2]",
        "warning invalid-value: Book.pages: 1 value breaks the rules of the model: pages is too "
          + "large. (1610) [Book/p1]",
        "warning invalid-value: Book.pages: 1 value breaks the rules of the model: pages is too "
          + "small. (1620) [Book/p2]",
        "warning invalid-value: Book.sold: 1 value breaks the rules of the model: sold is too early. "
          + "(1640) [Book/p2]",
        "warning invalid-value: Book.sold: 1 value breaks the rules of the model: sold is too late. "
          + "(1630) [Book/p3]",
        "warning invalid-value: Book.title: 1 value breaks the rules of the model: title is too "
          + "long. (1660) [Book/p3]",
        "warning invalid-value: Book.title: 1 value breaks the rules of the model: title is too "
          + "short. (1670) [Book/p2]",
      ])
  }

  @Test func tooFewAndTooManyDestinationsAreFound() throws {
    let model = try ManagedObjectModel.notated([
      "Book": ["tags": "[Tag](1...2) <-> book", "friends": "[Pal](2...3) <-> books"],
      "Tag": ["book": "Book? <-> tags"], "Pal": ["books": "[Book] <-> friends"],
    ])
    try make(
      model,
      changedBy: "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1)",
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZBOOK) VALUES (1, 3, 1, 1), (2, 3, 1, 1), (3, 3, 1, 1)",
      "INSERT INTO ZPAL (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1)",
      "INSERT INTO Z_1FRIENDS VALUES (1, 1), (1, 2), (2, 1)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 3")
    #expect(
      try findings() == [
        "error wrong-count: Book.friends: 1 row has too few or too many: at least 2, at most 3 "
          + "[Book/p2: has 1]",
        "error wrong-count: Book.tags: 1 row has too few or too many: at least 1, at most 2 "
          + "[Book/p1: has 3]",
      ])
  }

  @Test func duplicatesUnderASubentitysConstraintAreFound() throws {
    try make(
      StoreShape.indexesAndConstraints.model(),
      changedBy: "DROP INDEX Z_Author_UNIQUE_alias",
      "INSERT INTO ZWRITER (Z_PK, Z_ENT, Z_OPT, ZALIAS, ZNAME) VALUES "
        // A plain writer has no alias, whatever its row holds.
        + "(1, 3, 1, 'same', 'a'), (2, 2, 1, 'same', 'b'), (3, 3, 1, 'same', 'c'), (4, 2, 1, NULL, 'd')",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_SUPER = 0")
    #expect(
      try findings() == [
        "error duplicate-values: Author.alias: 2 rows share alias, which must be unique [Author/p1, "
          + "Author/p3: same as p1]",
        "warning missing-unique-index: Author: no unique index enforces the constraint (alias)",
      ])
  }

  @Test func constraintsOverAttributesAndToOnesAreChecked() throws {
    try make(
      StoreShape.indexesAndConstraints.model(),
      changedBy: "DROP INDEX Z_Book_UNIQUE_title_author",
      "INSERT INTO ZWRITER (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1), (2, 3, 1)",
      "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZAUTHOR) VALUES "
        + "(1, 1, 1, 't', 1), (2, 1, 1, 't', 2), (3, 1, 1, 't', 1), (4, 1, 1, 't', NULL), "
        + "(5, 1, 1, 't', NULL)",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_SUPER = 0")
    #expect(
      try findings() == [
        "error duplicate-values: Book: 2 rows share title, author, which must be unique [Book/p1, "
          + "Book/p3: same as p1]",
        "warning missing-unique-index: Book: no unique index enforces the constraint (title, author)",
      ])
  }

  // MARK: Files and bookkeeping

  @Test func aFileThatNoRowUsesIsNoted() throws {
    try make(StoreShape.external.model())
    try folder.write("", to: ".store_SUPPORT/_EXTERNAL_DATA/5A3B77F0-0000-4000-8000-000000000001")
    #expect(
      try findings() == [
        "note orphan-external-file: .store_SUPPORT: 1 file is used by no row: 5A3B77F0-0000-4000-8000-000000000001"
      ])
    #expect(try inspection().isSound)
  }

  @Test func aColumnOfAnotherTypeIsFound() throws {
    try make(
      StoreShape.library.model(), changedBy: "ALTER TABLE ZTAG DROP COLUMN ZNAME",
      "ALTER TABLE ZTAG ADD COLUMN ZNAME INTEGER")
    #expect(
      try findings() == [
        "warning column-type: ZTAG: the column ZNAME is declared INTEGER instead of VARCHAR"
      ])
  }

  @Test func theModelOfAnotherVersionInTheStoreIsFound() throws {
    let other = try SQLiteStore.create(
      at: folder.url.appending(path: "other.sqlite"), model: StoreShape.inheritance.model())
    let cache = try other.database.texts("SELECT quote(Z_CONTENT) FROM Z_MODELCACHE")[0]
    try other.discard()
    try make(StoreShape.library.model(), changedBy: "UPDATE Z_MODELCACHE SET Z_CONTENT = \(cache)")
    let stale = try #require(try inspection().findings.first { $0.kind == .staleModelCache })
    #expect(stale.severity == .warning)
    #expect(stale.count == 13)
    #expect(
      stale.message == "the store's own model has other version hashes than its metadata for Book, "
        + "Chapter, Conversation, Cover, Item and 8 more")
  }

  @Test(arguments: ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"])
  func aDigestOfOtherHashesIsFound(_ key: String) throws {
    try make(StoreShape.library.model())
    try changeMetadata { $0[key] = "AAAA" }
    #expect(
      try findings() == [
        "warning hashes-digest: \(key) doesn't belong to the version hashes beside it"
      ])
  }

  @Test func metadataWithoutHashesIsFound() throws {
    try make(StoreShape.library.model())
    try changeMetadata { $0["NSStoreModelVersionHashes"] = nil }
    #expect(
      try findings() == [
        "error metadata: the metadata has no version hashes, so that no model fits the store"
      ])
  }

  private func changeMetadata(_ change: (inout [String: Any]) -> Void) throws {
    let database = try Database(at: url, access: .readWrite)
    defer { database.close() }
    let old = try database.with("SELECT Z_PLIST FROM Z_METADATA") { statement in
      try statement.step() ? statement.data(0) : Data()
    }
    var values = try #require(
      try PropertyListSerialization.propertyList(from: old, format: nil) as? [String: Any])
    change(&values)
    let new = try PropertyListSerialization.data(
      fromPropertyList: values, format: .binary, options: 0)
    try database.with("UPDATE Z_METADATA SET Z_PLIST = ?") { statement in
      statement.bind(new, at: 1)
      try statement.run()
    }
  }

  /// A page of a table is lost; the other tables are still looked at.
  @Test func aTableThatCannotBeReadHidesNothingElse() throws {
    try make(
      StoreShape.library.model(),
      changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Shelf'",
      filling: { try StoreShape.library.fill($0) })
    var bytes = try Data(contentsOf: url)
    let database = try Database(at: url, access: .immutable)
    let page = try #require(
      try database.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZTAG'"))
    database.close()
    let start = (Int(page) - 1) * 4096
    bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xA5, count: 4096))
    try bytes.write(to: url)
    let found = try inspection().findings
    #expect(found.contains { $0.kind == .sqliteIntegrity && $0.severity == .error })
    #expect(found.contains { $0.kind == .unreadableTable && $0.message.contains("malformed") })
    #expect(found.contains { $0.kind == .staleMaximum && $0.entity == "Shelf" })
    #expect(try inspection().entities.first { $0.name == "Tag" }?.rows == nil)
    #expect(try inspection().entities.first { $0.name == "Shelf" }?.rows == 4)
  }

  /// A folder that is for reading only, as on an image of a device.
  @Test func aStoreInAFolderForReadingOnlyIsRead() throws {
    try make(StoreShape.library.model(), filling: { try StoreShape.library.fill($0) })
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path) }
    #expect(try inspection().isSound)
    #expect(try folder.contents().keys.sorted() == ["store.sqlite"])
  }
}
