import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Results that aren't sound stores, although all that their scenarios expect is so.
@Suite struct ResultAuditTests {
  private static let men = """
    v1: { Man: { name: string, hats: "[Hat] <-> man" }, Hat: { name: string, man: Man? <-> hats } }
    """

  private func scenario(
    _ next: String, head: String = "", step: String = "v1 -> v2",
    expect: String = "count: { Man: 2 }",
    then tail: String = ""
  ) -> String {
    """
    scenario: s
    \(head)
    models:
      \(Self.men)
      \(next)
    seed:
      Man: [{ id: ben, name: Ben, hats: [top] }, { id: al, name: Al }]
      Hat: [{ id: top, name: Top }]
    chain:
      - \(step)
    expect:
      - \(expect)
    \(tail)
    """
  }

  private static let atLeastTwo = """
    v2: { Man: { name: string, hats: "[Hat](2...) <-> man" }, Hat: { name: string, man: Man? <-> hats } }
    """

  @Test func aMinimumThatNobodyKeepsFailsOnBothBackends() throws {
    let results = try play(scenario(Self.atLeastTwo))
    #expect(
      results.map { $0.failures.map(\.line) } == [
        [
          "damaged result 10: Man.hats: expected a sound store, "
            + "found 1 row has too few or too many: at least 2: Man ben"
        ],
        [
          "damaged result 10: Man.hats: expected a sound store, "
            + "found 1 row has too few or too many: at least 2: Man ben (has 1)"
        ],
      ])
    #expect(results[0].failures.first?.hints == ["wrong-count"])
  }

  /// Stores of users have such rows before any migration.
  @Test func violationsOfTheSeedAreNoted() throws {
    let results = try play(
      """
      scenario: s
      models:
        v1: { Man: { name: string, hat: Hat? <-> men }, Hat: { men: "[Man] <-> hat" } }
        v2: { Man: { name: string, hat: Hat? <-> men, size: int16? }, Hat: { men: "[Man] <-> hat" } }
      seed:
        Hat: { .count: 1 }
        Man: { .count: 1, .violations: [missing, dangling], name: Ben, hat: { link: uniform } }
      chain: [v1 -> v2]
      expect: [{ everySourceMigrated: true }]
      """)
    #expect(results.flatMap(\.failures).map(\.line) == [])
    let sqlite = try #require(results.last).notes
    #expect(sqlite.contains { $0.hasPrefix("Man.name: 1 row lacks a required value") })
    #expect(sqlite.contains { $0.hasPrefix("Man.hat: 1 row leads to no existing Hat") })
  }

  /// The result showed it once.
  @Test func damageThatIsRepairedAfterwardsIsToldOnce() throws {
    let results = try play(
      """
      scenario: s
      models:
        v1: { Man: { name: string } }
        v2: { Man: { name: string, size: int16? } }
      seed: { .validation: false, Man: [{ id: ben }] }
      chain: [v1 -> v2]
      expect: [{ everySourceMigrated: true }]
      then:
        - set: Man ben
          values: { name: Ben }
        - save
      """)
    #expect(results.flatMap(\.failures).map(\.line) == [])
    for result in results {
      let told = result.notes.filter { $0.hasPrefix("Man.name: 1 row lacks a required value") }
      #expect(told.count == 1 && !told.joined().contains("shows nothing of it"), "\(told)")
    }
  }

  /// SQLite reads a key that leads nowhere as nil, whatever was deleted by whom.
  @Test(arguments: ["", "\n  - start\n  - expect: [{ count: { Hat: 1, Man: 1 } }]"])
  func whatIsSavedAfterwardsFailsToo(_ more: String) throws {
    let next = """
      v2:
        Man: { name: string, size: int16?, hats: "[Hat] <-> man no action" }
        Hat: { name: string, man: Man? <-> hats }
      """.replacing("\n", with: "\n  ")
    let results = try play(
      scenario(next, then: "then:\n  - delete: Man ben\n  - save\(more)"))
    let line =
      "damaged result 1: Hat.man: expected a sound store, "
      + "found 1 row leads to no existing Man: Hat top -> Man/p1"
    #expect(results.map { $0.failures.map(\.line) } == [[line], [line]])
    #expect(results.flatMap(\.failures).map(\.step) == ["then", "then"])
  }

  @Test func aNumberBeyondItsTypeFailsOnBothBackends() throws {
    let results = try play(
      """
      scenario: s
      models:
        v1: { Man: { size: int32, more: "composite(no: int64?)" } }
        v2: { Man: { size: int16, more: "composite(no: int32?)" } }
      seed:
        Man: [{ id: ben, size: 70000, more: { no: 1 } }, { id: al, size: 1, more: { no: 3000000000 } }]
      chain:
        - v1 -> v2:
            Man: { source: Man, destination: Man, attributes: { size: $source.#size, more: $source.more } }
      expect: [{ count: { Man: 2 } }]
      """)
    let lines = [
      "damaged result 8: Man.more.no: expected a sound store, "
        + "found 1 row holds something other than a value of type Integer 32: Man al",
      "damaged result 8: Man.size: expected a sound store, "
        + "found 1 row holds something other than a value of type Integer 16: Man ben",
    ]
    let damage = results.map { $0.failures.filter { $0.kind == .damagedResult } }
    #expect(damage.map { $0.map(\.line).sorted() } == [lines, lines])
  }

  @Test func whoeverMeansItAcceptsJustThat() throws {
    let accepted = "accept: [{ finding: wrong-count, because: The next start adds hats. }]"
    #expect(try outcomes(scenario(Self.atLeastTwo, head: accepted)) == [[], []])
    let own = accepted.replacing("count,", with: "count, entity: Man, property: hats,")
    #expect(try outcomes(scenario(Self.atLeastTwo, head: own)) == [[], []])
    for other in [
      accepted.replacing("wrong-count", with: "dangling-reference"),
      own.replacing("hats", with: "name"), own.replacing("Man", with: "Hat"),
    ] {
      #expect(
        try play(scenario(Self.atLeastTwo, head: other)).map { $0.failures.map(\.kind) }
          == [[.damagedResult], [.damagedResult]])
    }
  }

  /// What is done after the chain isn't the chain's, but another start is.
  @Test func aLaterReleaseIsLookedAtToo() throws {
    let text = scenario(
      "v2: { Man: { name: string, hats: \"[Hat] <-> man\" }, Hat: { name: string, man: Man? <-> hats, size: int16 = 1 } }\n"
        + "  " + Self.atLeastTwo.replacing("v2:", with: "v3:"),
      then: "then:\n  - start: [v2, v3]")
    #expect(
      try play(text).map { $0.failures.map(\.kind) } == [[.damagedResult], [.damagedResult]])
  }

  // MARK: Objects, as in memory

  /// The same rows, looked at as rows of a file and as objects of whatever store.
  @Test(arguments: [
    ("UPDATE ZHAT SET ZNAME = NULL", IntegrityFinding.Kind.missingValue, "Hat.name"),
    ("UPDATE ZMAN SET ZCAP = NULL WHERE ZNAME = 'Ben'", .oneSidedInverse, "Cap.owner"),
  ])
  func objectsAreLookedAtAsRowsAre(
    damage: String, kind: IntegrityFinding.Kind, place: String
  ) throws {
    let folder = try TemporaryFolder()
    let scenario = try checked(
      """
      scenario: s
      models:
        v1:
          Man: { name: string, hats: "[Hat] <-> man", cap: Cap? <-> owner }
          Hat: { name: string, man: Man? <-> hats }
          Cap: { size: int16 = 1, owner: Man? <-> cap }
      seed:
        Man: [{ id: ben, name: Ben, hats: [top], cap: small }]
        Hat: [{ id: top, name: Top }]
        Cap: [{ id: small }]
      expect:
        - count: { Man: 1 }
      """)
    let url = folder.url.appending(path: "old.sqlite")
    let store = try SQLiteStore.create(at: url, model: scenario.model("v1"))
    _ = try scenario.fill(store, from: "v1", recordsGenerated: false)
    #expect(try ObjectAudit.findings(in: store) == [])
    try store.close()
    let (status, output) = try Command.run("/usr/bin/env", ["sqlite3", url.path, damage])
    try #require(status == 0, "\(output)")
    let damaged = try SQLiteStore.openReadOnly(at: url, model: scenario.model("v1"))
    let found = try ObjectAudit.findings(in: damaged)
    #expect(found.map(\.kind) == [kind])
    #expect(found.map(\.place) == [place])
    let inFile = try StoreInspector(of: url).inspect(with: scenario.model("v1")).findings
    #expect(inFile.filter(\.isDamage).map(\.kind) == [kind])
    try damaged.close()
  }

  /// No Action leaves a reference to what was deleted.
  @Test func aLinkToADeletedObjectIsFoundInMemory() throws {
    let scenario = try checked(
      """
      scenario: s
      models:
        v1: { Man: { name: string, hat: Hat? }, Hat: { name: string } }
      seed:
        Man: [{ id: ben, name: Ben, hat: top }]
        Hat: [{ id: top, name: Top }]
      expect:
        - count: { Man: 1 }
      """)
    let store = InMemoryStore(model: try scenario.model("v1"))
    _ = try scenario.fill(store, from: "v1", recordsGenerated: false)
    let context = try ManagedObjectContext(readingFrom: store)
    for hat in try context.fetch(FetchRequest<ManagedObject>(entityName: "Hat")) {
      context.delete(hat)
    }
    try context.save()
    let found = try ObjectAudit.findings(in: store)
    #expect(
      found.map(\.description) == ["dangling-reference: Man.hat: 1 row leads to no existing Hat"])
    #expect(found.first?.rows.map(\.target) == ["Hat/p1"])
  }

  // MARK: Stores that were damaged before

  private func pair(_ version: String, coats: String, size: String) -> String {
    """
    \(version): { Man: { name: string, hat: Hat? <-> man, coats: "\(coats) <-> man" }, Hat: { name: string, man: Man? <-> hat }, Coat: { color: string, man: Man? <-> coats\(size) } }
    """
  }

  /// A man whose hat doesn't lead back to him, and a coat; what comes of them in SQLite.
  private func given(
    coats: String, damage: String = "UPDATE ZHAT SET ZMAN = NULL", step: String = "v1 -> v2",
    expecting more: String = ""
  ) throws -> RunResult {
    let folder = try TemporaryFolder()
    let models = """
      models:
        \(pair("v1", coats: "[Coat]", size: ""))
        \(pair("v2", coats: coats, size: ", size: int16 = 1"))
      """
    func read(_ text: String) throws -> CheckedScenario {
      let file = SourceFile(path: "test.scenario.yaml", text: "scenario: s\n\(models)\n\(text)")
      return try CheckedScenario.check(ScenarioReader.read(file, in: folder.url))
    }
    let expected = "chain:\n  - \(step)\nexpect:\n  - count: { Man: 1 }\n"
    let seeded = try read(
      "seed: { Man: [{ name: Ben, hat: top, coats: [warm] }], Hat: [{ id: top, name: Top }], Coat: [{ id: warm, color: red }] }\n"
        + expected)
    let url = folder.url.appending(path: "old.sqlite")
    let store = try SQLiteStore.create(at: url, model: seeded.model("v1"))
    _ = try seeded.fill(store, from: "v1", recordsGenerated: false)
    try store.close()
    let (status, output) = try Command.run(
      "/usr/bin/env", ["sqlite3", url.path, damage])
    try #require(status == 0, "\(output)")
    var suite = ScenarioSuite()
    suite.backends = [.sqlite]
    return suite.run(
      try read("store: old.sqlite\n" + expected + more), from: "v1", with: PolicyRegistry())[0]
  }

  private static let note =
    "Man.hat: 1 row leads to a row whose man doesn't lead back: Man/p1 -> Hat/p1; the given store had "
    + "it before the migration"

  @Test func whatAStoreHadBeforeIsNotTheMigrationsDoing() throws {
    let result = try given(coats: "[Coat]")
    #expect(result.failures.map(\.line) == [])
    #expect(result.notes == [Self.note])
  }

  /// A link that leads nowhere reads as none, and so does the result's.
  @Test func damageThatIsGoneAfterwardsIsTold() throws {
    let result = try given(
      coats: "[Coat]", damage: "UPDATE ZMAN SET ZHAT = 99; UPDATE ZHAT SET ZMAN = NULL")
    #expect(result.failures.map(\.line) == [])
    #expect(
      result.notes == [
        "Man.hat: 1 row leads to no existing Hat: Man/p1 -> Hat/p99; the store that was given had it "
          + "before the migration, and the result shows nothing of it"
      ])
  }

  /// A mapping model makes objects of the rows, also where SQL does it: no value of another type is carried over.
  @Test func valuesOfAnotherTypeBecomeWhatObjectsHave() throws {
    let mapping =
      "{ Men: { source: Man, destination: Man }, Coats: { source: Coat, destination: Coat } }"
    let result = try given(
      coats: "[Coat]", damage: "UPDATE ZCOAT SET ZCOLOR = x'726564'; UPDATE ZHAT SET ZMAN = NULL",
      step: "v1 -> v2: \(mapping)", expecting: "  - exactly: 1 Coat where color == \"red\"\n")
    #expect(result.failures.map(\.line) == [])
    #expect(result.notes.contains { $0.hasPrefix("Coat.color: 1 row holds something other") })
  }

  @Test func damageBeforeHidesNoOther() throws {
    let result = try given(coats: "[Coat](2...)")
    #expect(
      result.failures.map(\.found) == ["1 row has too few or too many: at least 2: Man/p1 (has 1)"])
    #expect(result.notes == [Self.note])
  }
}
