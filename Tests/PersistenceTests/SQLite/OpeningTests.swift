import TestSupport
import Testing

@testable import Persistence

@Suite("Opening an SQLite store")
struct OpeningTests: StoreSuite {
  let place: StorePlace
  let model: ManagedObjectModel

  init() throws {
    place = try StorePlace(named: "a store?#%.sqlite")
    model = try StoreShape.library.model()
  }

  /// Everything in a folder: names with content and time of change.
  private func snapshot(_ folder: URL) throws -> [String: String] {
    let names = try contents(of: folder)
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let file = folder.appending(path: name)
        let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
        return (name, "\(try Data(contentsOf: file).hashValue) \(date ?? "")")
      })
  }

  @Test func readingLeavesFileAndFolderAsTheyAre() throws {
    let store = try SQLiteStore.create(at: url, model: model)
    try StoreShape.library.fill(store)
    try store.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    let before = try snapshot(folder.url)

    let reading = try SQLiteStore.openReadOnly(at: url, model: model)
    #expect(try reading.rows("Item").count == 8)
    #expect(try contents(of: folder.url) == [url.lastPathComponent], "while open")
    try reading.close()
    _ = try SQLiteStore.metadata(at: url)
    _ = try SQLiteStore.cachedModel(at: url)
    #expect(try snapshot(folder.url) == before)
  }

  @Test func readingSeesWhatWaitsInTheLogAndLeavesItThere() throws {
    let store = try SQLiteStore.create(at: url, model: model)
    try StoreShape.library.fill(store)
    // A copy of the files of a store that is in use: nearly all data is in the log.
    let copy = try TemporaryFolder()
    let copyURL = copy.url.appending(path: "copy.sqlite")
    try PersistentStoreFiles(url).copy(to: PersistentStoreFiles(copyURL))
    let before = try snapshot(copy.url)
    #expect(before.keys.sorted() == ["copy.sqlite", "copy.sqlite-wal"])

    let reading = try SQLiteStore.openReadOnly(at: copyURL, model: model)
    #expect(try reading.rows("Item").count == 8)
    #expect(reading.url == copyURL)
    try reading.close()
    #expect(try SQLiteStore.metadata(at: copyURL)["NSStoreType"] as? String == "SQLite")
    #expect(try snapshot(copy.url) == before)
  }

  @Test func readingFindsLargeValuesOfAStoreWithALog() throws {
    let store = try SQLiteStore.create(at: url, model: try StoreShape.external.model())
    var writing = StoreWriting(store)
    let photo = Data(repeating: 5, count: 150_000)
    try writing.insert("Picture", ["photo": .data(photo)])
    try writing.save()
    #expect(PersistentStoreFiles(url).haveUnmergedJournal)
    let reading = try SQLiteStore.openReadOnly(at: url, model: store.model)
    #expect(try reading.rows("Picture").map { $0.value("photo") } == [.data(photo)])
  }

  @Test func theTemporaryCopyGoesWithTheStore() throws {
    let store = try SQLiteStore.create(at: url, model: model)
    try StoreShape.library.fill(store)
    let temporary = FileManager.default.temporaryDirectory
    let copies = {
      try contents(of: temporary).filter { $0.hasPrefix(TemporaryFiles.folderPrefix) }
    }
    let mine = { (path: String) in
      let file = temporary.appending(path: path).appending(path: "copy.sqlite")
      return (try? SQLiteStore.metadata(at: file)["NSStoreUUID"] as? String) == store.identifier
    }
    do {
      let reading = try SQLiteStore.openReadOnly(at: url, model: model)
      #expect(try reading.rows("Item").count == 8)
      #expect(try copies().filter(mine).count == 1)
    }
    #expect(try copies().filter(mine).isEmpty)
  }

  @Test func aStoreOfAnotherModelIsRefused() throws {
    try SQLiteStore.create(at: url, model: model).close()
    let other = try LibraryModel.make {
      $0["Tag"]?.ownProperties.append(StoreShape.attribute("colour"))
    }
    let error = #expect(throws: CoreDataError.self) {
      try SQLiteStore.open(at: url, model: other)
    }
    #expect(error?.code == .persistentStoreIncompatibleVersionHash)
    #expect(error?.code.rawValue == 134100)
    #expect(
      error?.reason
        == "The model used to open the store is incompatible with the one used to create the store")
    #expect(error?.advice?.hasSuffix("changed: Tag") == true)
    #expect(error?.place.file == url.path)
  }

  @Test func aFileIsNeverOverwritten() throws {
    try Data("precious".utf8).write(to: url)
    let error = #expect(throws: CoreDataError.self) {
      try SQLiteStore.create(at: url, model: model)
    }
    #expect(error?.code == .persistentStoreOpen)
    #expect(try Data(contentsOf: url) == Data("precious".utf8))
  }

  @Test func aMissingFileIsNamed() throws {
    for open in [SQLiteStore.open(at:model:), SQLiteStore.openReadOnly(at:model:)] {
      let error = #expect(throws: CoreDataError.self) { try open(url, model) }
      #expect(error?.code == .fileReadNoSuchFile)
      #expect(error?.reason == "The store doesn't exist")
      #expect(error?.place.file == url.path)
    }
    #expect(try contents(of: folder.url) == [])
  }

  @Test func aFolderIsNoStore() throws {
    let error = #expect(throws: CoreDataError.self) { try SQLiteStore.metadata(at: folder.url) }
    #expect(error?.reason == "The store is a folder")
  }

  @Test func anUnwritableFolderIsNamed() throws {
    let nowhere = folder.url.appending(path: "no/such/folder/store.sqlite")
    let error = #expect(throws: CoreDataError.self) {
      try SQLiteStore.create(at: nowhere, model: model)
    }
    #expect(error?.code == .persistentStoreOpen)
    #expect(error?.advice == "check the path and its permissions")
  }
}

@Suite("The metadata of an SQLite store")
struct StoreMetadataTests: StoreSuite {
  let place: StorePlace
  let model: ManagedObjectModel

  init() throws {
    place = try StorePlace()
    model = try StoreShape.inheritance.model()
  }

  @Test func hasAllOfCoreDatasKeys() throws {
    let store = try SQLiteStore.create(at: url, model: model)
    try store.close()
    let metadata = try SQLiteStore.metadata(at: url)
    #expect(
      metadata.keys.sorted() == [
        "NSPersistenceFrameworkVersion", "NSStoreModelVersionChecksumKey",
        "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest",
        "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers", "NSStoreType",
        "NSStoreUUID", "_NSAutoVacuumLevel",
      ])
    #expect(metadata["NSStoreUUID"] as? String == store.identifier)
    #expect(store.identifier == store.identifier.uppercased())
    #expect(
      metadata["NSStoreModelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
    #expect(metadata["NSStoreModelVersionHashesDigest"] as? String == model.versionHashesDigest)
    #expect(metadata["NSStoreModelVersionChecksumKey"] as? String == model.versionChecksum)
    #expect(metadata["NSStoreModelVersionIdentifiers"] as? [String] == ["1.0"])
    #expect(metadata["NSPersistenceFrameworkVersion"] as? Int == 1344)
    #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
  }

  @Test func keepsWhatAnAppPutThere() throws {
    let token = Data([1, 2, 3])
    let store = try SQLiteStore.create(
      at: url, model: model, identifier: "6F4E1E6D-6F0B-4C6E-9C4E-0D2C7A3B5E11",
      metadata: ["token": token, "NSStoreType": "XML", "NSStoreModelVersionHashesVersion": 1])
    #expect(store.metadata["token"] as? Data == token)
    #expect(store.metadata["NSStoreType"] as? String == "SQLite")
    store.metadata = ["count": 3, "NSStoreModelVersionHashes": ["Stranger": Data()]]
    try store.save(SaveRequest())
    try store.close()

    let metadata = try SQLiteStore.metadata(at: url)
    #expect(metadata["NSStoreUUID"] as? String == "6F4E1E6D-6F0B-4C6E-9C4E-0D2C7A3B5E11")
    #expect(metadata["token"] == nil)
    #expect(metadata["count"] as? Int == 3)
    #expect(
      metadata["NSStoreModelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
  }

  @Test func whatIsNoPropertyListIsRefused() throws {
    let store = try SQLiteStore.create(at: url, model: model)
    store.metadata = ["object": model]
    let error = #expect(throws: CoreDataError.self) { try store.save(SaveRequest()) }
    #expect(error?.code == .persistentStoreSave)
  }

  @Test func theModelIsKeptInTheStore() throws {
    try SQLiteStore.create(at: url, model: model).close()
    let cached = try #require(try SQLiteStore.cachedModel(at: url))
    #expect(cached.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(try SQLiteStore.openReadOnly(at: url, model: cached).rows("Message").isEmpty)
  }
}
