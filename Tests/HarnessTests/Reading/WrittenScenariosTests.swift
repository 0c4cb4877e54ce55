import Foundation
import Testing

@testable import Commands
@testable import Scenarios
@testable import Terminal

/// What is written of a scenario says what was read of it: commands make and change values, and write them once.
@Suite struct WrittenScenariosTests {
  private static let files: [URL] =
    (try? ScenarioFinder.files(at: [DocumentationTests.scenarios.path]))?
    .map { URL(fileURLWithPath: $0) } ?? []

  @Test func everyScenarioThatShipsIsTheSameWhenItIsWrittenAndReadAgain() throws {
    #expect(Self.files.count > 200)
    for file in Self.files {
      let source = try SourceFile(contentsOf: file)
      let documents = try SourceNode.yamlDocuments(source)
      let written = documents.map { document in
        (document.map ?? []).map { entry in
          Notation.entry(entry.key.value, Notation(entry.value)).yaml(inFlow: false) + "\n"
        }.joined()
      }.joined(separator: "---\n")
      let copy = SourceFile(path: source.path, text: written)
      let again = try SourceNode.yamlDocuments(copy)
      #expect(again.count == documents.count, "\(file.path)")
      for (document, other) in zip(documents, again) {
        #expect(document.says(theSameAs: other), "\(file.path):\n\(written)")
        #expect(document.quoted.isSubset(of: other.quoted), "\(file.path)")
      }
      let folder = file.deletingLastPathComponent()
      let first = try ScenarioReader.readAll(source, in: folder)
      let second = try ScenarioReader.readAll(copy, in: folder)
      #expect(first.map(\.title.value) == second.map(\.title.value))
      #expect(
        first.map { $0.expectations.map(\.check.keyword) }
          == second.map { $0.expectations.map(\.check.keyword) })
    }
  }

  /// One scenario of several in a file can be reduced by itself.
  @Test func everyScenarioThatShipsCanStandInAFileOfItsOwn() throws {
    for file in Self.files {
      let folder = file.deletingLastPathComponent()
      let scenarios = try ScenarioReader.readAll(
        try SourceFile(contentsOf: file), in: folder)
      for scenario in scenarios {
        let text = try StandaloneScenario(scenario).text()
        let alone = try ScenarioReader.readAll(
          SourceFile(path: file.path, text: text), in: folder)
        #expect(alone.map(\.title.value) == [scenario.title.value], "\(text)")
        #expect(
          alone.first?.expectations.map(\.check.keyword)
            == scenario.expectations.map(\.check.keyword), "\(text)")
      }
    }
  }
}

extension SourceNode {
  /// The texts in quotes, which say that a value isn't one of the language's words.
  fileprivate var quoted: Set<String> {
    switch content {
    case .scalar(let text, let isPlain): isPlain ? [] : [text]
    case .list(let items): items.reduce(into: []) { $0.formUnion($1.quoted) }
    case .map(let entries): entries.reduce(into: []) { $0.formUnion($1.value.quoted) }
    }
  }
}
