import Foundation
import TestSupport
import Testing

/// Every kind of damage that plain `sqlite3` can do, told to people and to machines.
@Suite(.enabled(if: Tool.hasSQLite, "there is no /usr/bin/sqlite3"), .tags(.process), .tiered)
struct InspectDamageTests {
  private static let scenario = """
    scenario: A library
    models:
      v1:
        Book:
          .unique: [isbn]
          title: string
          isbn: string?
          pages: int16?
          code: string?(/[0-9]+/)
          shelf: Shelf? <-> books
          cover: Cover? <-> book
          tags: "[Tag] <-> books"
        Shelf: { name: string, books: "[Book](0...2) <-> shelf" }
        Cover: { colour: string?, book: Book? <-> cover }
        Tag: { name: string, books: "[Book] <-> tags" }
        Media: { .abstract: true, length: int32? }
        Song: { .parent: Media, artist: string }
    seed:
      Book:
        - { id: a, title: A, isbn: "1", cover: red, shelf: top, tags: [new] }
        - { id: b, title: B, isbn: "2", cover: blue, shelf: top, tags: [new] }
        - { title: C, isbn: "3" }
      Shelf: [{ id: top, name: top }]
      Cover: [{ id: red, colour: red }, { id: blue, colour: blue }]
      Tag: [{ id: new, name: new }]
      Song: [{ artist: X }, { artist: Y }]
    expect: [{ count: { Book: 3 } }]

    """

  /// What `sqlite3` is told to do, and what is to be said about it.
  struct Damage: CustomTestStringConvertible {
    let sql: String
    let identifier: String
    let text: String
    /// Entity, property and number of rows in the JSON, where there are.
    let place: (entity: String?, property: String?, count: Int)
    var testDescription: String { identifier }
  }

  static let damages: [Damage] = [
    Damage(
      sql: "UPDATE ZBOOK SET ZSHELF = 9 WHERE Z_PK < 3", identifier: "dangling-reference",
      text: """
        ✗ error   Book.shelf: 2 rows lead to no existing Shelf  dangling-reference
            Book/p1 -> Shelf/p9
            Book/p2 -> Shelf/p9
        """, place: ("Book", "shelf", 2)),
    Damage(
      sql: "DELETE FROM ZTAG", identifier: "orphan-link",
      text: """
        ✗ error   Book.tags: 2 links lead to no existing Tag  orphan-link
            Book/p1 -> Tag/p1
            Book/p2 -> Tag/p1
        """, place: ("Book", "tags", 2)),
    Damage(
      sql: "UPDATE ZCOVER SET ZBOOK = 3 WHERE Z_PK = 1", identifier: "one-sided-inverse",
      text: """
        ✗ error   Book.cover: 1 row leads to a row whose book doesn't lead back  one-sided-inverse
            Book/p1 -> Cover/p1
        """, place: ("Book", "cover", 1)),
    Damage(
      sql: "UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK > 1", identifier: "missing-value",
      text: """
        ! warning Book.title: 2 rows lack a required value  missing-value
            Book/p2
            Book/p3
        """, place: ("Book", "title", 2)),
    Damage(
      sql: "DROP INDEX Z_Book_UNIQUE_isbn; UPDATE ZBOOK SET ZISBN = '1' WHERE Z_PK < 3",
      identifier: "duplicate-values",
      text: """
        ✗ error   Book.isbn: 2 rows share isbn, which must be unique  duplicate-values
            Book/p1
            Book/p2: same as p1
        ! warning Book: no unique index enforces the constraint (isbn)  missing-unique-index
        """, place: ("Book", "isbn", 2)),
    Damage(
      sql: "UPDATE ZBOOK SET Z_ENT = 4 WHERE Z_PK = 3", identifier: "wrong-entity",
      text: """
        ! warning ZBOOK: 1 row has a Z_ENT of another table or of no entity at all; the table holds only Book, so \
        they are read as such  wrong-entity
            Song/p3: Z_ENT is 4
        """, place: (nil, nil, 1)),
    Damage(
      sql: "UPDATE ZMEDIA SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Media')",
      identifier: "abstract-entity",
      text: """
        ✗ error   Media: 2 rows are of an abstract entity  abstract-entity
            Media/p1
            Media/p2
        """, place: ("Media", nil, 2)),
    Damage(
      sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'", identifier: "stale-maximum",
      text: """
        ! warning Book: Z_MAX is 1, but the highest key in ZBOOK is 3; a new object gets a key above both  \
        stale-maximum
        """, place: ("Book", nil, 2)),
    Damage(
      sql: "UPDATE ZBOOK SET ZPAGES = 'many' WHERE Z_PK = 2", identifier: "wrong-type",
      text: """
        ✗ error   Book.pages: 1 row holds something other than a value of type Integer 16  wrong-type
            Book/p2
        """, place: ("Book", "pages", 1)),
    Damage(
      sql: "UPDATE ZBOOK SET ZCODE = 'x' WHERE Z_PK = 1", identifier: "invalid-value", text: "",
      place: ("Book", "code", 1)),
    Damage(
      sql: "UPDATE ZBOOK SET ZSHELF = 1", identifier: "wrong-count", text: "",
      place: ("Shelf", "books", 1)),
    Damage(
      sql: "DROP TABLE ZTAG", identifier: "missing-table",
      text: "✗ error   ZTAG: the table is missing  missing-table", place: (nil, nil, 1)),
    Damage(
      sql: "ALTER TABLE ZTAG DROP COLUMN ZNAME", identifier: "missing-column",
      text: "✗ error   ZTAG: the column ZNAME is missing  missing-column", place: (nil, nil, 1)),
    Damage(
      sql: "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = "
        + "(SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK') WHERE name = 'ZTAG'",
      identifier: "sqlite-integrity", text: "✗ error   SQLite's own check: ", place: (nil, nil, 0)),
  ]

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "Seed.scenario.yaml")
    let made = try Tool.run(
      ["run", "Seed.scenario.yaml", "--backend", "sqlite", "--keep", "Kept"], in: folder)
    try #require(made.status == 0, "\(made.errors)\(made.output)")
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/Seed.v1.run/store.sqlite"),
      to: folder.url.appending(path: "old.sqlite"))
    try FileManager.default.removeItem(at: folder.url.appending(path: "Kept"))
    return folder
  }

  @Test(arguments: damages)
  func damageIsToldToPeopleAndMachines(_ damage: Damage) throws {
    let folder = try folder()
    let changed = try Tool.run(
      script: "sqlite3 old.sqlite \"$0\" && sqlite3 old.sqlite 'PRAGMA journal_mode = DELETE'",
      [damage.sql], in: folder)
    try #require(changed.status == 0, "\(changed)")
    let store = folder.url.appending(path: "old.sqlite")
    let before = try Data(contentsOf: store)

    let text = try Tool.run(["inspect", "old.sqlite"], in: folder)
    #expect(text.status == 1)
    #expect(text.output.contains("\n\n" + damage.text), "\(text.output)")

    let machine = try Tool.run(["inspect", "old.sqlite", "--json"], in: folder)
    #expect(machine.status == 1)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(machine.output.utf8)) as? [String: Any])
    let findings = try #require(json["findings"] as? [[String: Any]])
    let found = try #require(findings.first { $0["id"] as? String == damage.identifier })
    #expect(found["entity"] as? String == damage.place.entity)
    #expect(found["property"] as? String == damage.place.property)
    if damage.place.count > 0 { #expect(found["count"] as? Int == damage.place.count) }
    #expect(json["exitStatus"] as? Int == 1)

    #expect(try Data(contentsOf: store) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["Seed.scenario.yaml", "old.sqlite"])
  }

  /// An encrypted file looks like noise; nothing at all, a folder and a text are no stores either.
  @Test func whatIsNoStoreSaysWhatToDo() throws {
    let folder = try TemporaryFolder()
    var random = RandomSource(seed: 5)
    let noise = Data((0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) })
    try noise.write(to: folder.url.appending(path: "noise.sqlite"))
    try folder.write("", to: "empty.sqlite")
    try folder.write("", to: "folder.sqlite/x")
    func complaint(_ name: String) throws -> String {
      let result = try Tool.run(["inspect", name], in: folder)
      #expect(result.status == 2)
      #expect(result.output == "")
      return result.errors.replacing(folder.url.path + "/", with: "")
        .replacing(folder.url.resolvingSymlinksInPath().path + "/", with: "")
    }
    #expect(
      try complaint("noise.sqlite") == """
        NSCocoaErrorDomain 259: The store can't be opened: file is not a database (SQLite code 26)
          file: noise.sqlite
          do: check that the file is an SQLite database and isn't encrypted

        """)
    #expect(
      try complaint("empty.sqlite") == """
        NSCocoaErrorDomain 134080: The file isn't a complete Core Data store: it has no tables \
        Z_METADATA and Z_PRIMARYKEY
          file: empty.sqlite
          do: check that this is the app's store, copied together with its -wal file

        """)
    // One that waited for somebody to write to the pipe would be stopped: status 124.
    let pipe = try Tool.run(
      script: "mkfifo pipe.sqlite && exec timeout 60 \"$0\" inspect pipe.sqlite",
      [Tool.executable().path], in: folder)
    #expect(pipe.status == 2)
    #expect(pipe.errors.contains("The store isn't an ordinary file"))
    #expect(
      try complaint("folder.sqlite") == """
        NSCocoaErrorDomain 134080: The store is a folder
          file: folder.sqlite
          do: check the path; an SQLite store is a single file, often named *.sqlite

        """)
  }
}

extension Tool {
  static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")
}
