import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Lines that must fit into a row of a terminal.
@Suite struct TerminalWidthTests {
  @Test(arguments: [
    ("short", 10, "short"), ("just right", 10, "just right"), ("a bit too long", 10, "a bit too…"),
    ("日本語の歌", 10, "日本語の歌"), ("日本語の歌だ", 10, "日本語の…"), ("日本語", 5, "日本…"),
    ("🎵🎵🎵", 4, "🎵…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("x", 0, ""), ("", 0, ""),
  ])
  func textIsCutToColumns(_ text: String, _ columns: Int, _ expected: String) {
    #expect(text.cut(toColumns: columns) == expected)
  }

  @Test func aProgressLineTakesOneRow() {
    let title = "A scenario with\na title of two lines and " + String(repeating: "word ", count: 40)
    let line = ProgressLine.line(title, done: 2, total: 414, columns: 80)
    #expect(
      line.count == 80 && line.hasPrefix("3/414 A scenario with a title of") && line.hasSuffix("…"))
    #expect(!line.contains { $0.isNewline })
  }
}
