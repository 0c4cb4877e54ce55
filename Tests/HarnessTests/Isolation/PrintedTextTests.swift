import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What policies print ends in reports and on terminals.
@Suite struct PrintedTextTests {
  @Test func whatControlsATerminalIsShownByItsSign() {
    #expect(PrintedText.plain("a\tb\nc\r\nd") == "a\tb\nc\nd")
    #expect(
      PrintedText.plain("\u{1B}[2J\u{7}\u{0}\u{7F}\u{9B}31m\r") == "␛[2J␇␀␡\u{FFFD}31m␍")
    #expect(PrintedText.plain("Käse 🧀") == "Käse 🧀")
  }

  @Test func ofALongTextBeginningAndEndAreKept() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "output")
    #expect(PrintedText.of(file) == "")
    let count = 5 * PrintedText.mostBytes
    try ("first" + String(repeating: "x", count: count) + "last").write(
      to: file, atomically: false, encoding: .utf8)
    let text = PrintedText.of(file)
    #expect(text.hasPrefix("firstx") && text.hasSuffix("xlast"))
    let omitted = count + 9 - PrintedText.mostBytes
    #expect(text.contains("\n… \(omitted) bytes left out …\n"))
    #expect(text.utf8.count < PrintedText.mostBytes + 100)
  }

  /// A policy that prints without end must not fill the disk, or the memory that is one.
  @Test func theMiddleOfALongTextTakesNoRoom() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "output")
    try Data(repeating: 0x78, count: 40 * PrintedText.mostBytes).write(to: file)
    let before = PrintedText.of(file)
    PrintedText.giveBackRoom(of: file)
    #expect(PrintedText.of(file) == before)
    var facts = stat()
    #expect(stat(file.path, &facts) == 0)
    #expect(Int(facts.st_size) == 40 * PrintedText.mostBytes)
    #expect(Int(facts.st_blocks) * 512 < 8 * PrintedText.mostBytes)
  }
}
