import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// An app's stack as its test-suite uses it: a model built in code, a container, subclasses of
/// NSManagedObject, background contexts and notifications. Compiled unchanged, run in memory and on
/// real files.
@Suite(.tags(.compiles), .tiered)
struct CoreDataStackTests {
  private static let app = Task { try await AppCode.library("Stack", module: "Music") }
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum Place: CaseIterable { case memory, file }

  private func run(_ test: String, _ place: Place) async throws -> String {
    let store = place == .memory ? "-" : folder.url.appending(path: "Music.sqlite").path
    return try await Self.app.value.call("run:", of: "Music.AppTests", "\(test) \(store)")
  }

  @Test(arguments: Place.allCases)
  func objectsOfTheAppsClassesAreInsertedAndLinked(_ place: Place) async throws {
    #expect(try await run("insert", place) == "2 songs, saved")
  }

  @Test func aStoreIsThereAtTheNextStart() async throws {
    _ = try await run("insert", .file)
    #expect(
      try await run("reopen", .file)
        == "3: Polka 95 - 0.0, Tango 180 Best of 0.0, Waltz 180 Best of 0.0")
  }

  @Test(arguments: Place.allCases)
  func aSaveIsMergedByItsNotification(_ place: Place) async throws {
    #expect(try await run("merge", place) == "300 seconds, told 11, 4 songs")
  }

  @Test func uniquenessIsSettledByTheMergePolicy() async throws {
    #expect(try await run("constraint", .file) == "133021, then 1 album")
  }

  @Test func aStoreInMemoryKeepsNoUniqueness() async throws {
    #expect(try await run("constraint", .memory) == "2 album, then 3 album")
  }

  @Test(arguments: Place.allCases)
  func validationHasApplesCodesAndTheAppsOwn(_ place: Place) async throws {
    #expect(try await run("validation", place) == "1570 title, 1550, none left")
  }

  @Test(arguments: Place.allCases)
  func deleteRulesOfTheModelHold(_ place: Place) async throws {
    #expect(try await run("cascade", place) == "1: Polka 95 - 0.0")
  }

  /// The version of a model built in code is that of the same model in short notation.
  @Test func theStoreHasTheModelsHashes() async throws {
    _ = try await run("insert", .file)
    let album = EntityDescription(
      "Album",
      try [("name", "string"), ("songs", "[Song] <-> album cascade")].map {
        try ModelNotation.property(named: $0.0, $0.1)
      })
    album.uniquenessConstraints = [["name"]]
    let song = EntityDescription(
      "Song",
      try [
        ("title", "string"), ("seconds", "int32 = 180"), ("added", "date?"),
        ("album", "Album? <-> songs"),
      ].map { try ModelNotation.property(named: $0.0, $0.1) })
    let model = try ManagedObjectModel(entities: [album, song])
    let metadata = try SQLiteStore.metadata(at: folder.url.appending(path: "Music.sqlite"))
    #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }
}
