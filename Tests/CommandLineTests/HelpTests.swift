import Foundation
import TestSupport
import Testing

/// Help on a terminal of 80 columns.
@Suite(.tags(.process), .tiered)
struct HelpTests {
  static let commands = [
    "run", "migrate", "check", "lock", "inspect", "model", "diff", "predicate", "bench", "explain",
    "crash",
    "mutate", "init", "capture", "reduce", "compare", "smoke", "report",
    "export", "adopt", "schema",
  ]

  @Test(arguments: commands)
  func helpFitsIntoEightyColumns(_ command: String) throws {
    let help = try Tool.run([command, "--help"], in: TemporaryFolder()).output
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count > 20)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  /// What goes on at the margin looks like the next paragraph.
  @Test(arguments: commands)
  func examplesAndStatusesStayIndented(_ command: String) throws {
    let help = try Tool.run([command, "--help"], in: TemporaryFolder()).output
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    for title in ["EXAMPLES", "EXIT STATUS"] {
      let start = try #require(lines.firstIndex { $0 == title }, "\(title)")
      let section = lines[(start + 1)...].prefix { !$0.isEmpty }
      #expect(!section.isEmpty)
      for line in section { #expect(line.hasPrefix("  "), "\(line)") }
    }
  }
}
