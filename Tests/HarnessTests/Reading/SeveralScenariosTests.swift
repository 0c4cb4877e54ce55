import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Scenarios
@testable import Terminal

/// Files with several scenarios: YAML documents, and tables whose rows make one each.
@Suite struct SeveralScenariosTests {
  private func scenarios(_ text: String) throws -> [Scenario] {
    try ScenarioReader.readAll(
      SourceFile(path: "a.scenario.yaml", text: text), in: URL(fileURLWithPath: "/nowhere"))
  }

  private func complaint(_ text: String) -> String {
    do {
      _ = try CheckedScenario.checkAll(scenarios(text))
      return ""
    } catch let error as Diagnostics {
      return error.all.map { problem in
        "\(problem.place.map { "\($0.line):\($0.column): " } ?? "")\(problem.message)"
      }.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  // MARK: Documents

  private static let documents = """
    models: { v1: { Song: { title: string } } }
    defaults: { Song: { title: Untitled } }
    ---
    scenario: First
    seed: { Song: [{ id: a }] }
    ---
    scenario: Second
    models: { v2: { Song: { title: string } } }
    """

  @Test func eachDocumentIsAScenarioThatHasWhatTheFirstOneShares() throws {
    let scenarios = try scenarios(Self.documents)
    #expect(scenarios.map(\.title.value) == ["First", "Second"])
    #expect(
      scenarios.map { "\($0.address)" } == ["a.scenario.yaml#1", "a.scenario.yaml#2"])
    #expect(scenarios.map(\.models.versionNames) == [["v1"], ["v2"]])
    #expect(scenarios.map(\.title.place.line) == [4, 7])
    guard case .rows(let rows)? = scenarios[0].seeds.first?.content else {
      Issue.record("no rows")
      return
    }
    #expect(rows[0].fields.map(\.value.text) == ["a", "Untitled"])
  }

  @Test func theOnlyScenarioOfAFileHasNoNumber() throws {
    let scenarios = try scenarios("---\nscenario: s\nmodels: {}\n")
    #expect(scenarios.map { "\($0.address)" } == ["a.scenario.yaml"])
  }

  @Test(arguments: [
    (
      "scenario: s\nmodels: {}\n---\n",
      "4:1: this document is empty: write a scenario, or remove the '---' before it"
    ),
    (
      "scenario: s\nmodels: {}\n---\nscenario: s\nmodels: {}\n",
      "4:11: another scenario of this file has the title 's'"
    ),
    (
      "modles: {}\n---\nscenario: s\nmodels: {}\n",
      "1:1: unknown key 'modles' in a document without 'scenario', which is shared by those after it; did you "
        + "mean 'models'?"
    ),
    ("scenario: s\nmodels: {}\n---\nscenario: t\n", "4:1: the key 'models' is missing"),
    (
      "scenario: s\nmodels: {}\n---\nscenario: t\nmodels: {}\nexpct: []\n",
      "6:1: unknown key 'expct' in a scenario; did you mean 'expect'?"
    ),
  ])
  func mistakesInDocumentsAreTold(_ text: String, _ message: String) {
    #expect(complaint(text) == message)
  }

  @Test func whatTakesOneScenarioNamesThoseThatAFileHas() throws {
    let file = SourceFile(path: "a.scenario.yaml", text: Self.documents)
    let error = #expect(throws: Diagnostics.self) {
      try ScenarioReader.read(file, in: URL(fileURLWithPath: "/nowhere"))
    }
    #expect(
      error?.description == """
        a.scenario.yaml: error: this needs one scenario, and the file has 2; name one by its address:
          a.scenario.yaml#1  First
          a.scenario.yaml#2  Second
        """)
    let missing = #expect(throws: Diagnostics.self) {
      try ScenarioReader.readAll(
        file, in: URL(fileURLWithPath: "/nowhere"), number: 3)
    }
    #expect(
      missing?.description == "a.scenario.yaml: error: there is no scenario 3: the file has 2")
  }

  @Test func aFileWhoseNameHasANumberIsFoundByItsName() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.documents, to: "a#1").path
    #expect(ScenarioAddress(path) == ScenarioAddress(path: path, number: nil))
    #expect(ScenarioAddress(path + "#2") == ScenarioAddress(path: path, number: 2))
    #expect(ScenarioAddress("#2") == ScenarioAddress(path: "#2", number: nil))
    #expect(
      try ScenarioFinder.addresses(at: [path + "#2", path + "#2", path + "#1"]).map(\.number)
        == [2, 1])
    #expect(try ScenarioFinder.addresses(at: [path + "#2", path]).map(\.number) == [nil])
  }

  @Test func aFileOfSomethingElseIsNoScenario() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("class P {}\n", to: "P.swift").path
    let error = #expect(throws: Diagnostics.self) { try ScenarioFinder.addresses(at: [path]) }
    #expect(
      error?.description
        == "\(path): error: this isn't a scenario file: their names end with .scenario.yaml")
    for name in ["a.yml", "a.json", "a"] {
      let path = try folder.write(Self.documents, to: name).path
      #expect(try ScenarioFinder.addresses(at: [path]).map(\.path) == [path])
    }
  }

  @Test func linksAreFollowedElsewhereAndOneToNothingIsTold() throws {
    let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
    try folder.write(Self.documents, to: "A.scenario.yaml")
    try other.write(Self.documents, to: "B.scenario.yaml")
    func link(_ name: String, in owner: TemporaryFolder, to target: URL) throws {
      try FileManager.default.createSymbolicLink(
        at: owner.url.appendingPathComponent(name), withDestinationURL: target)
    }
    try link("other", in: folder, to: other.url)
    try link("circle", in: folder, to: folder.url)
    try link("back", in: other, to: folder.url)
    let found = try ScenarioFinder.addresses(at: [folder.url.path]).map(\.path)
    #expect(
      found == ["A.scenario.yaml", "other/B.scenario.yaml"].map { "\(folder.url.path)/\($0)" })
    // A folder that several links lead to is searched once.
    try link("again", in: folder, to: other.url)
    #expect(
      try ScenarioFinder.addresses(at: [folder.url.path]).map(\.path)
        == ["A.scenario.yaml", "again/B.scenario.yaml"].map { "\(folder.url.path)/\($0)" })
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("again"))
    try link("C.scenario.yaml", in: other, to: other.url.appendingPathComponent("gone"))
    let error = #expect(throws: Diagnostics.self) {
      try ScenarioFinder.addresses(at: [folder.url.path])
    }
    #expect(
      error?.description
        == "\(folder.url.path)/other/C.scenario.yaml: error: the link leads to no file")
  }

  @Test func aNumberOfAFolderIsAMistake() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.documents, to: "A.scenario.yaml")
    let path = folder.url.path + "#2"
    let error = #expect(throws: Diagnostics.self) { try ScenarioFinder.addresses(at: [path]) }
    #expect(error?.description == "\(path): error: a folder has no numbers; name one of its files")
  }

  // MARK: Tables

  private static let table = """
    scenario: <text> is <n> long
    for_each:
      - { text: "3:30", n: 3.5 }
      - { text: "~", n: null }
    models: { v1: { Song: { title: string, length: double?, note: string? } } }
    seed:
      Song: [{ id: a, title: "<text>", length: <n>, note: "a <text>!" }]
    expect:
      - object: Song where title == "<text>"
        has: { length: <n> }
    """

  @Test func eachRowMakesAScenario() throws {
    let scenarios = try scenarios(Self.table)
    #expect(scenarios.map(\.title.value) == ["3:30 is 3.5 long", "~ is null long"])
  }

  @Test func cellsAreWhatTheyAreAloneAndTextsInQuotes() throws {
    let text = Self.table.replacing("is <n> long", with: "counts")
    let rows = try scenarios(text).compactMap { scenario -> [SourceNode]? in
      guard case .rows(let rows)? = scenario.seeds.first?.content else { return nil }
      return rows[0].fields.map(\.value)
    }
    #expect(
      rows.map { $0.map(\.text) } == [["a", "3:30", "3.5", "a 3:30!"], ["a", "~", nil, "a ~!"]])
    #expect(rows[1][2].isNull)
    // A cell's place is the row's, a text's that of the placeholder.
    #expect(rows.map { $0.map(\.place.line) } == [[7, 7, 3, 7], [7, 7, 4, 7]])
  }

  @Test func aTitleWithoutPlaceholderGetsTheCells() throws {
    let text = Self.table.replacing("<text> is <n> long", with: "Lengths")
    let scenarios = try scenarios(text)
    #expect(scenarios.map(\.title.value) == ["Lengths: \"3:30\", 3.5", "Lengths: \"~\", null"])
    // What concerns a whole scenario is told at its row.
    #expect(
      scenarios.map { "\($0.title.place)" } == ["a.scenario.yaml:3:5", "a.scenario.yaml:4:5"])
  }

  @Test(arguments: [
    (
      "for_each: []\nexpect: []",
      "3:11: 'for_each' has no rows, so nothing would be run"
    ),
    ("for_each: { a: 1 }", "3:11: 'for_each' must be a list, not a map"),
    (
      "for_each: [a]",
      "3:12: a row of 'for_each' must be a map of cells, as in '- { text: \"3:30\", minutes: 3.5 }'"
    ),
    (
      "for_each: [{ a: 1 }]",
      "3:14: '<a>' isn't used in the scenario, so its cells have no effect"
    ),
    (
      "for_each: [{ a b: 1 }]",
      "3:14: a cell's name is made of letters, digits, '-' and '_', so that '<a b>' can refer to it"
    ),
    (
      "for_each: [{ name: 1 }, { nam: 2 }]\nabout: <name>",
      "3:25: row 2 of 'for_each' has no 'name', which row 1 has; write 'null' for no value\n"
        + "3:27: row 1 has no 'nam'; did you mean 'name'?"
    ),
    (
      "for_each: [{ name: 1 }]\nabout: <name> and <nmae>",
      "4:19: no row of 'for_each' has a cell for '<nmae>'; did you mean 'name'?"
    ),
    (
      "for_each: [{ name: [a] }]\nabout: so <name>",
      "3:20: '<name>' is part of a text, so its cell must be text, not a list"
    ),
    (
      "for_each: [{ a: 1, b: 1 }, { a: 2, b: 1 }]\nscenario: t <b>\nabout: <a>",
      "3:28: row 2 of 'for_each' has the title of row 1, 't 1': use a cell that differs in the title"
    ),
    // One mistake of all rows is told once; one of some rows with these.
    (
      "for_each: [{ a: 1 }, { a: 2 }]\nseed: { Sogn: [{ title: <a> }] }",
      "4:9: v1 has no entity 'Sogn'; did you mean 'Song'?"
    ),
    (
      "for_each: [{ a: 1 }, { a: x }, { a: 2012-12-25 }]\nseed: { Song: [{ title: t, n: <a> }] }",
      "3:27: 'x' isn't a value for 'n': it must be a whole number from -32768 to 32767 (row 2 of 'for_each', line 3)\n"
        + "3:37: '2012-12-25' isn't a value for 'n': it must be a whole number from -32768 to 32767 (row 3 of "
        + "'for_each', line 3)"
    ),
    (
      "for_each: [{ a: Song }, { a: Sogn }]\nseed: { <a>: [{ title: t }] }",
      "4:9: v1 has no entity 'Sogn'; did you mean 'Song'? (row 2 of 'for_each', line 3)"
    ),
  ])
  func mistakesInTablesAreTold(_ text: String, _ message: String) {
    let title = text.contains("scenario:") ? "" : "scenario: s\n"
    let models = "models: { v1: { Song: { title: string, n: int16? } } }\n"
    #expect(
      complaint((title.isEmpty ? "backends: [memory]\n" : title) + models + text + "\n") == message)
  }

  @Test func aKeyThatStandsTwiceIsToldAtTheSecondPlace() {
    #expect(
      complaint("scenario: s\nmodels: {}\ntags: [a]\nmodels: {}\n")
        == "4:1: the key 'models' occurs twice in this map; the first one is in line 2")
    #expect(
      complaint("scenario: s\nmodels: { v1: { \"A\": {}, B: {}, 'A': {} } }\n")
        == "2:33: the key 'A' occurs twice in this map; the first one is in line 2")
  }

  // MARK: Running

  @Test func runsFoldersAndCommandsTellThemApart() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      models: { v1: { Song: { title: string } } }
      ---
      scenario: <n> songs
      for_each: [{ n: 0 }, { n: 1 }]
      seed: { Song: [{ title: a }] }
      expect:
        - count: { Song: <n> }
      ---
      scenario: Nothing
      expect:
        - count: { Song: 0 }
      """, to: "a.scenario.yaml")
    let scenarios = try CheckedScenario.loadAll(at: ScenarioAddress(file.path))
    var suite = ScenarioSuite()
    suite.keepFolder = folder.url.appending(path: "kept")
    try suite.prepareKeepFolder(for: scenarios)
    let report = await suite.run(scenarios)
    #expect(report.results.map(\.isPassed) == [false, false, true, true, true, true])
    #expect(report.counts.scenarios == 3)
    #expect(
      Set(report.results.compactMap(\.folder).map { ($0 as NSString).lastPathComponent })
        == ["a.1.v1.run", "a.2.v1.run", "a.3.v1.run"])
    #expect(
      report.results.first?.id.command(on: [.memory])
        == "heavyweight run '\(file.path)#1' --backend memory --in-process")
    let one = try CheckedScenario.loadAll(at: ScenarioAddress(file.path + "#2"))
    #expect(one.map(\.scenario.title.value) == ["1 songs"])
  }

  // MARK: Updating

  /// Updates a file, and says what it is then.
  private func updated(_ text: String) async throws -> (text: String, refusals: [String]) {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "a.scenario.yaml")
    let scenarios = try CheckedScenario.loadAll(at: ScenarioAddress(file.path))
    let report = await ScenarioSuite().run(scenarios)
    let outcome = try ScenarioUpdate.run(report, of: scenarios)
    return (try String(contentsOf: file, encoding: .utf8), outcome.refusals.map(\.message))
  }

  @Test func updatesOfAllDocumentsAreMadeAtOnce() async throws {
    let text = """
      models: { v1: { Song: { title: string } } }
      ---
      scenario: One
      seed: { Song: [{ title: a }] }
      expect:
        - count: { Song: 7 }   # one
      ---
      scenario: Two
      expect:
        - count: { Song: 7 }   # none
      """
    let (after, refusals) = try await updated(text)
    #expect(refusals == [])
    #expect(
      after
        == text.replacing("7 }   # one", with: "1 }   # one")
        .replacing("7 }   # none", with: "0 }   # none"))
  }

  private static func tableOfTwo(_ rows: String, _ expectation: String) -> String {
    """
    scenario: <title>
    for_each:
    \(rows)
    models: { v1: { Song: { title: string, n: int16? } } }
    seed: { Song: [{ id: a, title: <title>, n: 5 }] }
    expect:
      - \(expectation)
    """
  }

  @Test func aCellThatIsExpectedIsUpdated() async throws {
    let expectation = "object: Song a\n    has: { n: <n> }"
    let (after, refusals) = try await updated(
      Self.tableOfTwo("  - { title: a, n: 5 }\n  - { title: b, n: 6 }", expectation))
    #expect(refusals == [])
    #expect(
      after == Self.tableOfTwo("  - { title: a, n: 5 }\n  - { title: b, n: 5 }", expectation))
  }

  @Test func aCellThatIsSeededStays() async throws {
    let text = Self.tableOfTwo(
      "  - { title: a }\n  - { title: b }",
      "object: Song a\n    has: { title: <title> }\n  - object: Song where n == 5\n    has: { n: 5 }"
    ).replacing("title: <title>, n: 5", with: "title: x, n: 5").replacing(
      "seed: { Song: [{ id: a, title: x", with: "tags: [<title>]\nseed: { Song: [{ id: a, title: x")
    let (after, refusals) = try await updated(text)
    #expect(after == text)
    #expect(
      refusals
        == Array(
          repeating:
            "not updated: '<title>' is also used outside 'expect' and 'then'; edit it by hand",
          count: 2))
  }

  @Test func whatStandsForAllRowsIsUpdatedWhereAllAgree() async throws {
    let rows = "  - { title: a }\n  - { title: b }"
    let (after, refusals) = try await updated(Self.tableOfTwo(rows, "count: { Song: 9 }"))
    #expect(refusals == [])
    #expect(after == Self.tableOfTwo(rows, "count: { Song: 1 }"))
    let text = Self.tableOfTwo(rows, "object: Song a\n    has: { title: a }")
    let (kept, reasons) = try await updated(text)
    #expect(kept == text)
    #expect(
      reasons == ["not updated: it applies to all rows of 'for_each', of which only some found b"])
  }
}
