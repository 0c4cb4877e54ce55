import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Persistence
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stores that were migrated in place, or are older or newer than ours, have another layout and the
/// same content. SQLite and memory hold it alike.
@Suite("Stores of another layout") struct AlteredStoresTests {
  private static let scenario = """
    scenario: A chat
    models:
      v1:
        Conversation:
          name: string
          messages: "[Message] ordered <-> conversation"
          members: "[User] ordered <-> conversations"
          pinned: "TextMessage?"
        Message:
          .abstract: true
          sentAt: date?
          conversation: "Conversation? <-> messages"
          reactions: "[Reaction] <-> message"
        SystemMessage: { .parent: Message, text: string?, users: "[User] <-> systemMessages" }
        TextMessage: { .parent: Message, text: string? }
        Reaction: { emoji: string, message: "Message? <-> reactions", users: "[User] <-> reactions" }
        User:
          name: string
          key: uuid?
          home: uri?
          colour: transformable?
          photo: data(external)?
          conversations: "[Conversation] <-> members"
          reactions: "[Reaction] <-> users"
          systemMessages: "[SystemMessage] <-> users"
    seed:
      User:
        - { id: ann, name: Ann, key: E621E1F8-C36C-495A-93FC-0C247A3E6E5F, home: "https://a.b/c?d=1", photo: "0x010203" }
        - { id: bob, name: Bob, colour: "0x62706c697374" }
        - { id: eve, name: Eve }
      Conversation:
        - { id: chat, name: Chat, members: [eve, ann, bob] }
        - { id: quiet, name: Quiet, members: [bob] }
      TextMessage:
        - { id: hi, text: Hi, sentAt: 2020-01-01T00:00:00Z, conversation: chat }
        - { id: bye, text: Bye, sentAt: 2020-01-02T00:00:00Z, conversation: chat }
      SystemMessage:
        - { id: joined, text: joined, conversation: chat, users: [ann, eve] }
      Reaction:
        - { emoji: ":-)", message: hi, users: [ann, bob] }
        - { emoji: ":-(", message: joined, users: [eve] }
    expect:
      - count: { User: 3 }

    """

  /// How a layout came about, and the statements that make it.
  struct Alteration: CustomTestStringConvertible {
    let name: String
    let sql: [String]
    var testDescription: String { name }
  }

  static let alterations: [Alteration] = [
    Alteration(
      name: "columns added at the end",
      sql: [
        "ALTER TABLE ZMESSAGE RENAME ZSENTAT TO OLD",
        "ALTER TABLE ZMESSAGE ADD COLUMN ZSENTAT TIMESTAMP", "UPDATE ZMESSAGE SET ZSENTAT = OLD",
        "ALTER TABLE ZMESSAGE DROP COLUMN OLD",
      ]),
    Alteration(
      name: "a renamed table, in quotes",
      sql: ["ALTER TABLE ZUSER RENAME TO ZOLD", "ALTER TABLE ZOLD RENAME TO ZUSER"]),
    Alteration(name: "entities renumbered, old indexes left", sql: renumbering),
    Alteration(
      name: "a subentity under its old name",
      sql: ["UPDATE Z_PRIMARYKEY SET Z_NAME = 'Notice' WHERE Z_NAME = 'SystemMessage'"]),
    Alteration(
      name: "columns with other digits",
      sql: [
        "ALTER TABLE ZMESSAGE RENAME ZTEXT1 TO ZTEXT7",
        "ALTER TABLE Z_3USERS RENAME Z_6USERS1 TO Z_6USERS4",
        "ALTER TABLE Z_5USERS RENAME Z_6USERS TO Z_6USERS2",
      ]),
    Alteration(
      name: "uneven places in an order, and none for the last",
      sql: [
        "UPDATE ZMESSAGE SET Z_FOK_CONVERSATION = Z_FOK_CONVERSATION * 3 - 100000",
        "UPDATE ZMESSAGE SET Z_FOK_CONVERSATION = NULL "
          + "WHERE Z_FOK_CONVERSATION = (SELECT max(Z_FOK_CONVERSATION) FROM ZMESSAGE)",
        "UPDATE Z_1MEMBERS SET Z_FOK_6MEMBERS = Z_FOK_6MEMBERS / 1024",
      ]),
    Alteration(
      name: "destinations without entity number", sql: ["UPDATE ZREACTION SET Z2_MESSAGE = NULL"]),
    Alteration(
      name: "persistent history, mirroring and triggers of derived attributes", sql: history),
    Alteration(
      name: "a rollback journal, no model cache, no indexes",
      sql: [
        "DROP TABLE Z_MODELCACHE", "DROP INDEX ZMESSAGE_ZCONVERSATION_INDEX",
        "DROP INDEX Z_1MEMBERS_Z_6MEMBERS_INDEX", "PRAGMA journal_mode = DELETE",
      ]),
  ]

  private static let renumbering =
    [
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_SUPER + 20 WHERE Z_SUPER > 0",
      "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 20",
    ]
    + ["CONVERSATION", "MESSAGE", "REACTION", "USER"].map { "UPDATE Z\($0) SET Z_ENT = Z_ENT + 20" }
    + [
      "ALTER TABLE ZREACTION RENAME Z2_MESSAGE TO Z22_MESSAGE",
      "UPDATE ZREACTION SET Z22_MESSAGE = Z22_MESSAGE + 20",
      "ALTER TABLE Z_1MEMBERS RENAME TO Z_21MEMBERS",
      "ALTER TABLE Z_21MEMBERS RENAME Z_1CONVERSATIONS TO Z_21CONVERSATIONS",
      "ALTER TABLE Z_21MEMBERS RENAME Z_6MEMBERS TO Z_26MEMBERS",
      "ALTER TABLE Z_21MEMBERS RENAME Z_FOK_6MEMBERS TO Z_FOK_26MEMBERS",
      "ALTER TABLE Z_3USERS RENAME TO Z_23USERS",
      "ALTER TABLE Z_23USERS RENAME Z_3SYSTEMMESSAGES TO Z_23SYSTEMMESSAGES",
      "ALTER TABLE Z_23USERS RENAME Z_6USERS1 TO Z_26USERS1",
      "ALTER TABLE Z_5USERS RENAME TO Z_25USERS",
      "ALTER TABLE Z_25USERS RENAME Z_5REACTIONS TO Z_25REACTIONS",
      "ALTER TABLE Z_25USERS RENAME Z_6USERS TO Z_26USERS",
      "CREATE INDEX Z_21MEMBERS_Z_26MEMBERS_INDEX ON Z_21MEMBERS (Z_26MEMBERS, Z_21CONVERSATIONS)",
    ]

  private static let history = [
    "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
      + "ZCOLUMNS BLOB)",
    "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT)",
    "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZNAME VARCHAR UNIQUE)",
    "INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 1, 1.5)",
    "INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'app')",
    "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 6, 1, 1, NULL)",
    "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1), "
      + "(16003, 'TRANSACTIONSTRING', 0, 1)",
    "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZCOUNT INTEGER)",
    "CREATE TABLE sqlitemanager_extras (name VARCHAR)",
    "CREATE TRIGGER Z_DA_ZUSER_User_count_INSERT AFTER INSERT ON ZUSER FOR EACH ROW BEGIN "
      + "SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZUSER'); END",
  ]

  /// A store with the seed, and its model.
  private func store(in folder: TemporaryFolder) throws -> (url: URL, model: ManagedObjectModel) {
    let scenario = try checked(Self.scenario)
    var suite = ScenarioSuite()
    suite.backends = [.sqlite]
    suite.keepFolder = folder.url
    for start in scenario.starts {
      let results = suite.run(scenario, from: start, with: PolicyRegistry())
      #expect(results.flatMap(\.failures).isEmpty)
    }
    let path = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        .first { $0.hasSuffix("store.sqlite") })
    return (folder.url.appending(path: path), try scenario.model("v1"))
  }

  private func content(of store: PersistentStore) throws -> ContentSnapshot {
    try ContentSnapshot(of: store, provenance: Provenance())
  }

  @Test(arguments: alterations)
  func theContentIsTheSame(_ alteration: Alteration) throws {
    let folder = try TemporaryFolder()
    let (url, model) = try store(in: folder)
    let original = try SQLiteStore.openReadOnly(at: url, model: model)
    let expected = try content(of: original)
    #expect(expected.objects.count == 10)
    try original.close()

    let database = try Database(at: url, access: .readWrite)
    for statement in alteration.sql { try database.execute(statement) }
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()

    let altered = try SQLiteStore.openReadOnly(at: url, model: model)
    #expect(try content(of: altered).differences(from: expected) == [])
    let memory = try InMemoryStore.copying(altered, model: model)
    #expect(try content(of: memory).differences(from: expected) == [])
    #expect(altered.findings == [])
    let inspection = try StoreInspector(of: url).inspect(with: model)
    let severe = inspection.findings.filter { $0.severity == .error }
    #expect(severe.filter { $0.kind != .wrongEntityColumn } == [])
    try altered.close()
  }

  /// The tables of history and mirroring are counted and told apart from the app's.
  @Test func historyIsReported() throws {
    let folder = try TemporaryFolder()
    let (url, model) = try store(in: folder)
    let database = try Database(at: url, access: .readWrite)
    for statement in Self.history { try database.execute(statement) }
    database.close()
    let inspection = try StoreInspector(of: url).inspect(with: model)
    #expect(
      inspection.historyTables.map(\.table)
        == ["ACHANGE", "ANSCKEVENT", "ATRANSACTION", "ATRANSACTIONSTRING"])
    #expect(inspection.historyTables.map(\.rows) == [1, 0, 1, 1])
    #expect(inspection.otherTables.map(\.table) == ["sqlitemanager_extras"])
    #expect(inspection.entities.map(\.rows) == [2, 0, 1, 2, 2, 3])
    #expect(inspection.isSound)
  }

  /// A large value lies in a file of its own, which memory holds as well.
  @Test func externalDataIsTheSame() throws {
    let folder = try TemporaryFolder()
    let (url, model) = try store(in: folder)
    let large = Data(repeating: 7, count: 300_000)
    let store = try SQLiteStore.open(at: url, model: model)
    let context = try ManagedObjectContext(readingFrom: store)
    for user in try context.fetch(FetchRequest<ManagedObject>(entityName: "User")) {
      user.setValue(large, forKey: "photo")
    }
    try context.saveWithoutValidation()
    try store.close()
    let read = try SQLiteStore.openReadOnly(at: url, model: model)
    let memory = try InMemoryStore.copying(read, model: model)
    for store in [read, memory] {
      let users = try content(of: store).objects.filter { $0.entity.name == "User" }
      #expect(users.count { $0.values.contains(.data(large)) } == 3)
    }
    let facts = try StoreInspector(of: url).inspect(with: model).externalData
    #expect(facts == .init(references: 3, missingFiles: 0, orphanFiles: 0))
  }
}
