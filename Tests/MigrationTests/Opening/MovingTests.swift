import Migration
import TestSupport
import Testing

/// Stores that are replaced, removed and moved.
@Suite struct MovingTests {
  private let songs: ManagedObjectModel
  private let folder: TemporaryFolder
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    let image = attribute("image", .binaryData)
    image.allowsExternalBinaryDataStorage = true
    songs = try model("v1", entity("Song", attribute("name"), image))
    folder = try TemporaryFolder()
    coordinator = PersistentStoreCoordinator(managedObjectModel: songs)
  }

  private func place(_ name: String) -> URL { folder.url.appending(path: name) }

  private func addStore(_ name: String) throws -> PersistentStore {
    let store = try coordinator.addPersistentStore(type: .sqlite, at: place(name))
    let context = ManagedObjectContext(coordinator: coordinator)
    context.insert("Song", ["name": name, "image": Data(repeating: 1, count: 200_000)])
    try context.save()
    return store
  }

  private var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }
  }

  @Test func replacingTakesAllFilesAlong() throws {
    for name in ["a.sqlite", "b.sqlite"] { try coordinator.remove(addStore(name)) }
    try coordinator.replacePersistentStore(
      at: place("a.sqlite"), withPersistentStoreFrom: place("b.sqlite"), type: .sqlite)
    #expect(try names == [".a_SUPPORT", ".b_SUPPORT", "a.sqlite", "b.sqlite"])
    let store = try coordinator.addPersistentStore(type: .sqlite, at: place("a.sqlite"))
    #expect(try dump(store) == ["Song(image: 200000 bytes, name: b.sqlite)"])
    try coordinator.remove(store)
  }

  @Test func replacingByWhatIsNoStoreChangesNothing() throws {
    try coordinator.remove(addStore("a.sqlite"))
    let before = try Data(contentsOf: place("a.sqlite"))
    try Data("milk".utf8).write(to: place("note.txt"))
    let error = try #require(throws: CoreDataError.self) {
      try coordinator.replacePersistentStore(
        at: place("a.sqlite"), withPersistentStoreFrom: place("note.txt"), type: .sqlite)
    }
    #expect(error.code == .persistentStoreOpen)
    #expect(try Data(contentsOf: place("a.sqlite")) == before)
    #expect(try names == [".a_SUPPORT", "a.sqlite", "note.txt"])
  }

  @Test func destroyingLeavesNothingAndIsNoErrorWithoutAStore() throws {
    let store = try addStore("a.sqlite")
    #expect(throws: CoreDataError.self) {
      try coordinator.destroyPersistentStore(at: place("a.sqlite"), type: .sqlite)
    }
    try coordinator.remove(store)
    try coordinator.destroyPersistentStore(at: place("a.sqlite"), type: .sqlite)
    #expect(try names.isEmpty)
    try coordinator.destroyPersistentStore(at: place("a.sqlite"), ofType: "SQLite")
  }

  @Test func movedStoreIsUsedFromThenOnAndKeepsItsIdentifiers() throws {
    let store = try addStore("a.sqlite")
    let new = try coordinator.migratePersistentStore(
      store, to: place("b.sqlite"), type: .sqlite)
    #expect(new.url == place("b.sqlite"))
    #expect(new.identifier == store.identifier)
    #expect(coordinator.persistentStores.map(\.url) == [place("b.sqlite")])
    #expect(try dump(new) == ["Song(image: 200000 bytes, name: a.sqlite)"])
    #expect(try names.contains("a.sqlite"))
    try coordinator.remove(new)
  }

  @Test func storeInMemoryBecomesAFile() throws {
    let memory = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    let context = ManagedObjectContext(coordinator: coordinator)
    context.insert("Song", ["name": "kept"])
    try context.save()
    let file = try coordinator.migratePersistentStore(
      memory, to: place("kept.sqlite"), type: .sqlite)
    #expect(try dump(file) == ["Song(image: nil, name: kept)"])
    try coordinator.remove(file)
  }
}
