import Migration
import TestSupport
import Testing

/// What chains do with files.
@Suite struct SQLiteChainTests: StoreSuite {
  let place: StorePlace
  private let old, new: ManagedObjectModel

  init() throws {
    place = try StorePlace(named: "App.sqlite")
    old = try model("v1", entity("Photo", attribute("name"), Self.image()))
    new = try model("v2", entity("Photo", attribute("name"), Self.image(), attribute("x")))
  }

  private static func image() -> AttributeDescription {
    let image = attribute("image", .binaryData)
    image.allowsExternalBinaryDataStorage = true
    return image
  }

  private func makeStore(at url: URL) throws {
    let store = try SQLiteStore.create(at: url, model: old, metadata: ["owner": "ann"])
    let context = ManagedObjectContext(on: store)
    context.insert("Photo", ["name": "large", "image": Data(repeating: 7, count: 300_000)])
    context.insert("Photo", ["name": "small", "image": Data([1, 2, 3])])
    try context.save()
    try store.close()
  }

  private func run(to destination: URL) throws -> (store: PersistentStore?, report: ChainReport) {
    let source = try SQLiteStore.openReadOnly(at: url, model: old)
    defer { try? source.close() }
    return MigrationChain(steps: [MigrationStep(from: old, to: new)])
      .run(from: source, into: SQLiteStoreFactory(destination: destination))
  }

  private func images(_ store: PersistentStore) throws -> [String: Int] {
    let photos = try ManagedObjectContext(on: store)
      .fetch(FetchRequest<ManagedObject>(entityName: "Photo"))
    return Dictionary(
      uniqueKeysWithValues: photos.map { photo in
        (
          photo.value(forKey: "name") as? String ?? "",
          (photo.value(forKey: "image") as? Data)?.count ?? 0
        )
      })
  }

  @Test func storeIsReplacedWhereItIs() throws {
    try makeStore(at: url)
    let identifier = try SQLiteStore.metadata(at: url)["NSStoreUUID"] as? String
    let store = try #require(try run(to: url).store)
    #expect(store.url == url)
    #expect(store.identifier == identifier)
    #expect(store.metadata["owner"] as? String == "ann")
    #expect(try images(store) == ["large": 300_000, "small": 3])
    try store.close()
    #expect(try folder.names() == [".App_SUPPORT", "App.sqlite"])
    let large = PersistentStoreFiles(url).externalDataFolderURL
    #expect(try FileManager.default.contentsOfDirectory(atPath: large.path).count == 1)
  }

  @Test func resultAtItsOwnPlaceLeavesTheSourceByteForByte() throws {
    try makeStore(at: url)
    let before = try Data(contentsOf: url)
    let destination = folder.url.appending(path: "Modern.sqlite")
    let store = try #require(try run(to: destination).store)
    #expect(try images(store) == ["large": 300_000, "small": 3])
    try store.close()
    #expect(try Data(contentsOf: url) == before)
    #expect(
      try folder.names() == [".App_SUPPORT", ".Modern_SUPPORT", "App.sqlite", "Modern.sqlite"])
  }

  @Test func fileThatIsNoStoreIsNotReplaced() throws {
    try makeStore(at: url)
    let notes = try folder.write("remember the milk", to: "Notes.txt")
    let (store, report) = try run(to: notes)
    #expect(store == nil)
    #expect(report.failure != nil)
    #expect(try String(contentsOf: notes, encoding: .utf8) == "remember the milk")
    #expect(try folder.names() == [".App_SUPPORT", "App.sqlite", "Notes.txt"])
  }

  @Test func managerMigratesByURLs() throws {
    try makeStore(at: url)
    let destination = folder.url.appending(path: "Result.sqlite")
    let mapping = try MappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    let manager = MigrationManager(sourceModel: old, destinationModel: new)
    for count in [2, 4] {
      try manager.migrateStore(
        from: url, sourceType: "SQLite", with: mapping, toDestinationURL: destination,
        destinationType: "SQLite")
      let store = try SQLiteStore.openReadOnly(at: destination, model: new)
      #expect(try dump(store).count == count)
      try store.close()
    }
  }

  /// Only an inferred mapping may have one place for both, since Core Data itself runs it inside the store.
  @Test(arguments: [true, false])
  func managerNeverWritesToItsSource(isInferred: Bool) throws {
    try makeStore(at: url)
    let before = try Data(contentsOf: url)
    let mapping = try MappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    let manager = MigrationManager(sourceModel: old, destinationModel: new)
    if isInferred {
      manager.usesStoreSpecificMigrationManager = false
    } else {
      mapping.entityMappings[0].name = "SongToSong"
    }
    let error = try #require(throws: CoreDataError.self) {
      try manager.migrateStore(
        from: url, sourceType: "SQLite", with: mapping, toDestinationURL: url,
        destinationType: "SQLite")
    }
    #expect(error.code == .migrationManagerDestinationStore)
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func managerRefusesWhatItCannotMigrate() throws {
    let manager = MigrationManager(sourceModel: old, destinationModel: new)
    func code(_ type: String, _ mapping: MappingModel?) -> CoreDataErrorCode? {
      do {
        try manager.migrateStore(
          from: url, sourceType: type, with: mapping,
          toDestinationURL: folder.url.appending(path: "Result.sqlite"), destinationType: "SQLite")
        return nil
      } catch { return (error as? CoreDataError)?.code }
    }
    #expect(code("Floppy", MappingModel()) == .persistentStoreInvalidType)
    #expect(code("SQLite", nil) == .migrationMissingMappingModel)
    #expect(code("SQLite", MappingModel()) == .migrationManagerSourceStore)
    #expect(try folder.names().isEmpty)
  }
}
