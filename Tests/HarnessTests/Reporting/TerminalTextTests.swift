import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct TerminalTextTests {
  private func harmless(_ text: String) -> String {
    String(decoding: TerminalText.harmless(Data(text.utf8)), as: UTF8.self)
  }

  @Test func coloursPassAndOtherSequencesAreShown() {
    let style = TextStyle(isColoured: true)
    for (text, code) in [
      (style.good("a"), 32), (style.bad("a"), 31), (style.notable("a"), 33),
      (style.strong("a"), 1), (style.faint("a"), 2),
    ] {
      #expect(harmless("x\(text)y") == "x\u{1B}[\(code)ma\u{1B}[0my")
    }
    #expect(harmless("a\u{1B}[2Jb\u{1B}]0;title\u{7}\r\u{9B}31m") == "a␛[2Jb␛]0;title␇␍\u{FFFD}31m")
    #expect(harmless("\u{1B}[8mhidden\u{1B}") == "␛[8mhidden␛")
    #expect(harmless("\u{202E}txt.exe\u{0}") == "\u{FFFD}txt.exe␀")
  }

  /// Nobody else's text has a colour, with the mark of another call neither.
  @Test func coloursInATextOfSomebodyElseAreShown() {
    let foreign = "a\u{1B}[31mb\u{1B}[0m\u{1B}[31;1234567890123456mc"
    let shown = "a␛[31mb␛[0m␛[31;1234567890123456mc"
    #expect(harmless(foreign) == shown)
    #expect(
      harmless(TextStyle(isColoured: true).bad(foreign)) == "\u{1B}[31m\(shown)\u{1B}[0m")
    #expect(TextStyle(isColoured: false).bad("a") == "a")
  }

  @Test func linesThatGitHubObeysAreMarked() {
    #expect(
      harmless("::error::x\n  ::add-mask::y\na ::b") == "\\::error::x\n  \\::add-mask::y\na ::b")
    #expect(harmless("\t##[group]x\n# #[x]") == "\t\\##[group]x\n# #[x]")
  }

  @Test func plainTextStaysAsItIs() {
    for text in ["", "a: b\n\tc", "ä → 🏳️‍🌈 e\u{301}", "{\"a::b\": \"\\u001b\"}"] {
      #expect(harmless(text) == text)
    }
  }
}
