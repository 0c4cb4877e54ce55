import Foundation
import TestSupport
import Testing

/// `heavyweight export`: what the file says, and that compiled for the engine it judges as the scenario does.
@Suite(.tags(.process, .compiles), .tiered) struct ExportCommandTests {
  private static let songs = """
    scenario: Songs get a rating
    models:
      v1:
        Song: { title: string, length: double = 2.5, album: Album? <-> songs, tags: "[Tag] <-> songs" }
        Album: { name: string, songs: "[Song] <-> album cascade" }
        Tag: { name: string, songs: "[Song] <-> tags" }
      v2:
        Song: { title: string, rating: int16 = 3, album: Album? <-> songs, tags: "[Tag] <-> songs" }
        Album: { name: string, songs: "[Song] <-> album cascade" }
        Tag: { name: string, songs: "[Song] <-> tags" }
    seed:
      Album: [{ id: best, name: Best of }]
      Tag: [{ id: slow, name: slow }, { id: new, name: new }]
      Song:
        - { id: waltz, title: Waltz, album: best, tags: [slow, new] }
        - { id: tango, title: Tango }
    chain: [v1 -> v2]
    expect:
      - steps: [v1 -> v2: inferred]
      - mapping: inferred
      - store: v2
      - count: { Song: 2, Album where name == "Best of": 1 }
      - none: Song where rating == 4
      - some: Song where album == nil
      - all: Song where rating == 3
      - exactly: 2 Song where rating < 9
      - unique: Song.title
      - inverse: Song.album
      - required: Song.rating
      - everySourceMigrated: true
      - dropped: []
      - made: { Song waltz: [Song] }
      - model: { gone: Song.length, Song.rating: { type: int16, default: 3 } }
      - object: Song waltz
        from: Song waltz
        has: { rating: 3, album: best, tags: [slow, new], tags.name: [new, slow], tags.@count: 2, title: present }
    then:
      - delete: Album best
      - save
      - expect: [count: { Song: 1 }]
      - insert: Song
      - save:
        fails: { code: 1570, property: title }
      - rollback
      - start
      - expect: [steps: []]

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.songs, to: "Songs.scenario.yaml")
    return folder
  }

  private static let written = Tool.package.appending(path: "Tests/Fixtures/exported-songs.txt")

  /// Runs tests of exported files, compiled with the policies that they name, for the engine.
  /// - Returns: By test, what it finds.
  private func play(_ tests: String, with policies: String? = nil, in module: String = "Shown")
    throws -> [String: [String]]
  {
    let folder = try TemporaryFolder()
    let names = tests.matches(of: #/func (test\w+)\(\)/#).map { String($0.1) }
    try folder.write(tests.replacing("import XCTest\n", with: ""), to: "Exported.swift")
    let found = folder.url.appending(path: "found.txt").path
    let calls = names.map { "    run(\"\($0)\") { tests.\($0)() }\n" }.joined()
    try folder.write(
      """
      import CoreData

      class XCTestCase {}
      nonisolated(unsafe) var found: [String] = []
      func XCTFail(_ text: String) { found.append(text) }

      class ShowPolicy: NSEntityMigrationPolicy {
        var lines: [String] = []

        func run(_ name: String, _ body: () -> Void) {
          found = []
          do { try ExceptionTrap.catching(body) } catch { found.append("exception: \\(error)") }
          lines += [name] + found.map { "  " + $0.replacingOccurrences(of: "\\n", with: " ") }
        }

        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
          let tests = ExportedTests()
      \(calls)
          try lines.joined(separator: "\\n").write(toFile: "\(found)", atomically: true, encoding: .utf8)
        }
      }

      """, to: "Show.swift")
    let sources = ["Exported.swift", "Show.swift"] + (policies.map { ["'\($0)'"] } ?? [])
    try folder.write(
      """
      scenario: Exported tests are run
      backends: [sqlite]
      accept: [{ finding: unknown-on-device, because: the tests below do what they do }]
      models:
        v1: { Tag: { name: string } }
        v2: { Tag: { name: string, note: string? } }
      policies: { module: \(module), sources: [\(sources.joined(separator: ", "))] }
      seed: { Tag: [{ name: x }] }
      chain:
        - v1 -> v2:
            TagToTag: { source: Tag, destination: Tag, policy: \(module).ShowPolicy }
      expect: [count: { Tag: 1 }]

      """, to: "Show.scenario.yaml")
    let result = try Tool.run(["run", "--timeout", "300", "Show.scenario.yaml"], in: folder)
    let text = try #require(
      try? String(contentsOfFile: found, encoding: .utf8), "\(result.output)\(result.errors)")
    var all: [String: [String]] = [:]
    var name = ""
    for line in text.components(separatedBy: "\n") {
      if line.hasPrefix("  ") {
        all[name, default: []].append(String(line.dropFirst(2)))
      } else {
        name = line
        all[name] = []
      }
    }
    #expect(all.keys.sorted() == names.sorted())
    return all
  }

  @Test func writesModelsSeedStepsAndExpectations() throws {
    let folder = try folder()
    let result = try Tool.run(
      ["export", "Songs.scenario.yaml", "--xctest", "ExportedTests.swift"], in: folder)
    #expect(result.status == 0)
    #expect(result.output == "1 test of 1 written to ExportedTests.swift\n")
    let text = try String(
      contentsOf: folder.url.appending(path: "ExportedTests.swift"), encoding: .utf8)
    let own = try #require(text.components(separatedBy: "// MARK: - What the tests above").first)
    #expect(own == (try String(contentsOf: Self.written, encoding: .utf8)))
  }

  /// The scenario holds as a test, too; each of its expectations, broken, fails alone.
  @Test func eachExpectationHoldsAndFailsWhenBroken() throws {
    let folder = try folder()
    _ = try Tool.run(
      ["export", "Songs.scenario.yaml", "--xctest", "ExportedTests.swift"], in: folder)
    var text = try String(
      contentsOf: folder.url.appending(path: "ExportedTests.swift"), encoding: .utf8)
    let function = try #require(
      text.firstMatch(of: #/(?s)private func songsGetARatingScenario\(\) -> Exported \{.*?\n\}\n/#)
    ).output
    for (index, fault) in Self.faults.enumerated() {
      #expect(function.contains(fault.from), "\(fault.from)")
      text += function.replacing("songsGetARatingScenario", with: "broken\(index)")
        .replacing(fault.from, with: fault.to)
    }
    let broken = Self.faults.indices.map {
      "  func testBroken\($0)() { for d in broken\($0)().run(from: \"v1\") { XCTFail(d) } }\n"
    }
    text = text.replacing("XCTestCase {\n", with: "XCTestCase {\n" + broken.joined())
    let found = try play(text)
    #expect(found["testSongsGetARatingScenario"] == [])
    for (index, fault) in Self.faults.enumerated() {
      #expect(found["testBroken\(index)"] == ["Songs.scenario.yaml:\(fault.difference)"])
    }
  }

  /// What is changed in the file, and the difference that the test then finds, at a line of the scenario.
  private static let faults: [(from: String, to: String, difference: String)] = [
    (
      #"[("v1 -> v2", "inferred")]"#,
      #"[("v1 -> v2", "custom")]"#,
      #"19:5: steps executed: expected [v1 -> v2: custom], found [v1 -> v2: inferred]"#
    ),
    (
      #"$0.mapping("Songs.scenario.yaml:20:5", "inferred")"#,
      #"$0.mapping("Songs.scenario.yaml:20:5", "custom")"#,
      #"20:5: mapping: expected custom, found v1 -> v2: inferred"#
    ),
    (
      #""v2") }\#n  t.expect { try $0.count"#,
      #""v1") }\#n  t.expect { try $0.count"#,
      #"21:5: version of the store: expected v1, found v2"#
    ),
    (
      #""Song", nil, 2...2, "2""#,
      #""Song", nil, 3...3, "3""#,
      #"22:20: count of Song: expected 3, found 2"#
    ),
    (
      #"1...1, "1") }\#n  t.expect"#,
      #"2...2, "2") }\#n  t.expect"#,
      #"22:54: count of Album where name == "Best of": expected 2, found 1"#
    ),
    (
      #""rating == 4", 0...0"#,
      #""rating == 3", 0...0"#,
      #"23:5: Song where rating == 4: expected none, found 2"#
    ),
    (
      #""album == nil", 1...Int.max"#,
      #""title == nil", 1...Int.max"#,
      #"24:5: Song where album == nil: expected at least one, found 0"#
    ),
    (
      #""Song", "rating == 3")"#,
      #""Song", "title == \"Waltz\"")"#,
      #"25:5: Song where title == "Waltz": expected all, found all but 1"#
    ),
    (
      #""rating < 9", 2...2"#,
      #""rating < 3", 2...2"#,
      #"26:5: Song where rating < 9: expected 2, found 0"#
    ),
    // What an expectation would hold for, if there were none.
    (
      #"2...Int.max, "several"#,
      #"3...Int.max, "several"#,
      #"27:13: Song: expected several objects to look at, found 2"#
    ),
    (
      #""Song", ["title"])"#,
      #""Song", ["rating"])"#,
      #"27:13: Song.rating: expected every value once, found 1 repeated"#
    ),
    (
      #""songs", of: "Album")"#,
      #""songs", of: "Tag")"#,
      #"28:19: Song.album: expected both sides agree, found 3 one-sided"#
    ),
    (
      #""Song", ["rating"]) }\#n  t.expect { try $0.all"#,
      #""Song", ["album"]) }\#n  t.expect { try $0.all"#,
      #"29:15: Song.album: expected a value, found none in 1 of 2"#
    ),
    (
      #"31:5", [])"#,
      #"31:5", ["Song waltz"])"#,
      #"31:5: dropped seeded objects: expected ["Song waltz"], found []"#
    ),
    (
      #"of: "waltz", ["Song"]"#,
      #"of: "waltz", ["Song", "Song"]"#,
      #"32:18: made of waltz: expected ["Song", "Song"], found ["Song"]"#
    ),
    (
      #""length", exists: false"#,
      #""length", exists: true"#,
      #"33:20: Song.length in the model of v2: expected exists, found it isn't there"#
    ),
    (
      #"["default": "3", "type": "int16"]"#,
      #"["default": "4", "type": "int16"]"#,
      #"33:33: Song.rating in the model of v2, default: expected 4, found 3"#
    ),
    (
      #"from: "waltz""#,
      #"from: "tango""#,
      #"34:5: Song waltz, from: expected tango, found waltz"#
    ),
    (
      #".named("Song", "waltz"), from"#,
      #".named("Song", "polka"), from"#,
      #"34:5: Song polka: expected one object, found no such object"#
    ),
    (
      #".values([3], shown: "3")"#,
      #".values([4], shown: "4")"#,
      #"36:12: Song waltz, rating: expected 4, found 3"#
    ),
    (
      #".links([.named("Album", "best")])"#,
      #".links([])"#,
      #"36:23: Song waltz, album: expected null, found Album best"#
    ),
    (
      #".links([.named("Tag", "slow"), .named("Tag", "new")])"#,
      #".links([.named("Tag", "slow")])"#,
      #"36:36: Song waltz, tags: expected [Tag slow], found [Tag new, Tag slow]"#
    ),
    (
      #".values(["new", "slow"], shown: "[\"new\", \"slow\"]")"#,
      #".values(["new", "fast"], shown: "[\"fast\", \"new\"]")"#,
      #"36:55: Song waltz, tags.name: expected ["fast", "new"], found ["new", "slow"]"#
    ),
    (
      #".count(2)"#,
      #".count(3)"#,
      #"36:79: Song waltz, tags.@count: expected 3, found 2"#
    ),
    (
      #""title", [], "title", .present"#,
      #""album", [], "title", .within(1, of: 2)"#,
      #"36:95: Song waltz, album: expected within 1.0, found "Waltz""#
    ),
    (
      #""Song", nil, 1...1, "1""#,
      #""Song", nil, 2...2, "2""#,
      #"40:29: count of Song: expected 2, found 1"#
    ),
    (
      #"code: 1570"#,
      #"code: 1600"#,
      #"42:5: failure, code: expected 1600, found 1570"#
    ),
    (
      #"attempt("Songs.scenario.yaml:39:5", nil)"#,
      #"attempt("Songs.scenario.yaml:39:5", ExportedFailure(code: 1600))"#,
      #"39:5: failure: expected code 1600, found no error"#
    ),
    (
      #"t.steps("Songs.scenario.yaml:46:14", [])"#,
      #"t.steps("Songs.scenario.yaml:46:14", [("v1 -> v2", nil)])"#,
      #"46:14: steps executed: expected [v1 -> v2], found []"#
    ),
  ]

  @Test func saysWhatIsNotExported() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Self.songs.replacing(
        "  - mapping: inferred", with: "  - mapping: inferred\n  - trace: []"
      ).replacing("seed:\n", with: "seed:\n  .now: 2012-12-25T18:00:00Z\n"),
      to: "Songs.scenario.yaml")
    try folder.write(
      Self.songs.replacing("- mapping: inferred", with: "- trace: []").replacing(
        "chain:", with: "device: after.sqlite\nchain:"), to: "Traced.scenario.yaml")
    try folder.write("", to: "after.sqlite")
    let result = try Tool.run(
      ["export", "Songs.scenario.yaml", "Traced.scenario.yaml", "--swift-testing", "Songs.swift"],
      in: folder)
    #expect(result.status == 0)
    #expect(
      result.output == """
        Traced.scenario.yaml:17:9: not exported: 'device'
        Traced.scenario.yaml:21:5: not exported: 'trace'
        Songs.scenario.yaml:1:11: the scenario isn't exported: the time or the random numbers are fixed
        1 test of 2 written to Songs.swift, 1 of them in part

        """)
    let text = try String(contentsOf: folder.url.appending(path: "Songs.swift"), encoding: .utf8)
    #expect(text.contains("@Test(\"Songs get a rating\") func songsGetARatingScenarioHolds()"))
    #expect(text.contains("  // Not exported: 'trace'\n"))
    #expect(
      text.contains(
        "\n// The scenario isn't exported: Songs.scenario.yaml:1:11: the time or the random numbers are fixed\n"
      ))
    let nothing = try Tool.run(
      ["export", "Songs.scenario.yaml", "--xctest", "Other.swift"], in: folder)
    #expect(nothing.status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "Other.swift").path))
  }

  @Test func replacesOnlyWhatWasExported() throws {
    let folder = try folder()
    try folder.write("// mine\n", to: "Mine.swift")
    let refused = try Tool.run(
      ["export", "Songs.scenario.yaml", "--xctest", "Mine.swift"], in: folder)
    #expect(refused.status == 2)
    #expect(
      refused.errors
        == "Mine.swift: error: this already exists and wasn't exported; nothing is overwritten\n")
    for _ in 1...2 {
      #expect(
        try Tool.run(["export", "Songs.scenario.yaml", "--xctest", "Own.swift"], in: folder).status
          == 0)
    }
    let none = try Tool.run(["export", "Songs.scenario.yaml"], in: folder)
    #expect(none.status == 2)
    #expect(none.errors.hasPrefix("Error: Name one of --xctest, --swift-testing and --package."))
  }

  /// All scenarios that ship, in the package that a Mac runs.
  @Test func shippedScenariosHoldAsTests() throws {
    let folder = try TemporaryFolder()
    let scenarios = Tool.package.appending(path: "Scenarios").path
    let result = try Tool.run(["export", scenarios, "--package", "Package"], in: folder)
    #expect(result.status == 0)
    let tests = folder.url.appending(path: "Package/Tests")
    let plain = try String(
      contentsOf: tests.appending(path: "PlainTests/Exported.swift"), encoding: .utf8)
    let found = try play(plain)
    #expect(found.count > 150)
    #expect(found.filter { !$0.value.isEmpty } == [:])
  }

  /// Stages with the app's own functions, of which the tests are part.
  @Test func shippedStagesHoldAsTests() throws {
    let folder = try TemporaryFolder()
    let scenarios = Tool.package.appending(path: "Scenarios/Staged").path
    let result = try Tool.run(["export", scenarios, "--xctest", "ExportedTests.swift"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix("15 tests of 20 written to ExportedTests.swift, 13 of them in part\n")
    )
    let text = try String(
      contentsOf: folder.url.appending(path: "ExportedTests.swift"), encoding: .utf8)
    let functions = scenarios + "/Policies/Stages.swift"
    let found = try play(text, with: functions, in: "People")
    #expect(found.count == 15)
    #expect(found.filter { !$0.value.isEmpty } == [:])
    let broken = try play(
      text.replacing(", did: splitNames", with: "").replacing(
        "will: TagStages.mergeTags, ", with: ""),
      with: functions, in: "People")
    #expect(broken.filter { !$0.value.isEmpty }.count == 4)
  }
}
