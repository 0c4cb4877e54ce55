import Foundation
import TestSupport
import Testing

/// Reports on narrow and wide terminals: nothing breaks inside a word, and nothing is lost.
@Suite(.tags(.process), .tiered) struct WidthTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      LibraryScenario.failing.replacing(
        "A library grows", with: "A library of a small town grows by a few books"),
      to: "Migrations/Libraries of small towns/Grows.scenario.yaml")
    try folder.write(LibraryScenario.passing, to: "Migrations/Other.scenario.yaml")
    try FileManager.default.copyItem(
      at: URL(filePath: #filePath).appending(path: "../../../Scenarios/Bookshop/Model")
        .standardizedFileURL,
      to: folder.url.appending(path: "Model"))
    return folder
  }

  private func text(_ arguments: [String], columns: Int?, in folder: TemporaryFolder) throws
    -> String
  {
    let width = columns.map { "export COLUMNS=\($0)" } ?? "unset COLUMNS"
    return try Tool.run(
      script: "\(width); exec \"$0\" \"$@\" 2>&1", [Tool.executable().path] + arguments, in: folder
    ).output.replacing(#/\d[\d.]* (m?s|µs)\b/#, with: "9 ms")
  }

  @Test func aRedRunOnSixtyColumns() throws {
    let text = try text(["run", "Migrations"], columns: 60, in: folder())
    #expect(
      text == """
        ✗ A library of a small town grows by a few books
          Migrations/Libraries of small towns/Grows.scenario.yaml
          ✗ v1 -> v2  inferred  1 -> 1 object
            memory 9 ms, sqlite 9 ms
            Migrations/Libraries of small
              towns/Grows.scenario.yaml:8:20: count of Book
              expected  2
              found     1
              found: Book { pages: 0, title: "One" }
              at        v1 -> v2, inferred
              since     the start: v1 already had it
              values    v1: 1; v2: 1
              again     heavyweight run \\
                        'Migrations/Libraries of small towns/Grows.scenario.yaml'
        ✓ A library grows  Migrations/Other.scenario.yaml
          ✓ v1 -> v2  inferred  1 -> 1 object
            memory 9 ms, sqlite 9 ms

        2 scenarios, 4 runs: 2 passed, 2 failed, in 9 ms

        failed:
          ✗ A library of a small town grows by a few books
              heavyweight run \\
                'Migrations/Libraries of small towns/Grows.scenario.yaml'

        """)
  }

  /// All words are there, in their order, whatever the width, and lines are no longer than a terminal's unless a single
  /// word is; but for columns of tables, which may follow in tables of their own.
  @Test(
    arguments: [
      ["run", "Migrations"], ["check", "Model/Bookshop.xcdatamodeld"],
      ["mutate", "Migrations/Other.scenario.yaml", "--fresh"],
      ["bench", "Migrations/Other.scenario.yaml", "--objects", "10,20", "--samples", "2"],
    ], [60, 80, 120])
  func linesFit(_ arguments: [String], columns: Int) throws {
    let folder = try folder()
    let piped = try text(arguments, columns: nil, in: folder)
    let narrow = try text(arguments, columns: columns, in: folder)
    for line in narrow.split(separator: "\n") where line.count > columns {
      let words = line.drop { $0 == " " }
      #expect(!words.contains(" ") || words.hasPrefix("'"), "\(line)")
    }
    #expect(narrow.hasSuffix("\n") && piped.hasSuffix("\n"))
    guard arguments[0] != "bench" else { return }
    func words(_ text: String) -> [Substring] {
      text.split { $0.isWhitespace }.filter { $0 != "\\" }
    }
    // A table that continues below names its rows once more.
    if arguments[0] == "mutate" {
      #expect(Set(words(narrow)) == Set(words(piped)))
    } else {
      #expect(words(narrow) == words(piped))
    }
  }
}
