import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct GitHubReportTests {
  private func report(_ results: [RunResult] = []) -> GitHubReport {
    var report = SuiteReport()
    report.results = results
    return GitHubReport(report, environment: ["GITHUB_WORKSPACE": "/home/ci/app"])
  }

  private func failing(_ path: String, title: String = "A title, 100%: odd") -> RunResult {
    var result = RunResult(
      id: RunID(path: path, title: title, start: "v1", backend: .memory, hasSeveralStarts: false))
    let file = SourceFile(path: path, text: "one\ntwo\n")
    result.failures = [
      Failure(
        .expectation, at: SourcePlace(file: file, line: 2, column: 3), "count of Song",
        expected: "1", found: "50%\r\nor | so")
    ]
    return result
  }

  @Test func aFailureIsOneLineWithItsPlace() {
    #expect(
      report([failing("/home/ci/app/Scenarios/S.scenario.yaml")]).annotations()
        == """
        ::error file=Scenarios/S.scenario.yaml,line=2,col=3,title=A title%2C 100%25%3A odd \
        (memory)::count of Song%0A  expected  1%0A  found     50%25␍%0Aor | so%0A  again     \
        heavyweight run /home/ci/app/Scenarios/S.scenario.yaml --backend memory

        """)
  }

  @Test func swiftFilesAreAnnotatedWhereTheyDoNotCompile() {
    var report = SuiteReport()
    report.problems = [
      SuiteReport.Problem(
        ScenarioAddress(path: "S.scenario.yaml", number: 2),
        PolicyCompilationError(
          "the policies of module App don't compile",
          diagnostics: [
            PolicyDiagnostic(
              file: "/home/ci/app/P.swift", line: 2, column: 5, severity: .error, message: "no"),
            PolicyDiagnostic(
              file: "/home/ci/app/P.swift", line: 1, column: 1, severity: .note, message: "here"),
          ]))
    ]
    #expect(
      GitHubReport(report, environment: ["GITHUB_WORKSPACE": "/home/ci/app"]).annotations() == """
        ::error file=S.scenario.yaml,title=can't be run::the policies of module App don't compile%0A\
        /home/ci/app/P.swift:2:5: error: no%0A/home/ci/app/P.swift:1:1: note: here
        ::error file=P.swift,line=2,col=5,title=doesn't compile::no

        """)
  }

  @Test func theLineOfACrashIsAnnotated() {
    var result = RunResult(
      id: RunID(
        path: "S.scenario.yaml", title: "t", start: "v1", backend: .memory, hasSeveralStarts: false)
    )
    var failure = Failure(
      .crash, at: nil, "begin of A", expected: "to return", found: "Fatal error: no")
    failure.code = Failure.CodePlace(file: "P.swift", line: 12, method: "begin of App.P")
    result.failures = [failure]
    #expect(
      report([result]).annotations().hasPrefix(
        "::error file=P.swift,line=12,title=t%3A crash::Fatal error: no%0Abegin of App.P\n::error file=S.scenario.yaml,"
      ))
  }

  @Test func filesOutsideKeepTheirPaths() {
    let text = report([failing("/elsewhere/S.scenario.yaml")]).annotations()
    #expect(text.hasPrefix("::error file=/elsewhere/S.scenario.yaml,line=2,"))
    let neighbour = report([failing("/home/ci/apple/S.scenario.yaml")]).annotations()
    #expect(neighbour.hasPrefix("::error file=/home/ci/apple/S.scenario.yaml,"))
  }

  @Test func everyKindOfTroubleIsAnnotated() throws {
    let sample = try SampleReport.make()
    let lines = GitHubReport(sample, environment: [:]).annotations().split(separator: "\n")
    // Three failures of backends that agree, one scenario that can't be run, one that is skipped.
    #expect(lines.count { $0.hasPrefix("::error ") } == 4)
    #expect(
      lines.contains(
        "::error file=Scenarios/Wrong.scenario.yaml,line=1,col=1,title=can't be run::the key 'models' is missing"
      ))
    #expect(
      lines.contains(
        "::notice file=test.scenario.yaml,line=2,title=A library grows is skipped::waits for the server"
      ))
    #expect(lines.count == 5)
  }

  @Test func theSummaryIsATableInWhichNothingIsMarkup() throws {
    var sample = try SampleReport.make()
    sample.results[0] = failing("Scenarios/S.scenario.yaml", title: "<b>*bold*</b> | @team")
    let text = GitHubReport(sample, environment: [:]).summary()
    #expect(text.hasPrefix("## ❌ 1 scenario can't be run, 4 of 6 runs failed\n\n| scenario | "))
    #expect(
      text.contains(
        "| &lt;b&gt;\\*bold\\*&lt;/b&gt; \\| &#64;team<br>Scenarios/S.scenario.yaml:2 "
          + "| count of Song (memory) | 1 | "), "\(text)")
    #expect(text.hasSuffix("- skipped 1: waits for the server\n- left out 3: by --tag 'a b'\n"))
    var passed = SuiteReport()
    passed.results = Array(sample.results.suffix(2))
    #expect(GitHubReport(passed, environment: [:]).summary().hasPrefix("## ✅ 2 runs passed\n"))
  }
}
