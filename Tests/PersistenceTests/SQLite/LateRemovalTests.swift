import Foundation
import TestSupport
import Testing

@testable import Persistence

/// What a migration couldn't remove is removed by whoever opens the store next.
@Suite("What is removed later") struct LateRemovalTests: StoreSuite {
  let place: StorePlace
  let model: ManagedObjectModel

  init() throws {
    place = try StorePlace(named: "Album.sqlite")
    model = try StoreShape.external.model()
  }

  private var files: PersistentStoreFiles { PersistentStoreFiles(url) }

  private func make(at url: URL) throws {
    let store = try SQLiteStore.create(at: url, model: model)
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["photo": .data(Data(repeating: 1, count: 150_000))])
    try writing.save()
    try store.close()
  }

  /// Replaces a store by another, and lets some removals fail.
  private func replace(failing fails: @escaping @Sendable (URL) -> Bool) throws {
    try make(at: url)
    let new = try files.makeTemporaryNeighbour()
    try make(at: new.url)
    try FileCalls.$fault.withValue(
      { if case .remove(let url) = $0, fails(url) { EIO } else { nil } },
      operation: { try files.replace(by: new) })
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test func aLargeValueThatCouldNotBeRemovedIsRemovedLater() throws {
    try replace { $0.path.contains("_EXTERNAL_DATA/") }
    #expect(try files.externalFiles().count == 2)
    #expect(try names().contains { $0.hasSuffix("-lock") })
    files.removeLeftovers()
    #expect(try files.externalFiles().count == 1)
    #expect(try names() == [".Album_SUPPORT", "Album.sqlite"])
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    #expect(
      try store.rows("Picture").first?.value("photo") == .data(Data(repeating: 1, count: 150_000)))
  }

  /// Two stores of one name have one folder of large values: neither takes those of the other away.
  @Test func aStoreOfTheSameNameKeepsItsLargeValues() throws {
    let other = url.deletingPathExtension().appendingPathExtension("db")
    try make(at: other)
    func requirePhoto() throws {
      let store = try SQLiteStore.openReadOnly(at: other, model: model)
      defer { try? store.close() }
      #expect(
        try store.rows("Picture").first?.value("photo") == .data(Data(repeating: 1, count: 150_000))
      )
      #expect(store.findings == [])
    }
    // Where nothing was before, and where there was a store.
    for _ in 0..<2 {
      let new = try files.makeTemporaryNeighbour()
      try make(at: new.url)
      try files.replace(by: new)
      try requirePhoto()
    }
    try files.destroy()
    try requirePhoto()
    try files.remove()
    try requirePhoto()
    try PersistentStoreFiles(other).remove()
    #expect(try names() == [])
  }

  @Test func aFolderThatCouldNotBeRemovedIsRemovedLater() throws {
    try replace { $0.lastPathComponent.hasPrefix("..Album") }
    #expect(try names().count == 4)
    files.removeLeftovers()
    #expect(try names() == [".Album_SUPPORT", "Album.sqlite"])
  }

  @Test func aLockIsKeptAsLongAsWhatItSaysIsNotDone() throws {
    let isLarge: @Sendable (URL) -> Bool = { $0.path.contains("_EXTERNAL_DATA/") }
    try replace(failing: isLarge)
    FileCalls.$fault.withValue(
      { if case .remove(let url) = $0, isLarge(url) { EIO } else { nil } },
      operation: { files.removeLeftovers() })
    #expect(try names().contains { $0.hasSuffix("-lock") })
    files.removeLeftovers()
    #expect(try files.externalFiles().count == 1)
  }

  /// All was done but that: no migration comes to the place any more.
  @Test func openingAStoreRemovesTheLockOfADeadMigration() throws {
    try make(at: url)
    try folder.write("", to: ".Album.sqlite.migrationdestination_0123ABCD-lock")
    try SQLiteStore.open(at: url, model: model).close()
    #expect(try names() == [".Album_SUPPORT", "Album.sqlite"])
  }

  @Test func errorsAfterTheRenameSayThatTheNewStoreIsThere() throws {
    let error = #expect(throws: CoreDataError.self) {
      try files.whenInPlace { throw POSIXError(.EIO) }
    }
    #expect(error.map(PersistentStoreFiles.isAboutNewStoreInPlace) == true)
    let deeper = CoreDataError(.migration, "It failed").with(value: nil, underlying: error)
    #expect(PersistentStoreFiles.isAboutNewStoreInPlace(deeper))
    #expect(!PersistentStoreFiles.isAboutNewStoreInPlace(POSIXError(.EIO)))
  }
}
