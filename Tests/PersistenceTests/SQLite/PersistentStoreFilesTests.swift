import TestSupport
import Testing

@testable import Persistence

@Suite("The files of a store")
struct PersistentStoreFilesTests {
  let folder: TemporaryFolder
  let model: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    model = try StoreShape.external.model()
  }

  private func files(_ name: String) -> PersistentStoreFiles {
    PersistentStoreFiles(folder.url.appending(path: "\(name).sqlite"))
  }

  private func file(_ name: String) -> URL { folder.url.appending(path: name) }

  /// A store with one picture, large enough for a file of its own.
  @discardableResult
  private func make(_ name: String, photo: UInt8, at url: URL? = nil) throws -> SQLiteStore {
    let store = try SQLiteStore.create(at: url ?? files(name).url, model: model)
    var writing = StoreWriting(store)
    try writing.insert(
      "Picture",
      ["name": .string(name), "photo": .data(Data(repeating: photo, count: 150_000))])
    try writing.save()
    return store
  }

  private func content(_ name: String) throws -> [Value] { try content(of: files(name).url) }

  private func content(of url: URL) throws -> [Value] {
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    let row = try #require(try store.rows("Picture").first)
    guard case .data(let photo) = row.value("photo") else { return [row.value("name")] }
    return [row.value("name"), .data(photo.prefix(1))]
  }

  @Test func copyTakesEverything() throws {
    let store = try make("a", photo: 1)
    try files("a").copy(to: files("b"))
    try store.discard()
    #expect(try contents(of: folder.url) == [".b_SUPPORT", "b.sqlite", "b.sqlite-wal"])
    #expect(try content("b") == [.string("a"), .data(Data([1]))])
  }

  /// The copy of a link is no link, and that of a file for reading only can be written to.
  @Test func aCopyIsAFileOfItsOwn() throws {
    try make("a", photo: 1).close()
    let external = try #require(files("a").externalFiles().first)
    let manager = FileManager.default
    for path in [files("a").url.path, external.path] {
      try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    }
    try manager.createSymbolicLink(at: files("link").url, withDestinationURL: files("a").url)
    let before = try Data(contentsOf: files("a").url)
    try files("link").copy(to: files("b"))
    for url in [files("b").url, try #require(files("b").externalFiles().first)] {
      let attributes = try manager.attributesOfItem(atPath: url.path)
      #expect(attributes[.type] as? FileAttributeType == .typeRegular)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o644)
    }
    let copy = try SQLiteStore.open(at: files("b").url, model: model)
    try copy.database.execute("UPDATE ZPICTURE SET ZNAME = 'changed'")
    try copy.checkpointAndClose()
    #expect(try content("b") == [.string("changed"), .data(Data([1]))])
    #expect(try content("link") == [.string("a"), .data(Data([1]))])
    #expect(try Data(contentsOf: files("a").url) == before)
  }

  @Test func moveTakesEverything() throws {
    try make("a", photo: 1).close()
    try files("a").move(to: files("b"))
    #expect(try contents(of: folder.url) == [".b_SUPPORT", "b.sqlite"])
    #expect(try content("b") == [.string("a"), .data(Data([1]))])
  }

  /// Two stores whose names differ in the extension only have one folder of large values.
  @Test func moveLeavesAnotherStoreItsLargeValues() throws {
    let (other, taken, free) = (file("a.db"), file("b.db"), file("c.db"))
    try make("a", photo: 1).close()
    try make("other", photo: 2, at: other).close()
    try files("a").move(to: files("b"))
    #expect(try contents(of: folder.url) == [".a_SUPPORT", ".b_SUPPORT", "a.db", "b.sqlite"])
    // The place of the folder is taken.
    let error = #expect(throws: CoreDataError.self) {
      try PersistentStoreFiles(other).move(to: PersistentStoreFiles(taken))
    }
    #expect(error?.place.file == taken.path)
    #expect(try contents(of: folder.url) == [".a_SUPPORT", ".b_SUPPORT", "a.db", "b.sqlite"])
    // Nobody else has it any more.
    try PersistentStoreFiles(other).move(to: PersistentStoreFiles(free))
    #expect(try contents(of: folder.url) == [".b_SUPPORT", ".c_SUPPORT", "b.sqlite", "c.db"])
    #expect(try content("b") == [.string("a"), .data(Data([1]))])
    #expect(try content(of: free) == [.string("other"), .data(Data([2]))])
  }

  @Test(arguments: ["copy", "move"])
  func aTakenPlaceIsRefusedAndNothingChanges(_ way: String) throws {
    try make("a", photo: 1).close()
    try make("b", photo: 2).close()
    let before = try contents(of: folder.url)
    let error = #expect(throws: CoreDataError.self) {
      if way == "copy" {
        try files("a").copy(to: files("b"))
      } else {
        try files("a").move(to: files("b"))
      }
    }
    #expect(error?.place.file == files("b").url.path)
    #expect(try contents(of: folder.url) == before)
    #expect(try content("b") == [.string("b"), .data(Data([2]))])
  }

  @Test func removeTakesEverythingAndMissingFilesAreNoError() throws {
    let store = try make("a", photo: 1)
    try files("a").remove()
    #expect(try contents(of: folder.url) == [])
    try files("a").remove()
    store.database.close()
  }

  @Test func replaceLeavesOnlyTheNewStore() throws {
    try make("a", photo: 1).close()
    try make("new", photo: 2).close()
    try files("a").replace(by: files("new"))
    #expect(try contents(of: folder.url) == [".a_SUPPORT", "a.sqlite"])
    #expect(try contents(of: files("a").externalDataFolderURL).count == 1)
    #expect(try content("a") == [.string("new"), .data(Data([2]))])
  }

  @Test func replaceMergesLogsThatWereLeftBehind() throws {
    // Copies of stores in use, as a crash leaves them.
    let (old, new) = (try make("inUse", photo: 1), try make("alsoInUse", photo: 2))
    try files("inUse").copy(to: files("a"))
    try files("alsoInUse").copy(to: files("new"))
    try old.discard()
    try new.discard()
    try files("a").replace(by: files("new"))
    #expect(try contents(of: folder.url) == [".a_SUPPORT", "a.sqlite"])
    #expect(try content("a") == [.string("alsoInUse"), .data(Data([2]))])
  }

  @Test func replaceMayFindNothingToReplace() throws {
    try make("new", photo: 2).close()
    try files("a").replace(by: files("new"))
    #expect(try content("a") == [.string("new"), .data(Data([2]))])
    #expect(try contents(of: folder.url) == [".a_SUPPORT", "a.sqlite"])
  }

  @Test func replaceIgnoresJournalsWithoutADatabase() throws {
    try make("a", photo: 1).close()
    let inUse = try make("inUse", photo: 3)
    try FileManager.default.copyItem(at: files("inUse").walURL, to: files("gone").walURL)
    try Data("junk".utf8).write(to: files("gone").journalURL)
    try inUse.discard()
    try files("gone").replace(by: files("a"))
    #expect(try contents(of: folder.url) == [".gone_SUPPORT", "gone.sqlite"])
    #expect(try content("gone") == [.string("a"), .data(Data([1]))])
  }

  @Test func replaceByNothingKeepsTheOldStore() throws {
    try make("a", photo: 1).close()
    let error = #expect(throws: CoreDataError.self) {
      try files("a").replace(by: files("missing"))
    }
    #expect(error?.code == .persistentStoreOperation)
    #expect(try content("a") == [.string("a"), .data(Data([1]))])
  }
}
