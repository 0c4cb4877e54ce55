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

  private static let changes = try? String(
    contentsOf: root.appending(path: "CHANGELOG.md"), encoding: .utf8)

  /// The newest release of the change log is what is built; the one place that has the number is checked
  /// against what people read.
  @Test func theChangeLogAndThePagesNameThisVersion() throws {
    let text = try #require(Self.changes)
    let newest = try #require(text.firstMatch(of: #/\n## (\d+\.\d+\.\d+)/#)).output.1
    #expect(try version().hasPrefix("heavyweight \(newest) "))
    let docs = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: "docs").path)
    var count = 0
    for page in docs.map({ "docs/\($0)" }) + ["README.md", "action.yml"]
    where page.hasSuffix(".md") || page.hasSuffix(".yml") {
      let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
      let example = #/(?:heavyweight@|rev: |such as `?|tar xf heavyweight-)v?(\d+\.\d+\.\d+)/#
      for match in text.matches(of: example) {
        count += 1
        #expect(match.output.1 == newest, "\(page): \(match.output.0)")
      }
    }
    #expect(count >= 5)
  }

  /// Each release has its sections in one order, and each change an item: one line, and where that has no room for it
  /// at most four.
  @Test func theChangeLogIsCutIntoReleases() throws {
    let text = try #require(Self.changes)
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
        #expect(whole.split(separator: "\n").count <= 4, "\(whole)")
      }
      for line in lines { #expect(line.count <= 120, "\(line)") }
    }
  }

  /// Whoever upgrades is told what to do. The first three releases were cut before there was anybody to tell.
  @Test func everyBreakingChangeSaysWhatToDo() throws {
    let text = try #require(Self.changes)
    let releases = text.components(separatedBy: "\n## ").dropFirst()
      .prefix { !$0.hasPrefix("0.3.0") }
    var count = 0
    for release in releases {
      guard let start = release.firstRange(of: "### Breaking") else { continue }
      let breaking = release[start.upperBound...].components(separatedBy: "\n### ")[0]
      let paragraphs = breaking.components(separatedBy: "\n\n")
      for item in paragraphs.flatMap({ "\n\($0)".components(separatedBy: "\n- ").dropFirst() }) {
        count += 1
        #expect(item.contains(#/\*Do:\*\s\S/#), "\(item)")
      }
      for (index, paragraph) in paragraphs.enumerated() where paragraph.hasPrefix("|") {
        #expect(paragraphs[index - 1].contains("*Do:*"), "\(paragraph.prefix(80))")
        for row in paragraph.split(separator: "\n") {
          let cells = row.split(separator: " |", omittingEmptySubsequences: false).map {
            $0.drop { $0 == "|" || $0 == " " }
          }
          #expect(row.hasPrefix("|---") || cells.filter { !$0.isEmpty }.count == 2, "\(row)")
        }
      }
    }
    #expect(count > 80)
  }
}
