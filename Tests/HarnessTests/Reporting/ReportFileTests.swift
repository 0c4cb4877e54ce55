import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct ReportFileTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  private func problem(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  @Test func aFileIsReplacedAndNothingElseIsLeft() throws {
    try folder.write("{}", to: "report.json")
    try ReportFile.write(Data("new".utf8), to: path("report.json"))
    #expect(try String(contentsOfFile: path("report.json"), encoding: .utf8) == "new")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
  }

  @Test func aFileThatIsNoReportStays() throws {
    try folder.write("old", to: "report.json")
    #expect(
      problem { try ReportFile.write(Data("new".utf8), to: path("report.json")) }
        == "\(path("report.json")): error: can't write the report: a file that is no report of this tool has appeared "
        + "there, and is not overwritten")
    #expect(try String(contentsOfFile: path("report.json"), encoding: .utf8) == "old")
  }

  @Test func aLinkStaysALink() throws {
    try folder.write("{}", to: "real.json")
    try FileManager.default.createSymbolicLink(
      atPath: path("report.json"), withDestinationPath: "real.json")
    try ReportFile.write(Data("new".utf8), to: path("report.json"))
    #expect(try String(contentsOfFile: path("real.json"), encoding: .utf8) == "new")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: path("report.json")) == "real.json")
  }

  @Test func foldersAreMadeAheadAndOtherPlacesRefused() throws {
    #expect(problem { try ReportFile.prepare(path("a/b/report.json")) } == nil)
    #expect(FileManager.default.fileExists(atPath: path("a/b")))
    #expect(
      problem { try ReportFile.prepare(path("a/b")) }
        == "\(path("a/b")): error: can't write the report: this is a folder")
    try folder.write("x", to: "file")
    let below = path("file/report.json")
    #expect(
      problem { try ReportFile.prepare(below) }?
        .hasPrefix("\(below): error: can't write the report: ") == true)
  }

  @Test func aFullDeviceIsAnError() {
    #expect(
      problem { try ReportFile.write(Data("x".utf8), to: "/dev/full") }
        == "/dev/full: error: can't write the report: No space left on device")
  }

  @Test func textIsAddedToWhatOthersWrote() throws {
    try ReportFile.append(Data("one\n".utf8), to: path("summary.md"))
    try ReportFile.append(Data("two\n".utf8), to: path("summary.md"))
    #expect(try String(contentsOfFile: path("summary.md"), encoding: .utf8) == "one\ntwo\n")
  }
}
