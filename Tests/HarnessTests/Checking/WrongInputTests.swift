import Foundation
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import ScenarioRunner

/// What people write by mistake, and what they are told.
@Suite struct WrongInputTests {
  private static let base = """
    scenario: s
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, n: int16? } }
    seed: { Song: [{ id: a, title: x }] }

    """

  private func complaint(_ text: String) -> String {
    do {
      let file = SourceFile(path: "test.scenario.yaml", text: text)
      let scenario = try ScenarioReader.read(file, in: URL(fileURLWithPath: "/nowhere"))
      _ = try CheckedScenario.check(scenario)
      return ""
    } catch let error as Diagnostics {
      return error.all.map { problem in
        "\(problem.place.map { "\($0.line):\($0.column): " } ?? "")\(problem.message)"
      }.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    (
      "chain: [v1 -> v2: []]",
      "6:19: this lists no mapping; write 'infer' for a step that takes none"
    ),
    ("policies: { module: App, sources: [] }", "6:35: 'sources' lists nothing"),
    ("chain: [v1 -> v2: { .stages: [] }]", "6:30: '.stages' lists nothing"),
    (
      "chain: [v1 -> v2]\nexpect:\n  - fails: { code: 1570, errors: [] }",
      "8:34: 'errors' lists nothing, so it can't fail"
    ),
    (
      "chain: [v1 -> v2]\nexpect:\n  - object: Song a\n    has: {}",
      "9:10: 'has' lists nothing, so it can't fail"
    ),
    (
      "chain: [v1 -> v2]\nexpect:\n  - at: v2\n    expect: []",
      "9:13: 'expect' lists nothing, so it can't fail"
    ),
    (
      "chain: [v1 -> v2]\nthen:\n  - expect: []",
      "8:13: 'expect' lists nothing, so it can't fail"
    ),
  ])
  func aListOfNothingIsRefused(_ text: String, _ message: String) {
    #expect(complaint(Self.base + text + "\n") == message)
  }

  @Test(arguments: [
    (
      ".unique: [nothing]",
      "'.unique' names 'nothing', but 'Song' has no such property; properties: title"
    ),
    (
      ".index: [[title, titel]]",
      "'.index' names 'titel', but 'Song' has no such property; did you mean 'title'?"
    ),
  ])
  func constraintsAndIndexesNameProperties(_ option: String, _ message: String) {
    let text = "scenario: s\nmodels: { v1: { Song: { \(option), title: string } } }\n"
    #expect(complaint(text).hasSuffix(": " + message), "\(complaint(text))")
  }

  @Test(arguments: [
    ("String", "String", "string"), ("Int16", "Int16", "int16"),
    ("Integer 16 = 0", "Integer", "int16"), ("Date?", "Date", "date"), ("UUID", "UUID", "uuid"),
    ("Boolean = true", "Boolean", "bool"), ("Int", "Int", "int64"),
    ("Data(external)", "Data", "data"),
    ("String indexed", "String", "string"), ("URL?", "URL", "uri"),
  ])
  func typesAreInSmallLetters(_ type: String, _ name: String, _ meant: String) {
    let text = "scenario: s\nmodels: { v1: { Song: { title: \(type) } } }\n"
    #expect(
      complaint(text) == """
        2:32: there is no entity '\(name)'; an attribute's type is in small letters: did you mean '\(meant)'?
        """)
  }

  @Test func anEntityMayBeCalledLikeAType() {
    let text = """
      scenario: s
      models: { v1: { Song: { day: Date? }, Date: { year: int16 } } }

      """
    #expect(complaint(text) == "")
  }

  @Test func aNumberThatIsNotThereIsNoMisspelling() {
    #expect(
      complaint(Self.base + "chain: [v1 -> v9]\n")
        == "6:9: there is no version 'v9'; versions: v1, v2")
    #expect(
      complaint(Self.base + "chain: [v1 -> w2]\n")
        == "6:9: there is no version 'w2'; did you mean 'v2'?")
  }

  @Test func aTabIsCalledATab() {
    #expect(
      complaint("scenario: s\nmodels:\n\tv1: {}\n")
        == "3:1: a tab stands where YAML wants spaces: write spaces instead")
    #expect(
      complaint("scenario: s\nmodels:\n  \tv1: {}\n  v2: {}\n").contains(
        "a tab stands where YAML wants spaces"))
  }

  @Test func aReleaseWithoutTheStoresVersionIsRefused() {
    let text = Self.base + "chain: [v1 -> v2]\nthen:\n  - start: v1\n"
    #expect(
      complaint(text) == """
        8:12: the store is one of 'v2' by then, which this release hasn't got; name it, too, or expect the \
        error: 'fails: { code: 134130 }'
        """)
    #expect(complaint(text + "    fails: { code: 134130 }\n") == "")
    #expect(complaint(text.replacing("start: v1", with: "start: [v2, v1]")) == "")
  }

  private static let library = """
    scenario: s
    models:
      v1:
        Song: { title: string, n: int16 = 1, note: string?, album: Album <-> songs }
        Album: { songs: "[Song]! <-> album" }
    expect: [{ count: { Song: 1, Album: 1 } }]
    seed:

    """

  @Test(arguments: [
    ("Album: [{ id: best, songs: [waltz] }]\n  Song: [{ id: waltz, title: x }]", ""),
    ("Album: [{ id: best }]\n  Song: [{ id: waltz, title: x, album: best }]", ""),
    (
      "Album: [{ id: best }]\n  Song: [{ id: waltz, album: best }]",
      "9:16: Song waltz has no 'title', which v1 requires: such a row can't be saved"
    ),
    (
      "Album: [{ id: best }]\n  Song: [{ title: ~, album: best }]",
      "9:10: this Song has no 'title', which v1 requires: such a row can't be saved"
    ),
    (
      "Album: [{ id: best }]\n  Song: [{ id: waltz, title: x }]",
      "9:16: Song waltz has no 'album', which v1 requires: such a row can't be saved"
    ),
  ])
  func aRowHasWhatItsEntityRequires(_ rows: String, _ message: String) {
    #expect(complaint(Self.library + "  " + rows + "\n") == message)
  }

  @Test func aScenarioAboutAnErrorMayHaveSuchRows() {
    let text = Self.library.replacing(
      "expect: [{ count: { Song: 1, Album: 1 } }]", with: "expect: [{ fails: { code: 1570 } }]")
    #expect(complaint(text + "  Song: [{ id: waltz }]\n") == "")
  }
}
