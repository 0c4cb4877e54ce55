import Migration
import TestSupport
import Testing

/// The progressive manager that goes by mapping models alone.
@Suite struct ProgressiveMigrationTests {
  private let models: [ManagedObjectModel]
  private let disk: StoreOnDisk

  init() throws {
    models = [
      try model("v1", entity("Song", attribute("name"))),
      try model("v2", entity("Song", attribute("name"), attribute("two"))),
      try model("v3", entity("Song", attribute("name"), attribute("two"), attribute("three"))),
    ]
    disk = try StoreOnDisk(named: "legacy.sqlite")
    try disk.make(models[0]) { $0.insert("Song", ["name": "Waltz"]) }
  }

  private func mapping(_ from: Int, _ to: Int, name: String? = nil) throws -> MappingCandidate {
    let (source, destination) = (models[from - 1], models[to - 1])
    let song = EntityMappingDraft(source: "Song", destination: "Song")
    return MappingCandidate(
      name: name ?? "\(from)to\(to)",
      model: try MappingBuilder(source: source, destination: destination).mappingModel([song]))
  }

  private func manager(_ mappings: MappingCandidate...) -> ProgressiveMigrationManager {
    ProgressiveMigrationManager(MigrationLibrary(models: models, mappings: mappings))
  }

  private func version(at url: URL) throws -> String? {
    let metadata = try SQLiteStore.metadata(at: url)
    return models.first {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }?.name
  }

  private func failure(of manager: ProgressiveMigrationManager) -> NSError? {
    do {
      try manager.migrate(storeAt: disk.url, to: models[2])
      return nil
    } catch { return error as NSError }
  }

  @Test func stepsFollowTheMappingModels() throws {
    let manager = try manager(mapping(2, 3), mapping(1, 2))
    #expect(try manager.migrate(storeAt: disk.url, to: models[2]) == disk.url)
    #expect(manager.report.hops == ["v1 -> v2", "v2 -> v3"])
    #expect(try disk.open(models[2]) == ["Song(name: Waltz, three: nil, two: nil)"])
    #expect(try disk.contents().keys.sorted() == ["legacy.sqlite"])
    #expect(try manager.migrate(storeAt: disk.url, to: models[2]) == disk.url)
    #expect(manager.report.hops.isEmpty)
  }

  @Test func orderOfTheModelsDecidesThePath() throws {
    let mappings = try [mapping(1, 2), mapping(2, 3), mapping(1, 3)]
    let reversed = ProgressiveMigrationManager(
      MigrationLibrary(models: models.reversed(), mappings: mappings))
    try reversed.migrate(storeAt: disk.url, to: models[2])
    #expect(reversed.report.hops == ["v1 -> v3"])
  }

  @Test func missingMappingStopsTheChainAtTheVersionItReached() throws {
    let error = try #require(failure(of: try manager(mapping(1, 2))))
    #expect(error.domain == "Zarra")
    #expect(error.code == 8001)
    #expect(error.localizedDescription == "No mapping model found in bundle")
    #expect(try version(at: disk.url) == "v2")
    #expect(try disk.open(models[1]) == ["Song(name: Waltz, two: nil)"])
  }

  @Test func withoutModelsThereIsNoWay() throws {
    let error = try #require(failure(of: ProgressiveMigrationManager(MigrationLibrary())))
    #expect(error.code == 8001)
    #expect(error.localizedDescription == "No models found!")
  }

  @Test func unknownVersionIs134130() throws {
    let library = MigrationLibrary(models: [models[1], models[2]])
    let error = try #require(failure(of: ProgressiveMigrationManager(library)))
    #expect(error.code == 134130)
  }

  @Test func circleOfMappingsIsNoticed() throws {
    let error = try #require(failure(of: try manager(mapping(1, 2), mapping(2, 1))))
    #expect(error.code == 8002)
  }

  // MARK: The delegate

  private final class Recorder: ProgressiveMigrationDelegate {
    var place: URL?
    var explicit: [MappingCandidate]?
    var events: [String] = []
    var progress: [Float] = []

    func progressiveMigration(
      _ manager: ProgressiveMigrationManager, finalDestinationForStoreAt url: URL
    ) -> URL? { place }
    func progressiveMigration(
      _ manager: ProgressiveMigrationManager, mappingModelsFor sourceModel: ManagedObjectModel
    ) -> [MappingCandidate]? { sourceModel.name == "v1" ? explicit : nil }
    func progressiveMigration(
      _ manager: ProgressiveMigrationManager, willMigrate step: MigrationStep, storeAt url: URL
    ) { events.append("will \(step.name)") }
    func progressiveMigration(
      _ manager: ProgressiveMigrationManager, didProgressTo progress: Float
    ) { self.progress.append(progress) }
    func progressiveMigration(
      _ manager: ProgressiveMigrationManager, didMigrate step: MigrationStep, storeAt url: URL
    ) { events.append("did \(step.name)") }
  }

  @Test func finalDestinationLeavesTheSourceAndIsNotWrittenTwice() throws {
    let recorder = Recorder()
    recorder.place = disk.folder.url.appending(path: "modern.sqlite")
    let manager = try manager(mapping(1, 2), mapping(2, 3))
    manager.delegate = recorder
    let before = try Data(contentsOf: disk.url)
    #expect(try manager.migrate(storeAt: disk.url, to: models[2]) == recorder.place)
    #expect(try Data(contentsOf: disk.url) == before)
    #expect(try disk.contents().keys.sorted() == ["legacy.sqlite", "modern.sqlite"])
    #expect(recorder.events == ["will v1 -> v2", "did v1 -> v2", "will v2 -> v3", "did v2 -> v3"])
    recorder.events = []
    #expect(try manager.migrate(storeAt: disk.url, to: models[2]) == recorder.place)
    #expect(recorder.events == [])
  }

  @Test func failureBeforeTheFinalDestinationLeavesNothingBehind() throws {
    let recorder = Recorder()
    recorder.place = disk.folder.url.appending(path: "modern.sqlite")
    let manager = try manager(mapping(1, 2))
    manager.delegate = recorder
    let before = try disk.contents()
    #expect(failure(of: manager)?.code == 8001)
    #expect(try disk.contents() == before)
  }

  @Test func severalMappingModelsFillOneStoreAndProgressGrowsInEach() throws {
    let recorder = Recorder()
    recorder.explicit = [try mapping(1, 2, name: "one"), try mapping(1, 2, name: "two")]
    let manager = try manager(mapping(1, 2), mapping(2, 3))
    manager.delegate = recorder
    try manager.migrate(storeAt: disk.url, to: models[2])
    #expect(manager.report.steps.map { $0.runs.map(\.name) } == [["one", "two"], ["2to3"]])
    #expect(try disk.open(models[2]).count == 2)
    let third = Float(1) / 3
    // Each of the two has passes; the last step, alone and without policies, is SQL and done at once.
    #expect(recorder.progress == [third, 2 * third, 1, third, 2 * third, 1, 1])
  }

  @Test(arguments: [true, false])
  func staleExplicitMappingIsReboundOrRefused(rebinds: Bool) throws {
    let recorder = Recorder()
    let draft = try model("draft", entity("Song", attribute("name"), attribute("gone")))
    let song = EntityMappingDraft(source: "Song", destination: "Song")
    recorder.explicit = [
      MappingCandidate(
        name: "stale",
        model: try MappingBuilder(source: draft, destination: models[1]).mappingModel([song]))
    ]
    let manager = try manager(mapping(1, 2), mapping(2, 3))
    manager.delegate = recorder
    manager.rebindsStaleMappings = rebinds
    if rebinds {
      try manager.migrate(storeAt: disk.url, to: models[2])
      #expect(try version(at: disk.url) == "v3")
    } else {
      let text = "Mismatch between mapping and source/destination models"
      let error = failure(of: manager)
      #expect(error?.localizedDescription == "An error occurred during persistent store migration.")
      #expect(error?.userInfo["reason"] as? String == text)
      #expect(try version(at: disk.url) == "v1")
    }
  }
}
