import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct TextReportTests {
  private static let text = """
    scenario: A library grows
    models:
      v1: { Book: { title: string } }
      v2: { Book: { title: string, pages: int16 = 0 } }
    seed: { Book: [{ title: One }, { title: Two }] }
    chain: [v1 -> v2]
    expect:
      - count: { Book: 2 }

    """

  /// A report with every duration the same.
  private func report(
    _ text: String, verbose: Bool = false, change: (inout RunResult) -> Void = { _ in }
  ) throws -> String {
    var report = SuiteReport()
    report.results = try play(text).map { result in
      var result = result
      result.seconds = 0.012
      change(&result)
      return result
    }
    report.seconds = 0.5
    let style = TextStyle(isColoured: false)
    return TextReport(style: style, detail: verbose ? .verbose : .usual).text(report)
  }

  @Test func aPassedScenarioTakesTwoLines() throws {
    #expect(
      try report(Self.text) == """
        ✓ A library grows  test.scenario.yaml
          ✓ v1 -> v2  inferred  2 -> 2 objects  memory 12 ms, sqlite 12 ms

        1 scenario, 2 runs: 2 passed, in 500 ms

        """)
  }

  @Test func aFailureSaysWhereWhatAndHowToRepeatIt() throws {
    let failing = Self.text + "  - none: Book where title == \"One\"\n"
    #expect(
      try report(failing) == """
        ✗ A library grows  test.scenario.yaml
          ✗ v1 -> v2  inferred  2 -> 2 objects  memory 12 ms, sqlite 12 ms
            test.scenario.yaml:9:5: Book where title == "One"
              expected  none
              found     1
              found: Book { pages: 0, title: "One" }
              at        v1 -> v2, inferred
              since     the start: v1 already had it
              values    v1: 1; v2: 1
              again     heavyweight run test.scenario.yaml

        1 scenario, 2 runs: 0 passed, 2 failed, in 500 ms

        """)
  }

  @Test func verboseReportsListMappingsAndHooks() throws {
    let step = "[{ v1 -> v2: { BookToBook: { source: Book, destination: Book } } }]"
    let text = try report(Self.text.replacing("[v1 -> v2]", with: step), verbose: true)
    #expect(
      text.contains(
        """
              BookToBook (transform): 2 -> 2
                begin BookToBook
                createDestinationInstances BookToBook ×2
        """))
  }

  /// In memory there is no SQL, which nobody needs to be told.
  @Test func verboseReportsSayWhyAStepTookObjects() throws {
    func shown(verbose: Bool) throws -> [Substring] {
      try report(Self.text, verbose: verbose) { result in
        for index in result.executedSteps.indices {
          result.executedSteps[index].unsupported = [
            result.id.backend == .sqlite ? "'BookToBook' has a policy" : "no SQL"
          ]
        }
      }.split(separator: "\n").filter { $0.contains("object by object") }
    }
    #expect(try shown(verbose: true) == ["      object by object: 'BookToBook' has a policy"])
    #expect(try shown(verbose: false) == [])
  }

  @Test func verboseReportsShowPlans() throws {
    func shown(verbose: Bool) throws -> String {
      try report(Self.text, verbose: verbose) { result in
        for index in result.executedSteps.indices {
          result.executedSteps[index].plans = ["BookToBook: Book -> Book\n  title = title"]
        }
      }
    }
    let plan = """
            plan
              BookToBook: Book -> Book
                title = title

      """
    #expect(try shown(verbose: true).contains(plan))
    #expect(try !shown(verbose: false).contains("title = title"))
  }

  @Test func coloursAreForTerminalsThatWantThem() {
    #expect(!TextStyle(for: 0, environment: ["NO_COLOR": "1"]).isColoured)
    let painted = TerminalText.harmless(Data(TextStyle(isColoured: true).good("✓").utf8))
    #expect(String(decoding: painted, as: UTF8.self) == "\u{1B}[32m✓\u{1B}[0m")
    #expect(TextStyle(isColoured: false).good("✓") == "✓")
  }

  @Test func commandsQuoteWhatAShellWouldTakeApart() {
    let id = RunID(
      path: "My Scenarios/It's.scenario.yaml", title: "s", start: "Model 2", backend: .sqlite,
      hasSeveralStarts: true)
    #expect(
      id.command(on: [.sqlite])
        == "heavyweight run 'My Scenarios/It'\\''s.scenario.yaml' --backend sqlite "
        + "--start 'Model 2'")
  }

  @Test func aDifferenceIsRepeatedOnBothBackends() throws {
    var report = SuiteReport()
    report.results = try play(Self.text)
    report.results[1].failures = [
      Failure(.backendsDiffer, at: nil, "Book", expected: "1 (memory)", found: "2 (sqlite)")
    ]
    let text = TextReport(style: TextStyle(isColoured: false)).text(report)
    #expect(text.contains("again     heavyweight run test.scenario.yaml\n"))
    let json = try #require(String(data: try JSONReport(report).data(), encoding: .utf8))
    #expect(json.contains("\"command\" : \"heavyweight run test.scenario.yaml\""))
  }

  @Test func theReportForMachinesHasTheSameFacts() throws {
    var report = SuiteReport()
    report.results = try play(Self.text + "  - count: { Book: 3 }\n", on: [.memory])
    let data = try JSONReport(report).data()
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let summary = try #require(json["summary"] as? [String: Any])
    #expect(summary["runs"] as? Int == 1)
    #expect(summary["failed"] as? Int == 1)
    #expect(summary["exitStatus"] as? Int == 1)
    let run = try #require((json["runs"] as? [[String: Any]])?.first)
    #expect(run["backend"] as? String == "memory")
    #expect(run["expectationsChecked"] as? Int == 2)
    let step = try #require((run["steps"] as? [[String: Any]])?.first)
    #expect(step["step"] as? String == "v1 -> v2")
    #expect(((run["hops"] as? [[String: Any]])?.first)?["hop"] as? String == "v1 -> v2")
    #expect(step["mapping"] as? String == "inferred")
    let failure = try #require((run["failures"] as? [[String: Any]])?.first)
    #expect(failure["file"] as? String == "test.scenario.yaml")
    #expect(failure["line"] as? Int == 9)
    #expect(failure["expected"] as? String == "3")
    #expect(failure["found"] as? String == "2")
  }
}
