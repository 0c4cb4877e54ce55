import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stores on disk, as the command opens them.
@Suite struct DiffSessionTests {
  private func compare(
    _ a: URL, _ b: URL, models: [String] = [], identity: [String] = []
  ) throws -> StoreDifferences {
    try DiffSession(
      stores: Both(a.path, b.path), models: models, identity: identity, options: .init()
    ).compare()
  }

  @Test func whatWaitsInALogCountsAndNothingIsWritten() throws {
    let stores = try LibraryStores()
    let plain = try stores.store("v1")
    let left = try stores.storeWithJournal("v1")
    let before = try stores.files()
    #expect(before["left.sqlite-wal"]?.isEmpty == false)
    #expect(try compare(plain, left).isEmpty)
    #expect(try stores.files() == before)
  }

  @Test func versionsOfOneModelAreCompared() throws {
    let stores = try LibraryStores()
    let found = try compare(try stores.store("v1"), try stores.store("v3"))
    #expect(found.isEmpty)
    #expect(found.plainText.contains("only B has entities without objects: Shelf\n"))
    #expect(found.plainText.contains("only B has Book.pages (set in 2), shelf\n"))
  }

  @Test(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
  func storesWithoutModelCacheNeedTheirModel() throws {
    let folder = try TemporaryFolder()
    let original = try Corpus.url("bookmigration/Model1.sqlite")
    let copy = folder.url.appending(path: "copy.sqlite")
    try FileManager.default.copyItem(at: original, to: copy)
    let models = try Corpus.url("bookmigration/Model.xcdatamodeld").path
    let found = try compare(original, copy, models: [models])
    #expect(found.isEmpty)
    #expect(found.stores.a.versions == ["Model1"])
    let error = #expect(throws: Diagnostics.self) { try compare(original, copy) }
    #expect(error?.description.hasSuffix("no model cache; give its model with --models") == true)
    let others = try Corpus.url("wire/ZMEventModel.xcdatamodeld").path
    let other = #expect(throws: Diagnostics.self) { try compare(original, copy, models: [others]) }
    #expect(
      other?.description.hasSuffix(
        "no model cache, and no version in ZMEventModel has its version hashes") == true)
  }
}
