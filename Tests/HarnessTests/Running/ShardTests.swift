import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct ShardTests {
  /// What takes equally long is dealt in turn, so that neighbours are spread.
  @Test(arguments: 1...9) func itemsThatAreAlikeAreDealtInTurn(_ total: Int) {
    let numbers = Shard.deal([Double](repeating: 2.5, count: 31), to: total)
    #expect(numbers == (0..<31).map { $0 % total + 1 })
  }

  @Test func whatTakesLongIsDealtFirst() {
    #expect(Shard.deal([1, 1, 9, 1, 4, 2], to: 3) == [3, 3, 1, 2, 2, 3])
    #expect(Shard.deal([], to: 3) == [])
  }

  private static let scenario = """
    scenario: NAME
    models:
      v1: { Event: { name: string } }
      v2: { Event: { name: string, length: int64? } }
      v3: { Event: { name: string, length: int64?, place: string? } }
      v4: { Event: { name: string, length: int64?, place: string?, day: date? } }
    seed: { Event: [{ name: fine }] }
    start: [v1, v2, v3]
    chain: [v1 -> v2, v2 -> v3, v3 -> v4]
    expect: [{ count: { Event: 1 } }]

    """

  private func scenarios(in folder: TemporaryFolder) throws -> [CheckedScenario] {
    for name in ["A", "B"] {
      let text = Self.scenario.replacing("NAME", with: name)
      try folder.write(
        name == "A" ? text : text.replacing("start: [v1, v2, v3]\n", with: ""),
        to: "\(name).scenario.yaml")
    }
    return try LoadedScenarios(at: [folder.url.path]).scenarios
  }

  private func dealt(
    _ scenarios: [CheckedScenario], to total: Int, by durations: EarlierRuns? = nil
  ) throws -> [String] {
    try (1...total).map { number in
      var selection = ScenarioSelection(shard: Shard(argument: "\(number)/\(total)"))
      selection.durations = durations
      let choice = try selection.select(from: scenarios)
      return choice.scenarios.map { scenario in
        let starts = choice.starts[scenario.scenario.address] ?? []
        return "\(scenario.scenario.title.value): \(starts.joined(separator: " "))"
      }.joined(separator: ", ")
    }
  }

  /// A scenario that takes longer than a shard's part is divided; else its policies would be compiled twice for nothing.
  @Test func aScenarioWithManyStartsIsDividedByStart() throws {
    let scenarios = try scenarios(in: TemporaryFolder())
    #expect(try dealt(scenarios, to: 1) == ["A: v1 v2 v3, B: v1"])
    #expect(try dealt(scenarios, to: 2) == ["A: v1 v3", "A: v2, B: v1"])
    #expect(try dealt(scenarios, to: 5) == ["A: v1", "A: v2", "A: v3", "B: v1", ""])
  }

  /// Shards are told apart by all that is read, but for what isn't content.
  @Test func digestsChangeWithModelsAndPolicies() throws {
    let folder = try TemporaryFolder()
    func digest() throws -> String? {
      let loaded = try LoadedScenarios(at: [folder.url.path])
      let scenarios = loaded.scenarios
      #expect(loaded.problems.isEmpty, "\(loaded.problems.map(\.text))")
      return try #require(
        ScenarioSelection(shard: Shard(argument: "1/1")).select(from: scenarios).dealt.first
      ).text
    }
    func write(_ version: String, attributes: String...) throws {
      let attributes = attributes.map {
        #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
      }
      try folder.write(
        #"<model><entity name="Event">\#(attributes.joined())</entity></model>"#,
        to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(
      """
      scenario: Events
      models: M.xcdatamodeld
      policies: { module: App, sources: P.swift }
      seed: { Event: [{ name: fine }] }
      chain: [v1 -> v2]
      expect: [{ count: { Event: 1 } }]

      """, to: "A.scenario.yaml")
    try folder.write("", to: "P.swift")
    try write("v1", attributes: "name")
    try write("v2", attributes: "name", "length")
    let first = try digest()
    try folder.write("x", to: "M.xcdatamodeld/xcuserdata/a.plist")
    try folder.write("x", to: "M.xcdatamodeld/.DS_Store")
    #expect(try digest() == first)
    try write("v2", attributes: "name", "place")
    let second = try digest()
    #expect(second != first)
    try folder.write("import CoreData", to: "P.swift")
    #expect(try digest() != second)
  }

  @Test func runsAreDealtByTheDurationsOfAnEarlierReport() throws {
    let folder = try TemporaryFolder()
    let scenarios = try scenarios(in: folder)
    let runs = [("A", "v1", 1.0), ("A", "v2", 1.0), ("A", "v3", 2.0), ("B", "v1", 9.0)].map {
      """
      { "address": "\(folder.url.path)/\($0.0).scenario.yaml", "start": "\($0.1)", "passed": true, "seconds": \($0.2) }
      """
    }
    let file = try folder.write(
      "{ \"runs\": [\(runs.joined(separator: ","))], \"notRunnable\": [] }", to: "report.json")
    let earlier = try EarlierRuns(reading: file.path)
    #expect(try dealt(scenarios, to: 2, by: earlier) == ["B: v1", "A: v1 v2 v3"])
  }

  @Test(arguments: ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/3", "/"])
  func whatIsNoShardIsRefused(_ text: String) {
    #expect(Shard(argument: text) == nil)
  }

  @Test func bazelCountsFrom0() throws {
    let shard = try Shard.fromEnvironment(["TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": "2"])
    #expect(shard == Shard(argument: "3/3"))
    #expect(try Shard.fromEnvironment([:]) == nil)
  }

  @Test func variablesThatMakeNoSenseAreRefused() {
    #expect {
      try Shard.fromEnvironment(["TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": "3"])
    } throws: {
      "\($0)"
        == "TEST_SHARD_INDEX: error: '3' isn't a number from 0 to TEST_TOTAL_SHARDS ('3') less 1"
    }
  }
}
