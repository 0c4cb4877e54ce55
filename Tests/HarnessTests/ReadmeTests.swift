import Foundation
import Testing

@Suite("The README")
struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  @Test func showsAScenarioThatShips() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let shipped = try String(
      contentsOf: Self.root.appending(path: "Scenarios/Tags/Short.scenario.yaml"), encoding: .utf8)
    let parts = readme.components(separatedBy: "```yaml\n")
    let example = try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    // What it covers is of interest to those who keep the checklist only.
    let lines = shipped.components(separatedBy: "\n").filter { !$0.hasPrefix("covers: ") }
    #expect(example == lines.joined(separator: "\n"))
  }
}
