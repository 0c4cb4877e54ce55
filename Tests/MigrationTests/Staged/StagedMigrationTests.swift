import TestSupport
import Testing

@testable import Migration

/// Four versions: 1 to 2, 2 to 3, 3 to 4 and 2 to 4 can be inferred, 1 to 3 and 1 to 4 can't.
///
/// An attribute that changes its type has to be gone in between.
private struct Versions {
  let models: [ManagedObjectModel]

  init() throws {
    models = [
      try model("1", entity("Song", attribute("name"), attribute("mood"))),
      try model("2", entity("Song", attribute("name"))),
      try model("3", entity("Song", attribute("name"), attribute("mood", .integer16))),
      try model(
        "4", entity("Song", attribute("name"), attribute("mood", .integer16), attribute("x"))),
    ]
  }

  subscript(_ number: Int) -> ManagedObjectModel { models[number - 1] }

  func light(_ numbers: Int...) -> LightweightMigrationStage {
    LightweightMigrationStage(numbers.map { self[$0].versionChecksum })
  }

  func custom(_ from: Int, _ to: Int) -> CustomMigrationStage {
    CustomMigrationStage(migratingFrom: reference(from), to: reference(to))
  }

  func reference(_ number: Int) -> ManagedObjectModelReference {
    ManagedObjectModelReference(
      model: self[number], versionChecksum: self[number].versionChecksum)
  }

  var resources: MigrationResources { MigrationResources(MigrationLibrary(models: models)) }
}

@Suite struct StagedMigrationTests {
  private let versions: Versions
  private let disk: StoreOnDisk

  init() throws {
    versions = try Versions()
    disk = try StoreOnDisk()
    try disk.make(versions[1]) { $0.insert("Song", ["name": "Waltz", "mood": "calm"]) }
  }

  /// The code that migrating to a version ends with; 0 for success.
  private func code(to target: Int, _ stages: [MigrationStage]?) throws -> Int {
    try disk.refusalOrSuccess(
      versions[target], resources: versions.resources,
      staged: stages.map { StagedMigrationManager($0) })
  }

  // MARK: What isn't known

  @Test func aStoreAtTheEndOfACustomStageMayNotBeTakenOn() throws {
    let v = versions
    func doubts(_ stages: [MigrationStage], from start: Int) throws -> [[StepDoubt]] {
      var step = MigrationStep(from: v[start], to: v[4])
      step.way = .staged(StagedMigrationManager(stages))
      let source = InMemoryStore(model: v[start])
      let (_, report) = MigrationChain(steps: [step]).run(
        from: source, into: InMemoryStoreFactory())
      #expect(report.failure == nil)
      return report.steps.map(\.stepDoubts)
    }
    let gap = StepDoubt.stageGap(end: "2", next: "3")
    // Of the step into the gap, which may never be reached.
    #expect(try doubts([v.custom(1, 2), v.custom(3, 4)], from: 1) == [[], [gap], []])
    #expect(try doubts([v.custom(1, 2), v.custom(3, 4)], from: 2) == [[gap], []])
    #expect(try doubts([v.custom(1, 2), v.custom(3, 4)], from: 3) == [[]])
    #expect(try doubts([v.custom(1, 2), v.custom(2, 3), v.custom(3, 4)], from: 2) == [[], []])
    #expect(try doubts([v.custom(1, 2), v.light(3, 4)], from: 2).joined().isEmpty)
  }

  @Test func aMappingModelThatFitsWithinAStageMayBeUsed() throws {
    let v = versions
    let mapping = try MappingModel.inferredMappingModel(
      forSourceModel: v[3], destinationModel: v[4])
    var step = MigrationStep(
      from: v[2], to: v[4], mappings: [MappingCandidate(name: "File", model: mapping)])
    step.way = .staged(StagedMigrationManager([v.light(2), v.custom(3, 4)]))
    let (_, report) = MigrationChain(steps: [step])
      .run(from: InMemoryStore(model: v[2]), into: InMemoryStoreFactory())
    #expect(report.steps.map(\.stepDoubts) == [[], [.mappingInStage(name: "File")]])
  }

  @Test func stagesNeedBothOptions() throws {
    for (migrate, infer) in [(false, false), (true, false), (false, true)] {
      let error = try #require(
        try disk.refusal(
          versions[2], migrate: migrate, infer: infer, resources: versions.resources,
          staged: StagedMigrationManager([versions.custom(1, 2)])))
      #expect(
        error.reason
          == "Staged Migration was requested with NSPersistentStoreStagedMigrationManagerOptionKey but without "
          + "setting NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption to YES."
      )
    }
  }

  // MARK: The table of observed outcomes

  @Test func withoutStagesTheDirectStepIs134140() throws {
    #expect(try code(to: 3, nil) == 134140)
    #expect(try code(to: 4, nil) == 134140)
  }

  @Test func lightweightVersionsAreJoined() throws {
    let v = versions
    #expect(try code(to: 3, [v.light(1, 2, 3)]) == 134140)
    #expect(try code(to: 3, [v.light(1), v.light(2), v.light(3)]) == 134140)
    #expect(try code(to: 4, [v.light(1, 2), v.light(3, 4)]) == 134140)
  }

  @Test(arguments: 0..<3)
  func customStagesLeadFromOneToThree(_ way: Int) throws {
    let v = versions
    let ways: [[MigrationStage]] = [
      [v.custom(1, 2), v.light(3)], [v.light(1), v.custom(2, 3)], [v.custom(1, 2), v.custom(2, 3)],
    ]
    #expect(try code(to: 3, ways[way]) == 0)
    #expect(try disk.open(v[3]) == ["Song(mood: nil, name: Waltz)"])
  }

  @Test(arguments: 0..<3)
  func customStagesLeadFromOneToFour(_ way: Int) throws {
    let v = versions
    let ways: [[MigrationStage]] = [
      [v.custom(1, 2), v.light(3, 4)], [v.light(1), v.custom(2, 3), v.light(4)],
      [v.light(1, 4), v.custom(2, 3)],
    ]
    #expect(try code(to: 4, ways[way]) == 0)
    #expect(try disk.open(v[4]) == ["Song(mood: nil, name: Waltz, x: nil)"])
  }

  @Test func stagesInTheWrongOrder() throws {
    let v = versions
    #expect(try code(to: 4, [v.light(3, 4), v.custom(1, 2)]) == 134506)
    #expect(try code(to: 4, [v.custom(2, 3), v.light(1, 4)]) == 134140)
  }

  // MARK: Errors

  private func refusal(_ stages: [MigrationStage]) throws -> CoreDataError? {
    try disk.refusal(
      versions[3], migrate: true, infer: true, resources: versions.resources,
      staged: StagedMigrationManager(stages))
  }

  @Test func aModelThatNoStageNamesIs134504() throws {
    let error = try #require(try refusal([versions.custom(1, 2)]))
    #expect(error.code.rawValue == 134504)
    #expect(
      error.reason == "Cannot use staged migration with an unknown coordinator model version.")
  }

  @Test func olderTargetIs134506() throws {
    let error = try #require(try refusal([versions.light(3), versions.custom(1, 2)]))
    #expect(error.code.rawValue == 134506)
    #expect(error.reason == "A store file cannot be migrated backwards with staged migration.")
  }

  @Test func unknownVersionIs134504() throws {
    let error = try #require(try refusal([versions.light(2, 3)]))
    #expect(error.code.rawValue == 134504)
    #expect(error.reason == "Cannot use staged migration with an unknown model version.")
  }

  @Test func checksumInTwoStagesIsRefused() throws {
    let v = versions
    let error = try #require(try refusal([v.light(1, 2), v.custom(2, 3)]))
    #expect(error.reason == "Duplicate version checksums across stages detected.")
    #expect(try refusal([v.light(1), v.light(1)]) != nil)
  }

  @Test func referenceToAChangedModelIs134504() throws {
    let v = versions
    let stale = ManagedObjectModelReference(model: v[2], versionChecksum: "made before the edit")
    let stage = CustomMigrationStage(migratingFrom: v.reference(1), to: stale)
    let error = try #require(try refusal([stage, v.light(3)]))
    #expect(error.code.rawValue == 134504)
    #expect(error.advice?.contains(v[2].versionChecksum) == true)
  }

  @Test func metadataWithoutHashesIs134505() throws {
    let manager = StagedMigrationManager([versions.light(1)])
    let error = try #require(throws: CoreDataError.self) {
      try manager.migrate(
        storeAt: disk.url, with: ["NSStoreModelVersionHashesVersion": 1], to: versions[2],
        resources: versions.resources)
    }
    #expect(error.code.rawValue == 134505)
  }

  // MARK: Handlers

  @Test func handlersSeeTheStoreBeforeAndAfterTheStep() throws {
    let v = versions
    let stage = v.custom(1, 2)
    var seen: [String] = []
    stage.willMigrateHandler = { manager, _ in
      let container = try #require(manager.container)
      let context = container.newBackgroundContext()
      let songs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Song"))
      for song in songs {
        let mood = song.value(forKey: "mood") as? String ?? "nil"
        seen.append("will \(mood)")
        song.setValue("Waltz, \(mood)", forKey: "name")
      }
      try context.save()
    }
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      let songs = try context.fetch(FetchRequest<ManagedObject>(entityName: "Song"))
      seen += songs.map { "did \($0.value(forKey: "name") ?? "nil")" }
      context.insert("Song", ["name": "new"])
      try context.save()
    }
    let manager = StagedMigrationManager([stage, v.light(3)])
    let result = try disk.open(
      v[3], migrate: true, infer: true, resources: v.resources, staged: manager)
    #expect(seen == ["will calm", "did Waltz, calm"])
    #expect(result == ["Song(mood: nil, name: Waltz, calm)", "Song(mood: nil, name: new)"])
    #expect(manager.container == nil)
    #expect(manager.report?.stepNames == ["1 -> 2", "2 -> 3"])
    #expect(try disk.contents().keys.sorted() == ["data.sqlite"])
  }

  @Test func aHandlerOpensTheStoreOnceMoreWithAContainerOfItsOwn() throws {
    let v = versions
    let stage = v.custom(1, 2)
    stage.didMigrateHandler = { manager, _ in
      let container = try #require(manager.container)
      let second = PersistentContainer(name: "second", managedObjectModel: v[2])
      second.persistentStoreDescriptions = container.persistentStoreDescriptions
      second.loadPersistentStores { #expect($1 == nil) }
      let context = second.newBackgroundContext()
      context.insert("Song", ["name": "by the second"])
      try context.save()
    }
    let result = try disk.open(
      v[3], migrate: true, infer: true, resources: v.resources,
      staged: StagedMigrationManager([stage, v.light(3)]))
    #expect(result == ["Song(mood: nil, name: Waltz)", "Song(mood: nil, name: by the second)"])
    #expect(try disk.contents().keys.sorted() == ["data.sqlite"])
  }

  struct HandlerFailed: Error {}

  @Test(arguments: [false, true])
  func throwingHandlerLeavesTheStoreAsItWas(afterwards: Bool) throws {
    let v = versions
    let stage = v.custom(1, 2)
    let failing: CustomMigrationStage.Handler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      context.insert("Song", ["name": "half done"])
      try context.save()
      throw HandlerFailed()
    }
    if afterwards { stage.didMigrateHandler = failing } else { stage.willMigrateHandler = failing }
    let before = try disk.contents()
    #expect(throws: HandlerFailed.self) {
      try disk.open(
        v[3], migrate: true, infer: true, resources: v.resources,
        staged: StagedMigrationManager([stage, v.light(3)]))
    }
    #expect(try disk.contents() == before)
  }

  @Test func storeOfTheModelRunsNoStage() throws {
    let stage = versions.custom(1, 2)
    stage.willMigrateHandler = { _, _ in throw HandlerFailed() }
    let manager = StagedMigrationManager([stage])
    try disk.open(versions[1], migrate: true, infer: true, staged: manager)
    #expect(manager.report == nil)
  }

  @Test func eachVersionIsVisitedOnRequest() throws {
    let manager = StagedMigrationManager([versions.light(1, 2, 3)])
    manager.visitsEachVersion = true
    try disk.open(
      versions[3], migrate: true, infer: true, resources: versions.resources, staged: manager)
    #expect(manager.report?.stepNames == ["1 -> 2", "2 -> 3"])
  }

  @Test func referencesFindModelsByFileAndHashes() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      """
      <?xml version="1.0"?>
      <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Song">
      <attribute name="name" optional="YES" attributeType="String"/></entity></model>
      """, to: "Two.xcdatamodel/contents"
    ).deletingLastPathComponent()
    let checksum = versions[2].versionChecksum
    let byFile = ManagedObjectModelReference(fileURL: file, versionChecksum: checksum)
    #expect(try byFile.resolve().name == "Two")
    let bundle = try #require(Bundle(url: folder.url))
    let byName = ManagedObjectModelReference(name: "Two", in: bundle, versionChecksum: checksum)
    #expect(try byName.resolve().name == "Two")
    let byHashes = ManagedObjectModelReference(
      entityVersionHashes: versions[2].entityVersionHashesByName, in: bundle,
      versionChecksum: checksum)
    #expect(try byHashes.resolve().name == "Two")
    #expect(throws: CoreDataError.self) {
      try ManagedObjectModelReference(name: "None", in: bundle, versionChecksum: checksum).resolve()
    }
  }
}

extension StoreOnDisk {
  /// The code of the error that a migrating start ends with; 0 for success.
  fileprivate func refusalOrSuccess(
    _ model: ManagedObjectModel, resources: MigrationResources, staged: StagedMigrationManager?
  ) throws -> Int {
    do {
      try open(model, migrate: true, infer: true, resources: resources, staged: staged)
      return 0
    } catch {
      let error = try refusal(
        model, migrate: true, infer: true, resources: resources, staged: staged)
      return error?.code.rawValue ?? -1
    }
  }
}
