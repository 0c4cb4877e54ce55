import Migration
import Testing

/// The decisions of opening a store, and the steps that a progressive migrator finds.
@Suite struct OpeningTests {
  private let v1, v2, v3: ManagedObjectModel

  init() throws {
    v1 = try model("v1", entity("Song", attribute("title")))
    v2 = try model("v2", entity("Song", attribute("title"), attribute("plays", .integer32)))
    v3 = try model("v3", entity("Song", attribute("title"), attribute("plays")))
  }

  private func metadata(_ model: ManagedObjectModel) -> [String: Any] {
    InMemoryStore(model: model).metadata
  }

  private func opening(_ model: ManagedObjectModel) -> AutomaticMigration {
    AutomaticMigration(to: model, models: [v1, v2, v3])
  }

  @Test func storeIsCreatedOrOpened() throws {
    guard case .create = try opening(v2).decision(metadata: nil) else {
      Issue.record("not created")
      return
    }
    guard case .open = try opening(v2).decision(metadata: metadata(v2)) else {
      Issue.record("not opened")
      return
    }
  }

  @Test func withoutMigrationAnotherVersionIs134100() throws {
    var opening = opening(v2)
    opening.migratesAutomatically = false
    let error = try #require(throws: CoreDataError.self) {
      try opening.decision(metadata: self.metadata(self.v1))
    }
    #expect(error.code == .persistentStoreIncompatibleVersionHash)
    #expect(
      error.reason
        == "The model used to open the store is incompatible with the one used to create the store")
    #expect(error.place.entity == "Song")
  }

  @Test func unknownVersionIs134130WithTheNearestModel() throws {
    let other = try model("draft", entity("Song", attribute("titel")))
    let error = try #require(throws: CoreDataError.self) {
      try self.opening(self.v2).decision(metadata: self.metadata(other))
    }
    #expect(error.code == .migrationMissingSourceModel)
    #expect(error.reason == "Can't find model for source store")
    #expect(error.advice?.contains("it differs in: Song") == true)
  }

  @Test func oneStepLeadsStraightToTheModel() throws {
    guard case .migrate(let step, let choice) = try opening(v2).decision(metadata: metadata(v1))
    else {
      Issue.record("no migration")
      return
    }
    #expect(step.name == "v1 -> v2")
    #expect(choice.kind == .inferred)
    let error = try #require(throws: CoreDataError.self) {
      try self.opening(self.v3).decision(metadata: self.metadata(self.v2))
    }
    #expect(error.code == .migrationMissingMappingModel)
  }

  @Test func progressiveStepsAreNeighbours() throws {
    let migrator = ProgressiveMigrator(versions: [v1, v2, v3])
    func names(_ from: ManagedObjectModel, _ to: ManagedObjectModel) throws -> [String] {
      try migrator.steps(fromStoreWith: metadata(from), to: to).map(\.name)
    }
    #expect(try names(v1, v3) == ["v1 -> v2", "v2 -> v3"])
    #expect(try names(v2, v3) == ["v2 -> v3"])
    #expect(try names(v3, v1) == ["v3 -> v2", "v2 -> v1"])
    #expect(try names(v2, v2) == [])
  }
}
