import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Mistakes in a scenario's predicates are shown where they are.
@Suite struct FormatTextTests {
  /// One character may have several Unicode scalars, which are what columns count.
  @Test(arguments: ["x", "é", "e\u{301}", "💡", "👨‍👩‍👧", "🇳🇴"])
  func aMistakeStandsBehindAnyCharacter(character: String) {
    let format = "name == '\(character)' AND ? == 1"
    let line = "where: \(format)"
    let text = Located(
      format,
      at: SourcePlace(
        file: SourceFile(path: "a.yaml", text: line), line: 1, column: 8,
        length: format.unicodeScalars.count))
    let error = #expect(throws: Diagnostic.self) { try FormatText.predicate(text) }
    let scalars = Array(line.unicodeScalars)
    #expect(error?.place.map { scalars[$0.column - 1] } == "?")
  }
}
