import Foundation
import TestSupport
import Testing

/// Names, values and printed text that would like to be obeyed.
@Suite(.tags(.process), .tiered)
struct HostileTextTests {
  private static let evil = "\u{1B}[2J::error::x <script>alert(1)</script> ]]> ../../x \u{202E}"

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let quoted = Self.evil.replacing("\u{1B}", with: "\\e").replacing("\u{202E}", with: "\\u202E")
    try folder.write(
      """
      scenario: "\(quoted)"
      tags: [library]
      models:
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16 = 0 } }
      seed: { Book: [{ id: a, title: "::error::\\n::error::\(quoted)" }] }
      chain: [v1 -> v2]
      expect: [{ object: Book a, has: { title: "b" } }]

      """, to: "Evil.scenario.yaml")
    return folder
  }

  private func expectHarmless(_ text: String) {
    for scalar in text.unicodeScalars {
      #expect(scalar.value >= 0x20 || scalar == "\n" || scalar == "\t", "\(scalar.value)")
      #expect(scalar != "\u{202E}" && scalar != "\u{7F}")
    }
  }

  private func expectNoCommands(_ text: String) {
    for line in text.split(separator: "\n") {
      #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
    }
  }

  /// Colours, too, which reports have themselves.
  @Test(arguments: ["never", "always"])
  func coloursInNamesAndValuesAreShown(_ choice: String) throws {
    let folder = try TemporaryFolder()
    let red = "\u{1B}[31mred"
    let predicate = try Tool.run(["predicate", "a == \"\(red)\"", "--color", choice], in: folder)
    #expect(predicate.status == 0)
    #expect(predicate.output.contains("␛[31mred"), "\(predicate.output)")
    try folder.write(
      LibraryScenario.failing.replacing("A library grows", with: "\"\\e[31mred\""),
      to: "Red.scenario.yaml")
    let run = try Tool.run(["run", "Red.scenario.yaml", "--color", choice], in: folder)
    for output in [predicate.output + predicate.errors, run.output + run.errors] {
      #expect(output.contains("␛[31mred"), "\(output)")
      #expect(!output.contains(red), "\(output)")
    }
  }

  @Test func isHarmlessInEveryReport() throws {
    let folder = try folder()
    let result = try Tool.run(
      ["run", "Evil.scenario.yaml", "--json", "r.json", "--junit", "r.xml", "--html", "page"],
      in: folder)
    #expect(result.status == 1)
    expectHarmless(result.output)
    expectNoCommands(result.output)
    func text(_ path: String) throws -> String {
      try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
    }
    #expect(!(try text("r.json").contains("\u{1B}")))
    expectHarmless(try text("r.xml"))
    #expect(!(try text("r.xml").contains("<script>alert")))
    #expect(!(try text("page/index.html").contains("<script>alert")))
    expectHarmless(try text("page/index.html"))
  }

  @Test func gitHubIsToldOfTheFailureAndOfNothingElse() throws {
    let result = try Tool.run(["run", "Evil.scenario.yaml", "--github"], in: folder())
    let commands = result.output.split(separator: "\n").filter {
      $0.drop { $0 == " " }.hasPrefix("::")
    }
    #expect(commands.count == 1)
    #expect(commands.first?.hasPrefix("::error file=Evil.scenario.yaml,line=8,") == true)
    expectHarmless(result.output)
  }

  @Test func isHarmlessInWhatIsToldOfStores() throws {
    let folder = try folder()
    _ = try Tool.run(
      ["run", "Evil.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path + "/kept")
    let store = try #require(kept.first { $0.hasSuffix(".sqlite") })
    for arguments in [["inspect", "kept/" + store], ["diff", "kept/" + store, "kept/" + store]] {
      let result = try Tool.run(arguments, in: folder)
      expectHarmless(result.output + result.errors)
      expectNoCommands(result.output + result.errors)
    }
    #expect(!kept.contains { $0.contains("..") || $0.contains("\u{1B}") })
  }
}
