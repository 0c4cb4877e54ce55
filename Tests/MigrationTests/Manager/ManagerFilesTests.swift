import Migration
import TestSupport
import Testing

/// The migration manager on files.
@Suite struct ManagerFilesTests {
  private let old, new: ManagedObjectModel
  private let disk: StoreOnDisk
  private let destination: URL

  init() throws {
    old = try model("v1", entity("Song", attribute("name")))
    new = try model(
      "v2", entity("Song", attribute("name"), attribute("kind", required: true)))
    disk = try StoreOnDisk()
    destination = disk.folder.url.appending(path: "new.sqlite")
    try disk.make(old) { $0.insert("Song", ["name": "Waltz"]) }
  }

  private func migrate(
    _ manager: MigrationManager, with mapping: MappingModel, to url: URL? = nil
  ) throws {
    try manager.migrateStore(
      from: disk.url, sourceType: "SQLite", with: mapping, toDestinationURL: url ?? destination,
      destinationType: "SQLite")
  }

  private func mapping(policy: String? = nil, kind: String = "\"song\"") throws -> MappingModel {
    var song = EntityMappingDraft(source: "Song", destination: "Song", policy: policy)
    song.attributes = .sameNamed(except: ["kind": .text(kind)])
    return try MappingBuilder(source: old, destination: new).mappingModel([song])
  }

  @Test(arguments: [true, false])
  func missingMandatoryValueIs134110InsideTheStoreAnd1570InAManager(inside: Bool) throws {
    let manager = MigrationManager(sourceModel: old, destinationModel: new)
    manager.usesStoreSpecificMigrationManager = inside
    let inferred = try MappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    let before = try disk.contents()
    let error = try #require(throws: CoreDataError.self) {
      try self.migrate(manager, with: inferred)
    }
    #expect(error.code.rawValue == (inside ? 134110 : 1570))
    #expect(error.place.property == "kind")
    #expect(error.place.sourceObject?.hasSuffix("Song/p1") == true)
    if inside {
      #expect(
        error.reason == "Cannot migrate store in-place: "
          + "Validation error missing attribute values on mandatory destination attribute")
      let cause = try #require(error.underlying as? CoreDataError)
      #expect(cause.code.rawValue == 134110)
      #expect(
        cause.reason
          == "Validation error missing attribute values on mandatory destination attribute")
      let info = (cause as NSError).userInfo
      #expect(info["entity"] as? String == "Song")
      #expect(info["property"] as? String == "kind")
      #expect(info["attribute"] as? String == "kind")
    }
    #expect(try disk.contents() == before)
  }

  @Test func progressGrowsToOneAndIsZeroAfterwards() throws {
    let manager = MigrationManager(sourceModel: old, destinationModel: new)
    var progress: [Float] = []
    var seen: [Float] = []
    manager.didProgress = { progress.append($0) }
    manager.progressObservers = [
      ProgressObserver { old, _ in seen += [old, manager.migrationProgress] }
    ]
    try migrate(manager, with: try mapping())
    #expect(progress == [Float(1) / 3, Float(2) / 3, 1])
    #expect(seen == [0, Float(1) / 3, Float(1) / 3, Float(2) / 3, Float(2) / 3, 1])
    #expect(manager.migrationProgress == 0)
  }

  private struct Cancelled: Error {}

  @Test(arguments: [true, false])
  func cancellingBeforeTheMigrationCounts(inside: Bool) throws {
    let manager = MigrationManager(sourceModel: old, destinationModel: old)
    manager.usesStoreSpecificMigrationManager = inside
    let inferred = try MappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: old)
    let before = try disk.contents()
    manager.cancelMigrationWithError(Cancelled())
    #expect(throws: Cancelled.self) { try migrate(manager, with: inferred) }
    #expect(try disk.contents() == before)
    // It was for that migration alone.
    try migrate(manager, with: inferred)
    #expect(
      try dump(SQLiteStore.openReadOnly(at: destination, model: old)) == ["Song(name: Waltz)"])
  }

  @Test func inferredMappingsSayWhichPropertiesComeAndGo() throws {
    let songs = FetchedPropertyDescription(
      name: "sameName", fetchRequest: FetchRequestTemplate(name: "", entityName: "Song"))
    let next = try model("v3", entity("Song", attribute("title"), attribute("name"), songs))
    let mapping = try MappingModel.inferredMappingModel(forSourceModel: new, destinationModel: next)
    let info = mapping.entityMappings[0].userInfo
    #expect((info?["mappedProperties"] as? NSSet)?.isEqual(to: ["name"]) == true)
    #expect((info?["addedProperties"] as? NSSet)?.isEqual(to: ["title"]) == true)
    #expect((info?["removedProperties"] as? NSSet)?.isEqual(to: ["kind"]) == true)
  }

  /// Saves what there is so far, as some policies do to keep memory low, then fails.
  private final class SavingPolicy: EntityMigrationPolicy {
    struct Failure: Error {}
    override func endInstanceCreation(
      forMapping mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try manager.destinationContext.save()
      if manager.userInfo?["fails"] != nil { throw Failure() }
    }
  }

  @Test func destinationThatExistedIsUnchangedByAFailure() throws {
    let mapping = try mapping(policy: "App.Saving")
    func manager(fails: Bool) -> MigrationManager {
      let manager = MigrationManager(sourceModel: old, destinationModel: new)
      manager.policyProvider = PolicyRegistry(["App.Saving": { SavingPolicy() }])
      manager.userInfo = fails ? ["fails": true] : nil
      return manager
    }
    try migrate(manager(fails: false), with: mapping)
    let before = try disk.contents()
    #expect(throws: SavingPolicy.Failure.self) {
      try self.migrate(manager(fails: true), with: mapping)
    }
    #expect(try disk.contents() == before)
    // Nor by a failed save, whose keys were given out already.
    #expect(throws: CoreDataError.self) {
      try self.migrate(
        MigrationManager(sourceModel: self.old, destinationModel: self.new),
        with: try self.mapping(kind: "nil"))
    }
    #expect(try disk.contents() == before)
    try migrate(manager(fails: false), with: mapping)
    let store = try SQLiteStore.openReadOnly(at: destination, model: new)
    #expect(try dump(store) == ["Song(kind: song, name: Waltz)", "Song(kind: song, name: Waltz)"])
  }

  /// As a public library migrates every store.
  @Test(arguments: [true, false]) func oneURLIsAllowedWithAnInferredMapping(fails: Bool) throws {
    let next = try model(
      "v2", entity("Song", attribute("title", was: "name"), attribute("n", required: fails)))
    let before = try disk.contents()
    let manager = MigrationManager(sourceModel: old, destinationModel: next)
    let inferred = try MappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: next)
    if fails {
      let error = try #require(throws: CoreDataError.self) {
        try self.migrate(manager, with: inferred, to: disk.url)
      }
      #expect(error.code.rawValue == 134110)
      #expect(try disk.contents() == before)
    } else {
      try migrate(manager, with: inferred, to: disk.url)
      let store = try SQLiteStore.openReadOnly(at: disk.url, model: next)
      #expect(try dump(store) == ["Song(n: nil, title: Waltz)"])
    }
    manager.usesStoreSpecificMigrationManager = false
    #expect(throws: CoreDataError.self) { try self.migrate(manager, with: inferred, to: disk.url) }
  }
}
