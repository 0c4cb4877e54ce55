import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stores whose rows break the model's rules: both backends must come to the same end, or the report
/// say what is wrong with the store.
@Suite struct DamagedStoreTests {
  private static let pair = """
    v1: { Man: { name: string, hat: Hat? <-> man }, Hat: { name: string, man: Man? <-> hat } }
    """
  private static let tags = "v1: { Tag: { .unique: [name], name: string } }"

  /// Seeds `old.sqlite` and damages it.
  private func folder(_ version: String, seed: String, damage: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let scenario = try scenario(
      "scenario: s\nmodels:\n  \(version)\nseed: \(seed)\nexpect: [{ none: nothing }]", in: folder,
      isChecked: false)
    let url = folder.url.appending(path: "old.sqlite")
    let store = try SQLiteStore.create(at: url, model: scenario.model("v1"))
    _ = try scenario.fill(store, from: "v1", recordsGenerated: false)
    try store.close()
    let (status, output) = try Command.run(
      "/usr/bin/env", ["sqlite3", url.path, damage.joined(separator: ";")])
    try #require(status == 0, "\(output)")
    return folder
  }

  private func scenario(
    _ text: String, in folder: TemporaryFolder, isChecked: Bool = true
  ) throws -> CheckedScenario {
    let file = SourceFile(path: "test.scenario.yaml", text: text)
    var scenario = try ScenarioReader.read(file, in: folder.url)
    if !isChecked { scenario.expectations = [] }
    return try CheckedScenario.check(scenario)
  }

  /// By backend, what a run fails with.
  private func failures(
    _ version: String, _ next: String, chain: String, expect: String, in folder: TemporaryFolder
  ) throws -> [[Failure]] {
    let scenario = try scenario(
      """
      scenario: s
      models:
        \(version)
        \(next)
      store: old.sqlite
      chain:
        - \(chain)
      expect:
        - \(expect)
      """, in: folder)
    return ScenarioSuite().run(scenario, from: "v1", with: PolicyRegistry()).map(\.failures)
  }

  private func men() throws -> TemporaryFolder {
    try folder(
      Self.pair, seed: "{ Man: [{ name: Ben, hat: top }], Hat: [{ id: top, name: Top }] }",
      damage: ["UPDATE ZHAT SET ZMAN = NULL"])
  }
  private static let nextPair = """
    v2: { Man: { name: string, age: int16 = 1, hat: Hat? <-> man }, Hat: { name: string, man: Man? <-> hat } }
    """

  /// Objects set one side after the other: SQL must not copy the columns as they are.
  @Test func aOneSidedLinkIsMappedAlikeOnBothBackends() throws {
    let found = try failures(
      Self.pair, Self.nextPair,
      chain:
        "v1 -> v2: { A: { source: Man, destination: Man }, B: { source: Hat, destination: Hat } }",
      expect: "none: Man where hat != nil", in: men())
    #expect(found.map(\.count) == [0, 0])
  }

  /// In a lightweight step a device's SQL keeps the columns; memory has no columns.
  @Test func aDifferenceIsToldWithTheDamageThatItComesFrom() throws {
    let found = try failures(
      Self.pair, Self.nextPair, chain: "v1 -> v2", expect: "count: { Man: 1 }", in: men())
    #expect(found.map { $0.map(\.kind) } == [[], [.backendsDiffer]])
    #expect(
      found[1].first?.notes == [
        "the store 'old.sqlite' is damaged: Man.hat: 1 row leads to a row whose man doesn't lead back"
      ])
  }

  @Test(arguments: [
    ("v1 -> v2", "Cannot migrate store in-place: constraint violation during attempted migration"),
    (
      "v1 -> v2: { A: { source: Tag, destination: Tag } }",
      "migration failed due to a violated uniqueness constraint"
    ),
  ])
  func duplicatesUnderAConstraintAreTheSameErrorOnBothBackends(
    chain: String, expected: String
  ) throws {
    let folder = try folder(
      Self.tags, seed: "{ Tag: [{ name: a }, { name: b }] }",
      damage: ["DROP INDEX Z_Tag_UNIQUE_name", "UPDATE ZTAG SET ZNAME = 'a'"])
    let found = try failures(
      Self.tags, "v2: { Tag: { .unique: [name], name: string, uses: int16 = 1 } }", chain: chain,
      expect: "some: Tag where uses == 1", in: folder)
    #expect(found.map(\.count) == [1, 1])
    for failure in found.joined() { #expect(failure.found.contains(expected)) }
    #expect(found[0].first?.found == found[1].first?.found)
  }
}
