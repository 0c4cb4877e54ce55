import Foundation
import TestSupport
import Testing

@testable import heavyweight

/// Every command line that a page shows must be one that the tool takes.
@Suite(.tags(.process), .tiered)
struct DocumentedCommandsTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  struct Line: CustomStringConvertible, Sendable {
    let place: String
    let words: [String]
    var description: String { "\(place): heavyweight \(words.joined(separator: " "))" }
  }

  private static let pages: [String] = {
    let docs = try? FileManager.default.contentsOfDirectory(
      atPath: package.appending(path: "docs").path)
    return ["README.md", "Scenarios/README.md"]
      + (docs ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  static let lines = pages.flatMap { (try? lines(of: $0)) ?? [] }

  /// The calls of the tool in a page's blocks of code.
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
      // What a page says of a command in general isn't a call.
      let isForm =
        match.rest.contains("[--") || match.rest.contains("…")
        || match.rest.contains("[-") || match.rest.contains(" says so ")
      if isForm || ["error", "command"].contains(match.rest.prefix { $0 != " " }) { continue }
      found.append(Line(place: "\(page):\(number + 1)", words: words(String(match.rest))))
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
      let isHelp = Heavyweight.exitCode(for: error) == .success
      // The page about project files shows what needn't be said beside one.
      let isProjects =
        line.place.hasPrefix("docs/project.md:")
        && Heavyweight.message(for: error).contains("a project file, heavyweight.yaml")
      #expect(isHelp || isProjects, "\(line): \(Heavyweight.message(for: error))")
    }
  }

  @Test func pagesHaveManyCommands() {
    #expect(Self.lines.count > 40)
    #expect(Self.lines.contains { $0.words.first == "init" })
  }
}
