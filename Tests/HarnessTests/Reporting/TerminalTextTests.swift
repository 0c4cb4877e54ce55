import Foundation
import Testing

@testable import Benching
@testable import PolicyCompiler
@testable import Reports
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import StoreTools
@testable import Terminal

@Suite struct TerminalTextTests {
  private func harmless(_ text: String, isColoured: Bool = true) -> String {
    String(
      decoding: TerminalText.harmless(Data(text.utf8), isColoured: isColoured), as: UTF8.self)
  }

  @Test func coloursPassAndOtherSequencesAreShown() {
    let style = TextStyle(isColoured: true)
    for text in [
      style.good("a"), style.bad("b"), style.notable("c"), style.strong("d"), style.faint("e"),
    ] {
      #expect(harmless(text) == text)
    }
    #expect(harmless("a\u{1B}[2Jb\u{1B}]0;title\u{7}\r\u{9B}31m") == "a␛[2Jb␛]0;title␇␍\u{FFFD}31m")
    #expect(harmless("\u{1B}[8mhidden\u{1B}") == "␛[8mhidden␛")
    #expect(harmless("\u{1B}[31mred", isColoured: false) == "␛[31mred")
    #expect(harmless("\u{202E}txt.exe\u{0}") == "\u{FFFD}txt.exe␀")
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
