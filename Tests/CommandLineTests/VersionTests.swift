import Foundation
import TestSupport
import Testing

/// Which build of the tool it is.
@Suite(.tags(.process), .tiered)
struct VersionTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  private func version() throws -> String {
    let result = try Tool.run(["--version"], in: TemporaryFolder())
    #expect(result.status == 0 && result.errors == "")
    return result.output
  }

  @Test func versionCommitAndSwiftAreTold() throws {
    #expect(
      try version().wholeMatch(
        of: #/heavyweight \d+\.\d+\.\d+ \(commit (not known|[0-9a-f]{12}\+?), Swift \d+\.\d+.*\)\n/#
      )
        != nil)
  }

  /// The newest release of the change log is what is built; the one place that has the number is checked
  /// against what people read.
  @Test func theChangeLogBeginsWithThisVersion() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(text.firstMatch(of: #/\n## (\d+\.\d+\.\d+)/#)).output.1
    #expect(try version().hasPrefix("heavyweight \(newest) "))
  }

  /// Each release has its sections in one order, and each change an item: one line, and where that has no room for it
  /// at most three.
  @Test func theChangeLogIsCutIntoReleases() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let releases = text.components(separatedBy: "\n## ").dropFirst()
    #expect(releases.count > 2)
    let order = ["Breaking", "Added", "Changed", "Fixed"]
    for release in releases {
      let lines = release.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(
        lines[0].wholeMatch(of: #/Unreleased|\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)/#) != nil,
        "\(lines[0])")
      let sections = lines.filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
      #expect(sections == order.filter(sections.contains), "\(lines[0])")
      for item in release.components(separatedBy: "\n- ").dropFirst() {
        let whole = item.components(separatedBy: "\n\n")[0]
        #expect(whole.split(separator: "\n").count <= 3, "\(whole)")
      }
      for (previous, line) in zip(lines, lines.dropFirst()) {
        let goesOn = line.hasPrefix("  ") && (previous.hasPrefix("- ") || previous.hasPrefix("  "))
        #expect(
          line.isEmpty || line.hasPrefix("### ") || line.hasPrefix("- ") || goesOn, "\(line)")
        #expect(line.count <= 120, "\(line)")
      }
    }
  }
}
