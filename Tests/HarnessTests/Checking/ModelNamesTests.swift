import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Models that share a name, as a rebuilt model easily does with the old one.
@Suite struct ModelNamesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (place, entity) in [("Legacy", "OldSong"), ("Modern", "Song")] {
      try folder.write(
        #"<model><entity name="\#(entity)"/></model>"#,
        to: "\(place)/SongBook.xcdatamodeld/SongBook.xcdatamodel/contents")
    }
  }

  private func load(_ models: String) throws -> CheckedScenario {
    let text = "scenario: s\nmodels: \(models)\n"
    let file = SourceFile(path: "test.scenario.yaml", text: text)
    return try .check(ScenarioReader.read(file, in: folder.url))
  }

  @Test func twoModelsOfOneNameAreAmbiguous() throws {
    let paths = "[Legacy/SongBook.xcdatamodeld, Modern/SongBook.xcdatamodeld]"
    let error = try #require(throws: Diagnostics.self) { try self.load(paths) }
    #expect(
      error.all.map(\.message) == [
        "two models have a version 'SongBook'; rename one, or give both names of your own, as in "
          + "'models: { old: Path.xcdatamodeld, new: … }'"
      ])
    #expect(error.all.first?.place?.line == 2)
    #expect(throws: Diagnostics.self) {
      try self.load("{ xcode: \(paths), versions: [SongBook] }")
    }
  }

  /// Else the value would be lost by a slip of the pen, and nothing would say so.
  @Test(
    arguments: [
      (
        "Song: { name: string? was titel }",
        "2:89: no version has 'titel'; did you mean 'title'?"
      ),
      ("Song: { name: 'string = \"was titel\" was other' }", ""),
      (
        "Tune: { .was: Sonk, title: string? }",
        "no version has 'Sonk'; did you mean 'Song'?"
      ),
      ("Song: { songs: \"[Song] was titles\" }", "no version has 'titles'; did you mean 'title'?"),
      ("Song: { name: string? was title }", ""),
      ("Tune: { .was: Song, name: string? was title }", ""),
      // What the first version says of an older one goes on.
      ("Song: { title: string? was heading, line: string? was heading }", ""),
    ])
  func aFormerNameIsThatOfSomething(_ entity: String, _ problem: String) throws {
    let models = "{ v1: { Song: { title: string? was heading } }, v2: { \(entity) } }"
    var found: [String] = []
    do { _ = try load(models) } catch let error as Diagnostics {
      found = error.all.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0): \($0.message)" }
    }
    #expect(found.count == (problem.isEmpty ? 0 : 1), "\(found)")
    #expect(found.first?.contains(problem) ?? true, "\(found)")
  }

  @Test func renamedModelsWork() throws {
    let named = try load(
      "{ old: Legacy/SongBook.xcdatamodeld, new: Modern/SongBook.xcdatamodeld }")
    #expect(named.models.names == ["old", "new"])
    #expect(named.models["new"]?.entities.map(\.name) == ["Song"])
    for part in ["", "/ModernBook.xcdatamodel"] {
      let old =
        part.isEmpty ? "SongBook.xcdatamodeld" : "ModernBook.xcdatamodeld/SongBook.xcdatamodel"
      let new = part.isEmpty ? "ModernBook.xcdatamodeld" : "ModernBook.xcdatamodeld\(part)"
      try FileManager.default.moveItem(
        at: folder.url.appending(path: "Modern/\(old)"),
        to: folder.url.appending(path: "Modern/\(new)"))
    }
    let renamed = try load("[Legacy/SongBook.xcdatamodeld, Modern/ModernBook.xcdatamodeld]")
    #expect(renamed.models.names == ["SongBook", "ModernBook"])
  }
}
