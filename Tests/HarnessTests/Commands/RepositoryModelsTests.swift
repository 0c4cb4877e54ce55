import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite struct RepositoryModelsTests {
  private func models(_ paths: [String]) throws -> RepositoryModels {
    let folder = try TemporaryFolder()
    for path in paths {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: path), withIntermediateDirectories: true)
    }
    return try RepositoryModels(below: folder.url)
  }

  @Test func modelsOfOneNameAreKeptApartByAsManyFoldersAsItTakes() throws {
    let models = try models([
      "App/Songs.xcdatamodeld", "Chapter 1/Moody/Moody.xcdatamodeld",
      "Chapter 2/Moody/Moody.xcdatamodeld",
      "Migrations/Moody.xcdatamodeld",
    ])
    #expect(
      models.folderNames().values.sorted()
        == ["Chapter 1-Moody-Moody", "Chapter 2-Moody-Moody", "Migrations-Moody", "Songs"])
  }

  @Test func aLinkToAModelIsNoOtherModel() throws {
    let folder = try TemporaryFolder()
    let (model, link) = (
      folder.url.appending(path: "B.xcdatamodeld"), folder.url.appending(path: "A.xcdatamodeld")
    )
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "B.xcdatamodeld")
    let models = try RepositoryModels(below: folder.url)
    #expect(models.models.map(\.lastPathComponent) == ["B.xcdatamodeld"])
  }

  @Test func foldersOfSamplesAndTestsAreKnownByWholeWords() throws {
    let models = try models([
      "Latest/A.xcdatamodeld", "Democracy/B.xcdatamodeld", "Sample-Project/C.xcdatamodeld",
      "DemoApp/D.xcdatamodeld", "examples/E.xcdatamodeld", "SongTests/F.xcdatamodeld",
    ])
    #expect(
      models.models.map(\.lastPathComponent).sorted() == ["A.xcdatamodeld", "B.xcdatamodeld"])
  }
}
