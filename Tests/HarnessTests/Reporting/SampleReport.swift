import Foundation

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A report with a run of every kind: passed, failed in several ways, skipped, not runnable.
enum SampleReport {
  static let hostileTitle = "<script>document.title = 'broken'</script> & \"quotes\" \u{1B}[31m"

  static let renamed = """
    scenario: A renaming that nobody told of
    models:
      v1: { Song: { title: string, artist: string? } }
      v2: { Song: { title: string, artist: string?, length: int32 = 7 } }
      v3: { Song: { title: string, singer: string?, length: int32 = 7 } }
    seed: { Song: [{ id: waltz, title: Waltz, artist: "Ann & <b>Bob</b>" }] }
    chain: [v1 -> v2, v2 -> v3]
    expect:
      - object: Song waltz
        has: { singer: "Ann & <b>Bob</b>", length: 8 }
      - count: { Song: 1 }

    """

  static let required = """
    scenario: A required attribute is new
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, createdAt: date } }
      v3: { Song: { title: string, createdAt: date, note: string? } }
    seed: { Song: [{ id: waltz, title: Waltz }] }
    chain:
      - v1 -> v2:
          SongToSong: { source: Song, destination: Song }
      - v2 -> v3
    expect:
      - count: { Song: 1 }

    """

  static let passing = """
    scenario: A library grows
    skip: waits for the server
    models:
      v1: { Book: { title: string } }
      v2: { Book: { title: string, pages: int16 = 0 } }
    seed: { Book: [{ title: One }, { title: Two }] }
    chain: [v1 -> v2]
    expect:
      - count: { Book: 2 }

    """

  /// Every duration is 12 ms, so that texts can be compared.
  static func make() throws -> SuiteReport {
    let scenarios = [
      ("Renamed", renamed), ("Required", required),
      ("Hostile", passing.replacing("A library grows", with: "placeholder")),
    ]
    var report = SuiteReport()
    for (name, text) in scenarios {
      report.results += try play(text).map { renamed($0, path: "Scenarios/\(name).scenario.yaml") }
    }
    report.notePlans(of: [])
    for index in report.results.indices {
      report.results[index].plan = report.results[index].executedSteps.map(\.name)
      if report.results[index].id.path.contains("Required") {
        report.results[index].plan = ["v1 -> v2", "v2 -> v3"]
      }
    }
    report.skipped = [try checked(passing)].compactMap(SuiteReport.Skipped.init)
    let file = SourceFile(path: "Scenarios/Wrong.scenario.yaml", text: "scenario: s\n")
    let place = SourcePlace(file: file, line: 1, column: 1)
    report.problems = [
      SuiteReport.Problem(
        ScenarioAddress(path: file.path, number: nil),
        Diagnostics([Diagnostic("the key 'models' is missing", at: place)]))
    ]
    report.leftOut = [SuiteReport.LeftOut(option: "--tag 'a b'", count: 3)]
    report.seconds = 0.5
    report.isPlayed = true
    return report
  }

  private static func renamed(_ result: RunResult, path: String) -> RunResult {
    let id = RunID(
      path: path, title: result.id.title == "placeholder" ? hostileTitle : result.id.title,
      start: result.id.start, backend: result.id.backend, hasSeveralStarts: false)
    var copy = RunResult(id: id)
    copy.executedSteps = result.executedSteps
    copy.failures = result.failures
    copy.checkCount = result.checkCount
    copy.seconds = 0.012
    copy.output = result.id.title == "placeholder" ? "printed \u{7}<&>\n" : ""
    return copy
  }
}

extension FailureText {
  /// The first failure of a run, as a person sees it.
  static func first(of result: RunResult) -> String {
    result.failures.first.map {
      FailureText(failure: $0, result: result).lines().joined(separator: "\n")
    } ?? "no failure"
  }
}

extension TextReport {
  /// All runs, what went wrong in them, and the summary, as they are printed one after the other.
  func text(_ report: SuiteReport) -> String {
    let groups = report.results.groupedByScenario
    let aligned = TextReport(style: style, detail: detail, titles: groups.map { $0[0].id.title })
    return Self.text(groups.flatMap(aligned.scenario) + ending(report))
  }
}
