import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Scenarios that start from stores on disk, real ones among them.
@Suite struct StoreScenarioTests {
  /// A scenario in a folder of its own.
  private func scenario(_ text: String, in folder: URL) throws -> CheckedScenario {
    let file = SourceFile(path: "test.scenario.yaml", text: text)
    return try CheckedScenario.check(ScenarioReader.read(file, in: folder))
  }

  private func failures(_ text: String, in folder: URL) throws -> [[String]] {
    let scenario = try scenario(text, in: folder)
    return scenario.starts.flatMap {
      ScenarioSuite().run(scenario, from: $0, with: PolicyRegistry()).map {
        $0.failures.map(\.line)
      }
    }
  }

  @Test func aStoreOnDiskIsCopiedAndMigrated() throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel.notated(["Book": ["title": "string"]])
    let url = folder.url.appending(path: "books.sqlite")
    let store = try SQLiteStore.create(at: url, model: model)
    let context = try ManagedObjectContext(readingFrom: store)
    for title in ["One", "Two"] {
      let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue(title, forKey: "title")
    }
    try context.save()
    try store.close()
    let before = try Data(contentsOf: url)
    let lines = try failures(
      """
      scenario: s
      models:
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16 = 7 } }
      store: books.sqlite
      chain: [v1 -> v2]
      expect:
        - count: { Book: 2 }
        - all: Book where pages == 7
        - object: Book where title == "One"
          has: { pages: 7 }
        - dropped: []
      """, in: folder.url)
    #expect(lines == [[], []])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
  func storesFromTheFieldEndAlikeOnBothBackends() throws {
    let corpus = try Corpus.url("wire").path
    let lines = try failures(
      """
      scenario: Ninety versions at once
      models:
        xcode: \(corpus)/zmessaging.xcdatamodeld
        versions: [zmessaging2.57.0, zmessaging2.98.0]
      store: \(corpus)/stores/2-57-0.sqlite
      chain: [zmessaging2.57.0 -> zmessaging2.98.0]
      expect:
        - mapping: inferred
        - count: { User: 22 }
        - dropped: []
      """, in: URL(fileURLWithPath: corpus))
    #expect(lines == [[], []])
  }

  @Test(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
  func mappingFilesFromXcodeServeAStep() throws {
    let corpus = try Corpus.url("posts").path
    let version = "CoreDataMigration_Example"
    let lines = try failures(
      """
      scenario: The policy of a mapping file is nowhere to be found
      models: \(corpus)/\(version).xcdatamodeld
      store: \(corpus)/stores/\(version)_2.sqlite
      start: \(version) 2
      chain:
        - \(version) 2 -> \(version) 3: \(corpus)/Migration2to3ModelMapping.xcmappingmodel
      expect:
        - mapping: custom
        - fails: { code: 134110, message: Couldn't create mapping policy for class named }
        - source: untouched
      """, in: URL(fileURLWithPath: corpus))
    #expect(lines == [[], []])
  }
}
