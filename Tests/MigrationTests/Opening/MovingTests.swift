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

  @Test func replacingTakesAllFilesAlong() throws {
    for name in ["a.sqlite", "b.sqlite"] { try coordinator.remove(addStore(name)) }
    try coordinator.replacePersistentStore(
      at: place("a.sqlite"), withPersistentStoreFrom: place("b.sqlite"), type: .sqlite)
    #expect(try folder.names() == [".a_SUPPORT", ".b_SUPPORT", "a.sqlite", "b.sqlite"])
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
    #expect(error.code == .fileReadCorruptFile)
    #expect(try Data(contentsOf: place("a.sqlite")) == before)
    #expect(try folder.names() == [".a_SUPPORT", "a.sqlite", "note.txt"])
  }

  @Test func replacingTakesAnOpenStoreOutOfTheCoordinator() throws {
    try coordinator.remove(addStore("b.sqlite"))
    _ = try addStore("a.sqlite")
    try coordinator.replacePersistentStore(
      at: place("a.sqlite"), withPersistentStoreFrom: place("b.sqlite"), type: .sqlite)
    #expect(coordinator.persistentStores.isEmpty)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: place("a.sqlite"))
    #expect(try dump(store) == ["Song(image: 200000 bytes, name: b.sqlite)"])
    try coordinator.remove(store)
  }

  @Test func replacingThroughALinkReplacesTheStoreItself() throws {
    for name in ["a.sqlite", "b.sqlite"] { try coordinator.remove(addStore(name)) }
    try FileManager.default.createSymbolicLink(
      at: place("link.sqlite"), withDestinationURL: place("a.sqlite"))
    try coordinator.replacePersistentStore(
      at: place("link.sqlite"), withPersistentStoreFrom: place("b.sqlite"), type: .sqlite)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: place("a.sqlite"))
    #expect(try dump(store) == ["Song(image: 200000 bytes, name: b.sqlite)"])
    try coordinator.remove(store)
  }

  @Test func onlyStoresAreDestroyedOrReplaced() throws {
    try coordinator.remove(addStore("a.sqlite"))
    try Data("remember the milk".utf8).write(to: place("note.txt"))
    try Data("to do".utf8).write(to: place("note.txt-journal"))
    try #require(mkfifo(place("pipe").path, 0o600) == 0)
    try FileManager.default.createDirectory(at: place("box"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: place("link"), withDestinationURL: place("note.txt"))
    try FileManager.default.createSymbolicLink(
      at: place("linked pipe"), withDestinationURL: place("pipe"))
    let before = try folder.names()
    for name in ["note.txt", "pipe", "box", "link", "linked pipe"] {
      #expect(throws: CoreDataError.self) {
        try coordinator.destroyPersistentStore(at: place(name), type: .sqlite)
      }
      #expect(throws: CoreDataError.self) {
        try coordinator.replacePersistentStore(
          at: place(name), withPersistentStoreFrom: place("a.sqlite"), type: .sqlite)
      }
      #expect(throws: CoreDataError.self) {
        try PersistentStoreFiles(place("a.sqlite")).resolved.copy(
          to: PersistentStoreFiles(place(name)))
      }
    }
    for name in ["pipe", "box"] {
      let files = PersistentStoreFiles(place(name))
      #expect(throws: CoreDataError.self) { try files.remove() }
      #expect(throws: CoreDataError.self) {
        try files.replace(by: PersistentStoreFiles(place("a.sqlite")))
      }
      #expect(throws: CoreDataError.self) {
        try files.move(to: PersistentStoreFiles(place("elsewhere")))
      }
    }
    #expect(try folder.names() == before)
    #expect(try Data(contentsOf: place("note.txt")) == Data("remember the milk".utf8))
  }

  @Test func destroyingWhereNoStoreIsTouchesNoOtherFile() throws {
    try Data("to do".utf8).write(to: place("a.sqlite-wal"))
    try coordinator.destroyPersistentStore(at: place("a.sqlite"), type: .sqlite)
    try Data().write(to: place("empty"))
    try Data("to do".utf8).write(to: place("empty-journal"))
    try coordinator.destroyPersistentStore(at: place("empty"), type: .sqlite)
    #expect(try folder.names() == ["a.sqlite", "a.sqlite-wal", "empty", "empty-journal"])
    #expect(try Data(contentsOf: place("a.sqlite")).isEmpty)
    try coordinator.destroyPersistentStore(at: place("nowhere/a.sqlite"), type: .sqlite)
  }

  @Test func emptyFileIsFilledAndEmptyAgainWhenThatFails() throws {
    let target = place("a.sqlite")
    try Data().write(to: target)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: target.path)
    try coordinator.remove(addStore("a.sqlite"))
    let rights = try FileManager.default.attributesOfItem(atPath: target.path)[.posixPermissions]
    #expect((rights as? NSNumber)?.intValue == 0o640)
    try Data().write(to: place("b.sqlite"))
    let store = try SQLiteStore.create(at: place("b.sqlite"), model: songs)
    try store.discard()
    #expect(try folder.names() == [".a_SUPPORT", "a.sqlite", "b.sqlite"])
    #expect(try Data(contentsOf: place("b.sqlite")).isEmpty)
  }

  /// By way of a link: a mistake must not reach the device.
  @Test func storeAtTheNullDeviceKeepsNothing() throws {
    let null = place("null")
    try FileManager.default.createSymbolicLink(
      at: null, withDestinationURL: URL(fileURLWithPath: "/dev/null"))
    for _ in 1...2 {
      let store = try coordinator.addPersistentStore(type: .sqlite, at: null)
      #expect(store.url == null)
      #expect(try dump(store).isEmpty)
      let context = ManagedObjectContext(coordinator: coordinator)
      context.insert("Song", ["name": "gone", "image": Data(repeating: 1, count: 200_000)])
      try context.save()
      #expect(try dump(store) == ["Song(image: 200000 bytes, name: gone)"])
      try coordinator.remove(store)
    }
    #expect(try folder.names() == ["null"])
  }

  @Test func destroyingLeavesAnEmptyDatabaseAndIsNoErrorWithoutAStore() throws {
    _ = try addStore("a.sqlite")
    try coordinator.destroyPersistentStore(at: place("a.sqlite"), type: .sqlite)
    #expect(coordinator.persistentStores.isEmpty, "the open store is out of use")
    #expect(try folder.names() == ["a.sqlite"])
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite, at: place("a.sqlite"))
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    try coordinator.destroyPersistentStore(at: place("memory"), type: .inMemory)
    #expect(try Data(contentsOf: place("a.sqlite")).isEmpty)
    try coordinator.destroyPersistentStore(at: place("a.sqlite"), ofType: "SQLite")
    try coordinator.destroyPersistentStore(at: place("b.sqlite"), ofType: "SQLite")
    #expect(try folder.names() == ["a.sqlite", "b.sqlite"])
    // A new store takes the place of the empty database.
    try coordinator.remove(addStore("a.sqlite"))
  }

  @Test func movedStoreIsUsedFromThenOnAndKeepsItsIdentifiers() throws {
    let store = try addStore("a.sqlite")
    let new = try coordinator.migratePersistentStore(
      store, to: place("b.sqlite"), type: .sqlite)
    #expect(new.url == place("b.sqlite"))
    #expect(new.identifier == store.identifier)
    #expect(coordinator.persistentStores.map(\.url) == [place("b.sqlite")])
    #expect(try dump(new) == ["Song(image: 200000 bytes, name: a.sqlite)"])
    #expect(try folder.names().contains("a.sqlite"))
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
