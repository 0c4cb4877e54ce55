import Migration
import TestSupport
import Testing

/// What an app finds in an error of opening or migrating a store.
@Suite struct ErrorsForAppsTests {
  private let v1, v2: ManagedObjectModel
  private let disk: StoreOnDisk

  init() throws {
    v1 = try model("v1", entity("Song", attribute("name")))
    v2 = try model("v2", entity("Song", attribute("name"), attribute("plays")))
    disk = try StoreOnDisk()
    try disk.make(v1) { $0.insert("Song", ["name": "Waltz"]) }
  }

  private func resources(_ models: ManagedObjectModel...) -> MigrationResources {
    MigrationResources(MigrationLibrary(models: models))
  }

  @Test func anotherVersionHasASentenceAndAReason() throws {
    let error = try #require(try disk.refusal(v2)) as NSError
    #expect(error.code == 134100)
    #expect(
      error.localizedDescription
        == "The managed object model version used to open the persistent store is incompatible "
        + "with the one that was used to create the persistent store.")
    #expect(
      error.userInfo["reason"] as? String
        == "The model used to open the store is incompatible with the one used to create the store")
    #expect(error.userInfo["metadata"] is [String: Any])
  }

  @Test func missingModelsAndMappingsAreToldWithWhatIsKnown() throws {
    let noSource =
      try #require(
        try disk.refusal(v2, migrate: true, infer: true, resources: resources(v2))) as NSError
    #expect(noSource.code == 134130)
    #expect(
      noSource.localizedDescription
        == "Persistent store migration failed, missing source managed object model.")
    #expect(noSource.userInfo["reason"] as? String == "Can't find model for source store")
    #expect(noSource.userInfo["destinationModel"] as? ManagedObjectModel === v2)
    #expect(noSource.userInfo["URL"] as? URL == disk.url)
    #expect(
      (noSource.userInfo["metadata"] as? [String: Any])?["NSStoreModelVersionHashes"] != nil)
    let noMapping =
      try #require(
        try disk.refusal(v2, migrate: true, infer: false, resources: resources(v1, v2))) as NSError
    #expect(noMapping.code == 134140)
    #expect(
      noMapping.localizedDescription
        == "Persistent store migration failed, missing mapping model.")
    #expect(noMapping.userInfo["sourceModel"] as? ManagedObjectModel === v1)
    #expect(noMapping.userInfo["destinationModel"] as? ManagedObjectModel === v2)
    #expect(noMapping.userInfo["sourceURL"] as? URL == disk.url)
  }

  @Test func managersErrorHasTheStoresURLs() throws {
    let manager = MigrationManager(sourceModel: v1, destinationModel: v2)
    let missing = disk.url.appendingPathExtension("missing")
    let new = disk.url.appendingPathExtension("new")
    let error = try #require(throws: CoreDataError.self) {
      try manager.migrateStore(
        from: missing, sourceType: "SQLite",
        with: MappingModel.inferredMappingModel(forSourceModel: v1, destinationModel: v2),
        toDestinationURL: new, destinationType: "SQLite")
    }
    let info = (error as NSError).userInfo
    #expect(info["sourceURL"] as? URL == missing)
    #expect(info["destinationURL"] as? URL == new)
  }

  @Test func versioningCanBeIgnored() throws {
    let name = attribute("name")
    name.versionHashModifier = "2"
    let same = try model("same", entity("Song", name))
    let coordinator = PersistentStoreCoordinator(managedObjectModel: same)
    #expect(throws: CoreDataError.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: disk.url)
    }
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: disk.url,
      options: [PersistentStore.Option.ignoresVersioning: true])
    #expect(try dump(store) == ["Song(name: Waltz)"])
    try coordinator.remove(store)
  }

  /// A migrator destroys what it left at a place, and migrates to that place again.
  @Test func migrationFillsTheEmptyDatabaseOfADestroyedStore() throws {
    let new = disk.url.appendingPathExtension("new")
    for _ in 1...2 {
      try MigrationManager(sourceModel: v1, destinationModel: v2).migrateStore(
        from: disk.url, sourceType: "SQLite",
        with: MappingModel.inferredMappingModel(forSourceModel: v1, destinationModel: v2),
        toDestinationURL: new, destinationType: "SQLite")
      let store = try SQLiteStore.openReadOnly(at: new, model: v2)
      #expect(try dump(store) == ["Song(name: Waltz, plays: nil)"])
      try store.close()
      try PersistentStoreCoordinator().destroyPersistentStore(at: new, type: .sqlite)
      #expect(try Data(contentsOf: new).isEmpty)
    }
  }
}
