import Migration
import TestSupport
import Testing

/// Stores that hold a part of the model each, migrated when they are opened.
@Suite struct ConfigurationMigrationTests {
  private let v1, v2: ManagedObjectModel
  private let disk: StoreOnDisk

  init() throws {
    v1 = try Self.version("v1", attribute("name"))
    v2 = try Self.version("v2", attribute("name"), attribute("plays", .integer32))
    disk = try StoreOnDisk(named: "cloud.sqlite")
  }

  /// Songs are in the cloud, drafts stay local; only songs change.
  private static func version(
    _ name: String, _ song: PropertyDescription...
  ) throws -> ManagedObjectModel {
    let songs = EntityDescription(name: "Song")
    songs.ownProperties = song
    return try ManagedObjectModel(
      entities: [songs, entity("Draft", attribute("name"))], name: name,
      configurations: ["Cloud": ["Song"], "Local": ["Draft"]])
  }

  @Test func aConfigurationThatListsAParentHasItsChildren() throws {
    let book = entity("Book", attribute("name"))
    let novel = EntityDescription(name: "Novel")
    novel.superentityName = "Book"
    let models = try [[:], ["Books": ["Book"]]].map { (configurations: [String: [String]]) in
      try ManagedObjectModel(
        entities: [book, novel].map { $0.unattachedCopy() }, name: "v",
        configurations: configurations)
    }
    try disk.make(models[0]) {
      $0.insert("Book", ["name": "Emma"])
      $0.insert("Novel", ["name": "Ulysses"])
    }
    let coordinator = PersistentStoreCoordinator(managedObjectModel: models[1])
    let store = try coordinator.addPersistentStore(
      type: .sqlite, configuration: "Books", at: disk.url)
    #expect(try dump(store) == ["Book(name: Emma)", "Novel(name: Ulysses)"])
    try coordinator.remove(store)
  }

  private var local: URL { disk.folder.url.appending(path: "local.sqlite") }

  private func open(
    _ model: ManagedObjectModel, infer: Bool = true, mappings: [MappingCandidate] = []
  ) throws -> (coordinator: PersistentStoreCoordinator, reports: [ChainReport?]) {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let reports = try [("Cloud", disk.url), ("Local", local)].map { name, url in
      let resources = MigrationResources(
        MigrationLibrary(models: [v1, v2], mappings: mappings))
      try coordinator.addPersistentStore(
        type: .sqlite, configuration: name, at: url,
        options: [
          PersistentStore.Option.migratesAutomatically: true,
          PersistentStore.Option.infersMapping: infer,
          PersistentStore.Option.migrationResources: resources,
        ])
      return resources.report
    }
    return (coordinator, reports)
  }

  private func seed() throws {
    let (coordinator, _) = try open(v1)
    let context = ManagedObjectContext(coordinator: coordinator)
    context.insert("Song", ["name": "Waltz"])
    context.insert("Draft", ["name": "Idea"])
    try context.save()
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private func contents(_ coordinator: PersistentStoreCoordinator) throws -> [String] {
    let context = ManagedObjectContext(coordinator: coordinator)
    let objects = try ["Draft", "Song"].flatMap {
      try context.fetch(FetchRequest<ManagedObject>(entityName: $0))
    }
    let texts = objects.map { "\($0.entity.name) \($0.value(forKey: "name") ?? "nil")" }
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    return texts
  }

  @Test func onlyTheStoreWhosePartChangedIsMigrated() throws {
    try seed()
    let untouched = try Data(contentsOf: local)
    let (coordinator, reports) = try open(v2)
    #expect(reports.map { $0?.stepNames } == [["v1 -> v2"], nil])
    #expect(reports[0]?.steps.first?.runs.map(\.method) == [.inPlace])
    #expect(try contents(coordinator) == ["Draft Idea", "Song Waltz"])
    #expect(try Data(contentsOf: local) == untouched)
    let hashes = try SQLiteStore.metadata(at: disk.url)["NSStoreModelVersionHashes"]
    #expect((hashes as? [String: Data])?.keys.sorted() == ["Song"])
  }

  @Test func aMappingModelForTheWholeModelServesItsParts() throws {
    try seed()
    var song = EntityMappingDraft(source: "Song", destination: "Song")
    song.attributes = .only(["name": .text("\"mapped\"")])
    let mapping = try MappingBuilder(source: v1, destination: v2).mappingModel([
      song, EntityMappingDraft(source: "Draft", destination: "Draft"),
    ])
    let (coordinator, reports) = try open(
      v2, infer: false, mappings: [MappingCandidate(name: "App", model: mapping)])
    #expect(reports[0]?.steps.first?.choice?.kind == .custom)
    #expect(reports[0]?.steps.first?.runs.flatMap(\.entityMappings).map(\.name) == ["SongToSong"])
    #expect(try contents(coordinator) == ["Draft Idea", "Song mapped"])
  }

  @Test func aPartWithoutItsModelIs134130() throws {
    try seed()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: v2)
    let error = try #require(throws: CoreDataError.self) {
      try coordinator.addPersistentStore(
        type: .sqlite, configuration: "Cloud", at: self.disk.url,
        options: [
          PersistentStore.Option.migratesAutomatically: true,
          PersistentStore.Option.infersMapping: true,
          PersistentStore.Option.migrationResources: MigrationResources(
            MigrationLibrary(models: [self.v2])),
        ])
    }
    #expect(error.code.rawValue == 134130)
  }
}
