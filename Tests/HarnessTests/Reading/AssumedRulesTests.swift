import Foundation
import TestSupport
import Testing

/// The list of docs/how-true.md is what marks in the code say: `Core Data: assumed …`. With
/// `HEAVYWEIGHT_REGENERATE=1` this test writes it anew.
@Suite struct AssumedRulesTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let mark = "Core Data: assumed"

  /// One rule: what it is about, what is assumed, and where.
  private struct Rule {
    let subject: String
    let assumption: String
    let file: String
    /// The scenario whose exported test decides it on a Mac.
    var scenario: String? {
      AssumedRulesTests.deciding.first { subject.hasPrefix($0.subject) }?.path
    }

    /// An item of a list, in lines of 120 columns at most.
    var item: String {
      let decision = scenario.map { "; decided by `\($0)`" } ?? ""
      let words = "- *\(subject)*: \(assumption) (`\(file)`)\(decision)".split(separator: " ")
      var lines: [String] = []
      for word in words {
        if let last = lines.last, last.count + 1 + word.count <= 120 {
          lines[lines.count - 1] += " " + word
        } else {
          lines.append((lines.isEmpty ? "" : "  ") + word)
        }
      }
      return lines.joined(separator: "\n")
    }
  }

  /// Which scenario decides what, by the beginning of what a rule is about.
  private static let deciding: [(subject: String, path: String)] = {
    let text = try? String(contentsOf: Fixture.url("deciding-scenarios.txt"), encoding: .utf8)
    return (text ?? "").split(separator: "\n").map { line in
      let parts = line.split(separator: "\t").map(String.init)
      return (parts[0], parts[1])
    }
  }()

  private static func text(_ line: Substring) -> (isComment: Bool, text: String) {
    let line = line.trimmingCharacters(in: .whitespaces)
    guard line.hasPrefix("//") else { return (false, line) }
    return (true, line.drop { $0 == "/" }.trimmingCharacters(in: .whitespaces))
  }

  private static func firstSentence(_ text: String) -> String {
    let end = text.firstRange(of: #/[.:;](\s|$)/#)
    return String(text[..<(end?.lowerBound ?? text.endIndex)])
  }

  private static func rules(in file: URL) throws -> [Rule] {
    let name = file.path.replacing(root.path + "/Sources/", with: "")
    let lines = try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { text(lines[$0]).isComment && lines[$0].contains(mark) }.map {
      place in
      var assumption = [
        String(text(lines[place]).text.split(separator: mark, maxSplits: 1).last ?? "")
      ]
      for line in lines[(place + 1)...] {
        guard text(line).isComment, !text(line).text.isEmpty,
          !line.contains("///") || lines[place].contains("///")
        else { break }
        assumption.append(text(line).text)
      }
      // What is said right above it, else above the declaration that it is in.
      var end = place
      while end > 0, !lines[end - 1].contains("///") { end -= 1 }
      var start = end
      while start > 0, lines[start - 1].contains("///") { start -= 1 }
      let subject = lines[start..<end].map { text($0).text }.filter { !$0.contains(mark) }
      return Rule(
        subject: firstSentence(subject.joined(separator: " ")),
        assumption: assumption.joined(separator: " ").trimmingCharacters(
          in: .whitespaces.union([",", ";", ".", ":"])),
        file: name)
    }
  }

  private static func list() throws -> String {
    let sources = root.appending(path: "Sources")
    let files =
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
    let rules = try files.sorted { $0.path < $1.path }.flatMap(rules)
    return rules.map { $0.item + "\n" }.joined()
  }

  @Test func theScenariosThatDecideAreThere() throws {
    #expect(Self.deciding.count > 5)
    let list = try Self.list()
    for (subject, path) in Self.deciding {
      #expect(
        FileManager.default.fileExists(atPath: Self.root.appending(path: path).path), "\(path)")
      let words = list.replacing("\n  ", with: " ")
      #expect(
        words.contains("- *\(subject)") && words.contains("decided by `\(path)`"), "\(subject)")
    }
  }

  @Test func eachIsDecidedByAScenarioOrSaysWhyNot() throws {
    for item in try Self.list().components(separatedBy: "\n- ") {
      let words = item.replacing("\n  ", with: " ").lowercased()
      #expect(words.contains("decided by `") || words.contains("no test decides it"), "\(item)")
    }
  }

  @Test func theListIsMadeOfTheMarks() throws {
    let url = Self.root.appending(path: "docs/how-true.md")
    var page = try String(contentsOf: url, encoding: .utf8)
    let start = try #require(page.range(of: "<!-- assumed -->\n")).upperBound
    let end = try #require(page.range(of: "<!-- /assumed -->")).lowerBound
    let wanted = "\n" + (try Self.list()) + "\n"
    if ProcessInfo.processInfo.environment["HEAVYWEIGHT_REGENERATE"] == "1" {
      page.replaceSubrange(start..<end, with: wanted)
      try page.write(to: url, atomically: true, encoding: .utf8)
    } else {
      #expect(
        String(page[start..<end]) == wanted,
        "docs/how-true.md is out of date: HEAVYWEIGHT_REGENERATE=1 writes its list")
    }
    #expect(wanted.split(separator: "\n").count > 10)
  }
}
