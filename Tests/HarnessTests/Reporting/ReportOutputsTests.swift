import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Scenarios
@testable import Terminal

/// Where reports go: each format by itself, in files or on standard output.
@Suite struct ReportOutputsTests {
  /// A format of nobody's: what it takes to add one.
  private enum CountReport: ReportFormat {
    static let destination = ReportDestination.file

    static func content(of report: SuiteReport) -> ReportContent {
      ReportContent(data: Data("\(report.counts.runs) runs\n".utf8))
    }
  }

  @Test func anyFormatIsWrittenToItsFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "made/count.txt")
    let outputs = ReportOutputs([ReportOutput(CountReport.self, "--count", to: file.path)])
    try outputs.prepare()
    #expect(outputs.write(SuiteReport()).isEmpty)
    #expect(try String(contentsOf: file, encoding: .utf8) == "0 runs\n")
  }

  @Test func aPageGoesIntoItsFolder() throws {
    let folder = try TemporaryFolder()
    let outputs = ReportOutputs([ReportOutput(HTMLReport.self, "--html", to: folder.url.path)])
    try outputs.prepare()
    #expect(outputs.write(SuiteReport()).isEmpty)
    let page = folder.url.appending(path: "index.html")
    #expect(try String(contentsOf: page, encoding: .utf8).hasPrefix("<!doctype html>"))
  }

  @Test func whatCannotBeWrittenKeepsNothingElseFromIt() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "count.txt")
    let outputs = ReportOutputs([
      ReportOutput(CountReport.self, "--first", to: "/dev/full"),
      ReportOutput(CountReport.self, "--second", to: file.path),
    ])
    #expect(outputs.write(SuiteReport()).count == 1)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  @Test func twoReportsForOnePlaceAreRefused() {
    let json = ReportOutput(JSONReport.self, "--json", to: "-")
    let junit = ReportOutput(JUnitReport.self, "--junit", to: "-")
    let gitHub = ReportOutput(GitHubReport.self, "--github")
    #expect(
      ReportOutputs([json, junit]).contradiction
        == "--json - and --junit - would both write to standard output.")
    #expect(
      ReportOutputs([json, gitHub]).contradiction
        == "--json - and --github would both write to standard output.")
    #expect(
      ReportOutputs([
        ReportOutput(JSONReport.self, "--json", to: "a/../b"),
        ReportOutput(JUnitReport.self, "--junit", to: "b"),
      ]).contradiction == "--json and --junit name the same file.")
    #expect(ReportOutputs([gitHub]).contradiction == nil)
  }
}
