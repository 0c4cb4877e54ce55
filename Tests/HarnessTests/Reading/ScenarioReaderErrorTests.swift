import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct ScenarioReaderErrorTests {
  @Test func anUnknownKeyGetsASuggestion() {
    #expect(
      complaints("scenario: s\nmodels: {}\nexpct: []\n") == """
        test.scenario.yaml:3:1: error: unknown key 'expct' in a scenario; did you mean 'expect'?
          3 | expct: []
            | ^~~~~
        """)
  }

  @Test func allErrorsAreReportedAtOnce() {
    #expect(
      complaints(
        """
        scenario: s
        models: {}
        chain:
          - v1 to v2
        expect:
          - cuont: { A: 1 }
          - count: { A: many }
        """) == """
          test.scenario.yaml:4:5: error: 'v1 to v2' must be a step, as in 'v1 -> v2'
            4 |   - v1 to v2
              |     ^~~~~~~~
          test.scenario.yaml:6:5: error: unknown key 'cuont' in an expectation; did you mean 'count'?
            6 |   - cuont: { A: 1 }
              |     ^~~~~
          test.scenario.yaml:7:17: error: 'A' must be a whole number, not 'many'
            7 |   - count: { A: many }
              |                 ^~~~
          """)
  }

  @Test func yamlMistakesHaveAPlace() {
    #expect(
      complaints("scenario: s\nmodels: {\n") == """
        test.scenario.yaml:2:9: error: not valid YAML: the '{' here isn't closed
          2 | models: {
            |         ^
        """)
    #expect(
      complaints("scenario: s\nscenario: t\n") == """
        test.scenario.yaml:2:1: error: the key 'scenario' occurs twice in this map; the first one \
        is in line 1
          2 | scenario: t
            | ^~~~~~~~
        """)
    #expect(complaints("") == "test.scenario.yaml: error: the file is empty")
  }

  @Test func aFewAliasesCantFillTheMemory() {
    var text = "scenario: s\na: &a [x, x, x, x, x, x, x, x, x]\n"
    for (name, previous) in zip("bcdefghij", "abcdefghi") {
      let list = Array(repeating: "*\(previous)", count: 9).joined(separator: ", ")
      text += "\(name): &\(name) [\(list)]\n"
    }
    #expect(complaints(text).contains("too many values; are there too many aliases?"))
  }

  @Test func ofAVeryLongLineThePartAroundThePlaceIsShown() {
    let text =
      "scenario: s\nmodels: { v1: {} }\nabout: [" + String(repeating: "x", count: 300)
      + "]\nnonsense: " + String(repeating: "y", count: 300) + "\n"
    let lines = complaints(text).split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.count < 400 })
    #expect(lines[1] == "  3 | about: [" + String(repeating: "x", count: 152) + "…")
    #expect(lines[2] == "    |        ^")
  }

  @Test func missingAndUnreadableFilesAreNamed() throws {
    func complaint(_ path: String) -> String {
      do {
        _ = try CheckedScenario.load(contentsOf: URL(fileURLWithPath: path), shownAs: path)
        return ""
      } catch { return "\(error)" }
    }
    #expect(
      complaint("/nowhere/x.yaml") == "/nowhere/x.yaml: error: can't read the file: no such file")
    #expect(complaint("/tmp") == "/tmp: error: this is a folder, not a file")
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "x.yaml")
    try Data([0xFF, 0xFE, 0x00]).write(to: file)
    #expect(complaint(file.path) == "\(file.path): error: the file isn't UTF-8 text")
  }
}
