import Migration
import TestSupport
import Testing

/// What comes of opening a store: each row of the decision table, on files.
@Suite struct AutomaticMigrationTests {
  private let v1, v2, v3: ManagedObjectModel
  private let disk: StoreOnDisk

  init() throws {
    v1 = try model("v1", entity("Song", attribute("name"), attribute("mood")))
    v2 = try model("v2", entity("Song", attribute("name"), attribute("mood"), attribute("plays")))
    v3 = try model("v3", entity("Song", attribute("name"), attribute("mood", .integer16)))
    disk = try StoreOnDisk()
  }

  private func makeStore() throws {
    try disk.make(v1) { $0.insert("Song", ["name": "Waltz", "mood": "calm"]) }
  }

  private func resources(
    mapping target: ManagedObjectModel? = nil, policy: String? = nil, models: Bool = true,
    policies: PolicyRegistry = PolicyRegistry()
  ) throws -> MigrationResources {
    var library = MigrationLibrary(models: models ? [v1, v2, v3] : [v2, v3])
    if let target {
      var song = EntityMappingDraft(source: "Song", destination: "Song")
      song.policyClassName = policy
      song.attributes = .only([
        "name": .text("\"mapped\""), "mood": .nothing,
      ])
      library.mappings = [
        MappingCandidate(
          name: "App",
          model: try MappingBuilder(source: v1, destination: target).mappingModel([song]))
      ]
    }
    return MigrationResources(library, policies: policies)
  }

  private static let incompatible =
    "The model used to open the store is incompatible with the one used to create the store"

  @Test func storeThatIsNotThereIsMade() throws {
    #expect(try disk.open(v2) == [])
    let metadata = try SQLiteStore.metadata(at: disk.url)
    #expect(v2.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test(arguments: [false, true], [false, true])
  func compatibleStoreIsOpenedAsItIs(migrate: Bool, infer: Bool) throws {
    try makeStore()
    let resources = try resources(mapping: v2)
    #expect(
      try disk.open(v1, migrate: migrate, infer: infer, resources: resources)
        == ["Song(mood: calm, name: Waltz)"])
    #expect(resources.report == nil)
  }

  @Test(arguments: [nil, false], [nil, false, true])
  func withoutMigrationAnotherVersionIs134100(migrate: Bool?, infer: Bool?) throws {
    try makeStore()
    let error = try #require(
      try disk.refusal(v2, migrate: migrate, infer: infer, resources: resources(mapping: v2)))
    #expect(error.code.rawValue == 134100)
    #expect(error.reason == Self.incompatible)
    let metadata = (error as NSError).userInfo["metadata"] as? [String: Any]
    #expect(metadata?["NSStoreModelVersionHashes"] != nil)
  }

  @Test func unknownSourceModelIs134130() throws {
    try makeStore()
    let error = try #require(
      try disk.refusal(v2, migrate: true, infer: true, resources: resources(models: false)))
    #expect(error.code.rawValue == 134130)
    #expect(error.reason == "Can't find model for source store")
  }

  @Test(arguments: [false, true])
  func customMappingIsPreferredToInference(infer: Bool) throws {
    try makeStore()
    let before = try Data(contentsOf: disk.url)
    let resources = try resources(mapping: v2)
    #expect(
      try disk.open(v2, migrate: true, infer: infer, resources: resources)
        == ["Song(mood: nil, name: mapped, plays: nil)"])
    #expect(resources.report?.steps.map { $0.choice?.kind } == [.custom])
    // The old store is kept, with a tilde in its name.
    #expect(try disk.contents().keys.sorted() == ["data.sqlite", "data~.sqlite"])
    #expect(try disk.contents()["data~.sqlite"] == before)
  }

  @Test func withoutMappingAndInferenceIs134140() throws {
    try makeStore()
    let error = try #require(
      try disk.refusal(v2, migrate: true, infer: false, resources: resources()))
    #expect(error.code.rawValue == 134140)
    #expect(error.reason == "Can't find mapping model for migration")
    #expect(error.underlying == nil)
  }

  @Test func inferableChangeIsMigratedInPlaceWithoutBackup() throws {
    try makeStore()
    let resources = try resources()
    #expect(
      try disk.open(v2, migrate: true, infer: true, resources: resources)
        == ["Song(mood: calm, name: Waltz, plays: nil)"])
    #expect(resources.report?.steps.first?.runs.map(\.method) == [.inPlace])
    #expect(try disk.contents().keys.sorted() == ["data.sqlite"])
  }

  @Test func whatCannotBeInferredIs134140Because134190() throws {
    try makeStore()
    let error = try #require(
      try disk.refusal(v3, migrate: true, infer: true, resources: resources()))
    #expect(error.code.rawValue == 134140)
    #expect(error.reason == "Can't find or automatically infer mapping model for migration")
    let cause = try #require(error.underlying as? CoreDataError)
    #expect(cause.code.rawValue == 134190)
    #expect(cause.reason == "Source and destination attribute types are incompatible")
    #expect((cause as NSError).userInfo["entity"] as? String == "Song")
    #expect((cause as NSError).userInfo["property"] as? String == "mood")
  }

  @Test func staleMappingFallsBackToInferenceAndTheReportSaysSo() throws {
    try makeStore()
    let resources = try resources(mapping: v3)
    #expect(
      try disk.open(v2, migrate: true, infer: true, resources: resources)
        == ["Song(mood: calm, name: Waltz, plays: nil)"])
    let choice = try #require(resources.report?.steps.first?.choice)
    #expect(choice.kind == .inferred)
    #expect(
      choice.stale.map(\.description) == ["App: SongToSong: destination entity 'Song' was changed"])
  }

  @Test func ofSeveralMappingsThatFitTheFirstRunsAndAllAreReported() throws {
    try makeStore()
    var library = try resources(mapping: v2).library
    library.mappings.append(
      MappingCandidate(
        name: "Other",
        model: try .inferredMappingModel(forSourceModel: v1, destinationModel: v2)))
    let resources = MigrationResources(library)
    try disk.open(v2, migrate: true, resources: resources)
    #expect(resources.report?.steps.first?.runs.map(\.name) == ["App"])
    #expect(resources.fittingMappings == ["App", "Other"])
  }

  @Test func failingPolicyLeavesTheStoreAndTheNextStartTriesAgain() throws {
    try makeStore()
    struct Offline: Error {}
    final class Failing: EntityMigrationPolicy {
      override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
        throw Offline()
      }
    }
    let failing = try resources(
      mapping: v2, policy: "App.P", policies: PolicyRegistry(["App.P": { Failing() }]))
    let before = try disk.contents()
    #expect(throws: Offline.self) { try disk.open(v2, migrate: true, resources: failing) }
    #expect(try disk.contents() == before)
    let working = try resources(
      mapping: v2, policy: "App.P", policies: PolicyRegistry(["App.P": { EntityMigrationPolicy() }])
    )
    #expect(try disk.open(v2, migrate: true, resources: working).count == 1)
  }

  @Test func newestDataInTheJournalIsMigratedToo() throws {
    let store = try SQLiteStore.create(at: disk.url, model: v1)
    let context = ManagedObjectContext(on: store)
    context.insert("Song", ["name": "in the journal"])
    try context.save()
    // As after a crash: the journal was never merged.
    let crashed = disk.folder.url.appending(path: "crashed.sqlite")
    try PersistentStoreFiles(disk.url).copy(to: PersistentStoreFiles(crashed))
    try store.close()
    #expect(FileManager.default.fileExists(atPath: crashed.path + "-wal"))
    let coordinator = PersistentStoreCoordinator(managedObjectModel: v2)
    let migrated = try coordinator.addPersistentStore(
      type: .sqlite, at: crashed,
      options: [
        PersistentStore.Option.migratesAutomatically: true,
        PersistentStore.Option.infersMapping: true,
        PersistentStore.Option.migrationResources: resources(),
      ])
    #expect(try dump(migrated) == ["Song(mood: nil, name: in the journal, plays: nil)"])
    try coordinator.remove(migrated)
  }

  @Test func fileThatIsNoDatabaseIs259() throws {
    try Data("remember the milk".utf8).write(to: disk.url)
    let error = try #require(try disk.refusal(v2, migrate: true, infer: true))
    #expect(error.code.rawValue == 259)
  }

  @Test func descriptionsAreEqualByTheirOptions() throws {
    func description(_ option: Any) -> PersistentStoreDescription {
      let description = PersistentStoreDescription(url: disk.url)
      description.setOption(option, forKey: "option")
      return description
    }
    for option: Any in [
      true as NSNumber, "text" as NSString, true, "text", ["a": 1] as NSDictionary,
    ] {
      #expect(description(option) == description(option))
      #expect(description(option).copy() as? PersistentStoreDescription == description(option))
    }
    #expect(description(true as NSNumber) == description(true))
    #expect(description("text") != description("another"))
    #expect(description(true) != description(false))
  }

  @Test func containersMigrateUnlessToldNotTo() throws {
    try makeStore()
    let container = PersistentContainer(name: "data", managedObjectModel: v2)
    let description = PersistentStoreDescription(url: disk.url)
    #expect(description.shouldMigrateStoreAutomatically)
    #expect(description.shouldInferMappingModelAutomatically)
    description.setOption(
      try resources(), forKey: PersistentStore.Option.migrationResources)
    description.shouldMigrateStoreAutomatically = false
    container.persistentStoreDescriptions = [description]
    var errors: [Int?] = []
    container.loadPersistentStores { errors.append(($1 as? CoreDataError)?.code.rawValue) }
    description.shouldMigrateStoreAutomatically = true
    container.loadPersistentStores { errors.append(($1 as? CoreDataError)?.code.rawValue) }
    #expect(errors == [134100, nil])
    let songs = try container.newBackgroundContext()
      .fetch(FetchRequest<ManagedObject>(entityName: "Song"))
    #expect(songs.count == 1)
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }
}
