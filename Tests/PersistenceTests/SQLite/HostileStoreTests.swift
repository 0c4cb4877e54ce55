import CSQLite
import Foundation
import TestSupport
import Testing

@testable import Persistence

/// A store may come from anybody: nothing that its schema says is run, and what is passed over is said.
@Suite("A hostile store") struct HostileStoreTests: StoreSuite {
  let place: StorePlace
  let model: ManagedObjectModel

  init() throws {
    place = try StorePlace(named: "Album.sqlite")
    model = try StoreShape.external.model()
  }

  /// Makes a store with a picture, and does something to its file as somebody else's SQLite would.
  private func make(_ sql: String, in place: URL? = nil) throws {
    let store = try SQLiteStore.create(at: place ?? url, model: model)
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["name": .string("one")])
    try writing.save()
    try store.close()
    var handle: OpaquePointer?
    #expect(sqlite3_open((place ?? url).path, &handle) == SQLITE_OK)
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    #expect(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    sqlite3_close(handle)
  }

  private func findings() throws -> [String] {
    try StoreInspector(of: url).inspect(with: model).findings.map(\.description)
  }

  private static let everything = """
    CREATE TABLE VICTIM (ZTEXT VARCHAR, CHECK (length(ZTEXT) > 1000));
    ALTER TABLE ZPICTURE ADD COLUMN ZBOMB GENERATED ALWAYS AS (hex(zeroblob(500000000)));
    CREATE TRIGGER onUpdate AFTER UPDATE ON ZPICTURE BEGIN DELETE FROM ZPICTURE; END;
    CREATE TRIGGER onDelete AFTER DELETE ON ZPICTURE BEGIN INSERT INTO VICTIM VALUES ('x'); END;
    CREATE VIEW PEEK AS SELECT hex(zeroblob(500000000)) FROM ZPICTURE;
    CREATE VIRTUAL TABLE WORDS USING fts4(content);
    CREATE INDEX mine ON ZPICTURE (ZNAME);
    PRAGMA user_version = 7;
    """

  @Test func whatIsPassedOverIsSaid() throws {
    try make(Self.everything)
    let said = try findings()
    for text in [
      "ignored-schema: ZPICTURE: its triggers never run here, and a migration doesn't take them along: 'onDelete', 'onUpdate'",
      "ignored-schema: ZPICTURE: its generated columns are never read: 'ZBOMB'",
      "ignored-schema: PEEK: it is a view, which is never read",
      "ignored-schema: WORDS: it is a virtual table, whose module is never called",
      "ignored-schema: VICTIM: its CHECKs never reject a row: the model's own rules apply",
      "ignored-schema: ZPICTURE: a migration doesn't take along indexes that Core Data doesn't make: 'mine'",
      "ignored-schema: user_version: it is 7, and a migration doesn't take it along",
    ] { #expect(said.contains(text), "\(text) in \(said)") }
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    #expect(try store.ignoredSchema().count == 7)
    #expect(try store.rows("Picture").count == 1)
    try store.close()
  }

  @Test func aSoundStoreHasNothingOfIt() throws {
    try make("CREATE TABLE OTHER (\"CHECK (x)\" VARCHAR DEFAULT 'CHECK (')  -- CHECK (\n")
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    #expect(try store.ignoredSchema() == [])
    try store.close()
  }

  @Test func nothingOfItRuns() throws {
    // A row that is written has its generated columns computed by SQLite; all it can come to is an error.
    try make(
      Self.everything.replacing("500000000)))", with: "5)))")
        + "ALTER TABLE ZPICTURE ADD COLUMN ZRULE CHECK (ZNAME = 'one');")
    let store = try SQLiteStore.open(at: url, model: model)
    var writing = StoreWriting(store)
    writing.update(try #require(try store.rows("Picture").first), ["name": .string("new")])
    try writing.save()
    #expect(try store.rows("Picture").map { $0.value("name") } == [.string("new")])
    try store.close()
  }

  /// In place of a column of the model's.
  @Test func aGeneratedColumnIsNoneOfTheModels() throws {
    try make(
      """
      ALTER TABLE ZPICTURE DROP COLUMN ZNAME;
      ALTER TABLE ZPICTURE ADD COLUMN ZNAME GENERATED ALWAYS AS ('not ' || 'stored')
      """)
    #expect(throws: CoreDataError.self) { try SQLiteStore.openReadOnly(at: url, model: model) }
    #expect(try findings().contains { $0.hasPrefix("missing-column") })
  }

  @Test(arguments: [Database.Access.immutable, .readWrite])
  func connectionsAreDefensive(_ access: Database.Access) throws {
    try make(Self.everything)
    let database = try Database(at: url, access: access)
    defer { database.close() }
    #expect(try database.integer("PRAGMA trusted_schema") == 0)
    #expect(try database.integer("PRAGMA cell_size_check") == 1)
    #expect(try database.integer("PRAGMA ignore_check_constraints") == 1)
    for (sql, what) in [
      ("SELECT * FROM PEEK", "a view"), ("SELECT load_extension('x')", "an extension"),
      ("SELECT \"ZNOTHING\" FROM ZPICTURE", "a text in double quotes"),
      ("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = ''", "the schema"),
      (
        "SELECT 1" + String(repeating: " + 1", count: 2000),
        "depth"
      ),
      ("SELECT zeroblob(2000000000)", "length"),
    ] {
      #expect(throws: CoreDataError.self, "\(what)") { try database.execute(sql) }
    }
  }

  @Test func aNewStoreIsMadeBySuchAConnectionToo() throws {
    let database = try Database(at: folder.url.appending(path: "new.sqlite"), access: .create)
    defer { database.close() }
    #expect(try database.integer("PRAGMA cell_size_check") == 1)
    #expect(throws: CoreDataError.self) { try database.execute("SELECT \"x\"") }
  }
}
