import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Persistence
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A store as it came from a customer's device is a scenario's start: with what waits in its log and
/// in files beside it, found by its version hashes, and left as it is.
@Suite("A field report becomes a scenario") struct FieldReportTests {
  private static let models = """
    models:
      v0: { User: { name: string } }
      v1:
        User:
          name: string
          photo: data(external)?
          chats: "[Chat] <-> members"
        Chat:
          title: string
          members: "[User] ordered <-> chats"
          messages: "[Message] ordered <-> chat"
        Message: { text: string, chat: "Chat? <-> messages" }
        Notice: { .parent: Message, code: int16 = 1 }
      v2:
        User:
          name: string
          photo: data(external)?
          nick: string?
          chats: "[Chat] <-> members"
        Chat:
          title: string
          members: "[User] ordered <-> chats"
          messages: "[Message] ordered <-> chat"
        Message: { text: string, chat: "Chat? <-> messages" }
        Notice: { .parent: Message, code: int32 = 1 }
    """

  private static let seed = """
    scenario: What the customer has
    \(models)
    start: v1
    seed:
      User:
        - { id: ann, name: Ann }
        - { id: bob, name: Bob }
        - { id: eve, name: Eve }
      Chat:
        - { id: work, title: Work, members: [eve, ann, bob] }
        - { id: home, title: Home, members: [bob, eve] }
      Message:
        - { id: hi, text: Hi, chat: work }
        - { id: bye, text: Bye, chat: work }
      Notice:
        - { id: joined, text: joined, code: 7, chat: work }
    expect:
      - count: { User: 3 }
    """

  private static let scenario = """
    scenario: A customer can't open the app
    \(models)
    store: field-report.sqlite
    chain: [v0 -> v1, v1 -> v2]
    expect:
      - steps: [v1 -> v2]
      - source: untouched
      - dropped: []
      - count: { User: 4, Chat: 2, Message: 3, Notice: 1 }
      - some: User where name == "In the log"
      - all: User where photo != nil
      - inverse: [Chat.members, Chat.messages]
      - object: Chat where title == "Work"
        has: { members.name: [Eve, Ann, Bob], messages.text: [Hi, Bye, joined] }
      - object: Chat where title == "Home"
        has: { members.name: [Bob, Eve], messages.text: [] }
      - object: Notice where code == 7
        has: { text: joined }
    destination: new.sqlite
    """

  /// What an old framework, or a newer one with history, leaves in a store.
  private static let field = [
    "DROP TABLE Z_MODELCACHE",
    "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
      + "ZCOLUMNS BLOB)",
    "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
    "INSERT INTO ATRANSACTION VALUES (1, 16002, NULL)",
    "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 0, 3, 1, 1, NULL)",
    "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1)",
    "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPHOTO) VALUES (4, 4, 1, 'In the log', x'0107')",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'User'",
  ]

  private let folder: TemporaryFolder

  /// A folder with `field-report.sqlite`, its log, and the folder of its large values, taken from
  /// under an app that runs.
  init() throws {
    folder = try TemporaryFolder()
    let place = folder.url.appending(path: "Device")
    var suite = ScenarioSuite()
    suite.backends = [.sqlite]
    suite.keepFolder = place
    let seed = try checked(Self.seed)
    try #require(suite.run(seed, from: "v1", with: PolicyRegistry()).flatMap(\.failures).isEmpty)
    let path = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: place.path)
        .first { $0.hasSuffix("store.sqlite") })
    let store = try SQLiteStore.open(at: place.appending(path: path), model: seed.model("v1"))
    let context = try ManagedObjectContext(readingFrom: store)
    let users = try context.fetch(FetchRequest<ManagedObject>(entityName: "User"))
    for (index, user) in users.enumerated() {
      user.setValue(Data(repeating: UInt8(index), count: 150_000), forKey: "photo")
    }
    try context.saveWithoutValidation()
    for statement in Self.field { try store.database.execute(statement) }
    try PersistentStoreFiles(place.appending(path: path)).copy(
      to: PersistentStoreFiles(folder.url.appending(path: "field-report.sqlite")))
    try store.close()
    try FileManager.default.removeItem(at: place)
  }

  private func files() throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    return Dictionary(
      uniqueKeysWithValues: paths.map {
        ($0, (try? Data(contentsOf: folder.url.appending(path: $0))) ?? Data())
      })
  }

  private func scenario(_ text: String) throws -> CheckedScenario {
    let file = SourceFile(path: "report.scenario.yaml", text: text)
    return try CheckedScenario.check(ScenarioReader.read(file, in: folder.url))
  }

  private func failures(_ text: String) throws -> [[String]] {
    let scenario = try scenario(text)
    return scenario.starts.flatMap {
      ScenarioSuite().run(scenario, from: $0, with: PolicyRegistry()).map {
        $0.failures.map(\.line)
      }
    }
  }

  private func problem(_ text: String) -> String? {
    let error = #expect(throws: Diagnostics.self) { try scenario(text) }
    return error.map { "\($0)" }?.split(separator: "\n").first.map(String.init)
  }

  @Test func everythingInItIsMigratedOnBothBackendsAndTheStoreStays() throws {
    let before = try files()
    #expect(before["field-report.sqlite-wal"]?.isEmpty == false)
    #expect(before.keys.count { $0.hasPrefix(".field-report_SUPPORT/_EXTERNAL_DATA/") } == 3)
    #expect(try scenario(Self.scenario).starts == ["v1"])
    #expect(try failures(Self.scenario) == [[], []])
    #expect(try files() == before)
  }

  @Test func aLinkToItServesAsWell() throws {
    let name = "link.sqlite"
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: name),
      withDestinationURL: folder.url.appending(path: "field-report.sqlite"))
    let before = try files()
    let text = Self.scenario.replacing("field-report.sqlite", with: name)
      .replacing("destination: new.sqlite", with: "").replacing("  - source: untouched\n", with: "")
    #expect(try failures(text) == [[], []])
    #expect(try files() == before)
  }

  @Test func theVersionIsFoundWithoutAChainToo() throws {
    let text = Self.scenario.replacing("chain: [v0 -> v1, v1 -> v2]\n", with: "")
      .replacing("steps: [v1 -> v2]", with: "steps: []").replacing(
        "destination: new.sqlite", with: "")
    #expect(try scenario(text).starts == ["v1"])
    #expect(try failures(text) == [[], []])
  }

  @Test func aStoreThatTheChainDoesNotPassIsAMistake() throws {
    #expect(
      problem(Self.scenario.replacing("[v0 -> v1, v1 -> v2]", with: "[v0 -> v2]"))
        == "report.scenario.yaml:27:8: error: the store is of version 'v1', which the chain doesn't "
        + "pass; it begins with 'v0'")
  }

  @Test func aStoreOfNoVersionIsAMistakeThatNamesTheNearest() throws {
    let text = Self.scenario.replacing("title: string", with: "title: string?")
    #expect(
      problem(text)
        == "report.scenario.yaml:27:8: error: the store matches none of the versions; the "
        + "nearest is 'v1', which differs in: Chat. The store's own model (Z_MODELCACHE) can't be "
        + "migrated from: there is none")
  }

  /// Unless that is what the scenario is about.
  @Test func aStoreOfNoVersionMayBeWhatIsExpected() throws {
    let model = try ManagedObjectModel.notated(["Film": ["title": "string"]])
    try SQLiteStore.create(at: folder.url.appending(path: "films.sqlite"), model: model).close()
    let text = """
      scenario: Nobody has the model any more
      models: { v1: { Book: { title: string } }, v2: { Book: { title: string? } } }
      store: films.sqlite
      chain: [v1 -> v2]
      expect:
        - fails: { code: 134130, message: Can't find model for source store }
      """
    #expect(try failures(text) == [[], []])
  }

  @Test func aStoreOfOneConfigurationSaysSo() throws {
    let model = try ManagedObjectModel.notated(
      ["Book": ["title": "string"], "Cache": ["key": "string"]],
      configurations: ["Cloud": ["Book"]])
    let part = try model.part(named: "Cloud")
    try FileManager.default.removeItem(at: folder.url.appending(path: "field-report.sqlite-wal"))
    try FileManager.default.removeItem(at: folder.url.appending(path: "field-report.sqlite"))
    try SQLiteStore.create(at: folder.url.appending(path: "field-report.sqlite"), model: part)
      .close()
    let found = ModelIdentification(
      ofStoreWith: try SQLiteStore.metadata(
        at: folder.url.appending(path: "field-report.sqlite")), cachedModel: nil, among: [model])
    #expect(found.best?.configuration == "Cloud")
  }

  @Test func aDamagedStoreIsAMistakeWithItsPlace() throws {
    let url = folder.url.appending(path: "field-report.sqlite")
    try FileManager.default.removeItem(at: folder.url.appending(path: "field-report.sqlite-wal"))
    let whole = try Data(contentsOf: url)
    for (bytes, reason) in [
      (Data("dear diary, today".utf8), "the store can't be opened: file is not a database"),
      (Data(), "the file isn't a complete Core Data store: it has no tables"),
      (whole.prefix(5000), "database disk image is malformed"),
    ] {
      try bytes.write(to: url)
      let message = problem(Self.scenario) ?? ""
      let head = "report.scenario.yaml:27:8: error: 'field-report.sqlite': "
      #expect(message.hasPrefix(head))
      #expect(message.contains(reason))
      #expect(try Data(contentsOf: url) == bytes)
    }
  }
}
