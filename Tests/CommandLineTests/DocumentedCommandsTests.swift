import Foundation
import TestSupport
import Testing

@testable import Commands

/// Every command line that a page shows must be one that the tool takes.
@Suite(.tags(.process), .tiered)
struct DocumentedCommandsTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  struct Line: CustomStringConvertible, Sendable {
    let place: String
    let words: [String]
    /// Whether it says in general how a command is called, with brackets around what may be left out.
    let isForm: Bool
    var description: String { "\(place): heavyweight \(words.joined(separator: " "))" }
  }

  private static let pages: [String] = {
    let docs = try? FileManager.default.contentsOfDirectory(
      atPath: package.appending(path: "docs").path)
    return ["README.md", "Scenarios/README.md"]
      + (docs ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  private static let all = pages.flatMap { (try? lines(of: $0)) ?? [] }
  static let lines = all.filter { !$0.isForm }
  static let forms = all.filter(\.isForm)

  /// The calls of the tool in a page's blocks of code, and the forms of calls.
  private static func lines(of page: String) throws -> [Line] {
    let text = try String(contentsOf: package.appending(path: page), encoding: .utf8)
      .replacing(#/\\\n\s*/#, with: "")
      // Variables of a workflow stand for something.
      .replacing(#/\$\{\{[^}\n]*\}\}|\$CI_NODE_INDEX/#, with: "1")
      .replacing("$CI_NODE_TOTAL", with: "3")
    var isCode = false
    var found: [Line] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("```") { isCode.toggle() }
      let call = #/^\s*(?:\$ |- |run: |entry: )*(?:swift run |[\w./]*\/)?heavyweight (?<rest>.+)$/#
      guard isCode, let match = line.firstMatch(of: call) else { continue }
      // A line of a report, which tells of the command, or of its version.
      let isTold = match.rest.hasPrefix("inspect finds this in the result")
      if isTold || match.rest.first?.isNumber == true { continue }
      let isForm = match.rest.contains("[-") || match.rest.contains("…")
      found.append(
        Line(place: "\(page):\(number + 1)", words: words(String(match.rest)), isForm: isForm))
    }
    return found
  }

  /// Words as a shell splits them, up to a comment, a pipe or another command.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in text {
      switch (character, quote) {
      case ("\"", nil), ("'", nil):
        quote = character
        word = word ?? ""
      case (let end, let open?) where end == open: quote = nil
      case (" ", nil):
        if let done = word { words.append(done) }
        word = nil
      case ("#", nil) where word == nil, ("|", nil), (">", nil), ("&", nil), (";", nil):
        return words
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  @Test(arguments: Self.lines) func isTaken(line: Line) throws {
    do {
      _ = try Heavyweight.parseAsRoot(line.words)
    } catch {
      if Heavyweight.exitCode(for: error) == .success { return }
      let message = Heavyweight.message(for: error)
      // The page about project files leaves out the model, which the file beside the reader's names.
      guard line.place.hasPrefix("docs/project.md:"),
        message.contains("a project file, heavyweight.yaml")
      else {
        Issue.record("\(line): \(message)")
        return
      }
      let words = line.words.prefix(1) + ["App.xcdatamodeld"] + line.words.dropFirst()
      #expect(throws: Never.self, "\(line)") { try Heavyweight.parseAsRoot(Array(words)) }
    }
  }

  /// A form isn't a call, and yet names options that the command has.
  @Test(arguments: Self.forms) func hasTheOptionsThatItsFormNames(line: Line) throws {
    let command = try #require(line.words.first)
    let help = try Tool.run([command, "--help"], in: TemporaryFolder())
    #expect(help.status == 0, "\(line)")
    for option in line.description.matches(of: #/\[?(--[a-z-]+)/#).map(\.output.1) {
      let names = help.output.matches(of: #/--[a-z-]+/#).map(\.output)
      #expect(names.contains(option), "\(line): \(option)")
    }
  }

  @Test func pagesHaveManyCommands() {
    #expect(Self.lines.count > 40)
    #expect(Self.lines.contains { $0.words.first == "init" })
  }
}
