import Migration
import TestSupport
import Testing

/// Lightweight migration inside SQLite.
@Suite struct InPlaceTests {
  private func stage(
    _ model: ManagedObjectModel, seed: (ManagedObjectContext) throws -> Void
  ) throws -> Stage { try Stage(.sqlite, model, seed: seed) }

  private func run(
    _ stage: Stage, to model: ManagedObjectModel, by method: MigrationMethod = .inPlace
  ) -> (store: PersistentStore?, report: ChainReport) {
    var chain = MigrationChain(steps: [MigrationStep(from: stage.source.model, to: model)])
    chain.lightweightMethod = method
    chain.recordsOrigins = true
    return chain.run(from: stage.source, into: Backend.sqlite.stores(in: stage.folder))
  }

  private func identifiers(_ store: PersistentStore, _ entity: String) throws -> [String: String] {
    let objects = try ManagedObjectContext(on: store)
      .fetch(FetchRequest<ManagedObject>(entityName: entity))
    return Dictionary(
      uniqueKeysWithValues: objects.map {
        ($0.value(forKey: "name") as? String ?? "", "\($0.objectID)")
      })
  }

  @Test func identifiersStayAndAManagersAreNew() throws {
    let old = try model("v1", entity("Song", attribute("name")))
    let new = try model("v2", entity("Song", attribute("name"), attribute("plays", .integer32)))
    let stage = try stage(old) { context in
      let gone = context.insert("Song", ["name": "gone"])
      context.insert("Song", ["name": "a"])
      context.insert("Song", ["name": "b"])
      try context.save()
      context.delete(gone)
    }
    let before = try identifiers(stage.source, "Song")
    let (inPlace, report) = run(stage, to: new)
    #expect(report.steps.first?.runs.map(\.method) == [.inPlace])
    #expect(report.steps.first?.runs.first?.trace.events.isEmpty == true)
    #expect(report.steps.first?.runs.first?.entityMappings.map(\.destinationCount) == [2])
    #expect(try identifiers(try #require(inPlace), "Song") == before)
    let (byManager, other) = run(stage, to: new, by: .manager)
    #expect(other.steps.first?.runs.map(\.method) == [.manager])
    #expect(try identifiers(try #require(byManager), "Song") != before)
  }

  @Test func deletedRowsKeysAreNotGivenOutAgain() throws {
    let old = try model("v1", entity("Song", attribute("name")))
    let new = try model("v2", entity("Song", attribute("name"), attribute("x")))
    let stage = try stage(old) { context in
      context.insert("Song", ["name": "a"])
      let last = context.insert("Song", ["name": "gone"])
      try context.save()
      context.delete(last)
    }
    let store = try #require(run(stage, to: new).store)
    let entity = try #require(store.model.entity(named: "Song"))
    #expect(try store.reservePrimaryKeys(1, for: entity) == 3)
  }

  @Test func rowsThatMoveIntoAnotherTableGetKeysOfTheirOwn() throws {
    let old = try model(
      "v1", entity("Media", attribute("name")),
      entity(
        "Song", attribute("name"), toOne("next", "Song", inverse: "previous"),
        toOne("previous", "Song", inverse: "next")))
    let new = try model(
      "v2", entity("Media", attribute("name")),
      entity(
        "Song", parent: "Media", toOne("next", "Song", inverse: "previous"),
        toOne("previous", "Song", inverse: "next")))
    let stage = try stage(old) { context in
      context.insert("Media", ["name": "m1"])
      context.insert("Media", ["name": "m2"])
      let a = context.insert("Song", ["name": "s1"])
      a.setValue(context.insert("Song", ["name": "s2"]), forKey: "next")
    }
    let (store, report) = run(stage, to: new)
    #expect(report.steps.first?.runs.map(\.method) == [.inPlace])
    #expect(
      try dump(try #require(store)) == [
        "Media(name: m1)", "Media(name: m2)", "Song(name: s1, next: s2, previous: nil)",
        "Song(name: s2, next: nil, previous: s1)",
      ])
    let songs = report.steps[0].origins.destinations(of: .init(entity: "Song", primaryKey: 1))
    #expect(songs == [.init(entity: "Song", primaryKey: 3)])
  }

  @Test func rowOfAStrangeEntityStopsTheStep() throws {
    func cover() -> EntityDescription {
      let cover = entity("Cover")
      cover.superentityName = "Song"
      return cover
    }
    let old = try model("v1", entity("Song", attribute("name")), cover())
    let new = try model("v2", entity("Song", attribute("name"), attribute("x")), cover())
    let stage = try stage(old) { $0.insert("Song", ["name": "a"]) }
    let url = try #require(stage.source.url)
    try stage.source.close()
    try PlainDatabase.execute("UPDATE ZSONG SET Z_ENT = 7", in: url)
    let source = try SQLiteStore.openReadOnly(at: url, model: old)
    let (store, report) = MigrationChain(steps: [MigrationStep(from: old, to: new)])
      .run(from: source, into: Backend.sqlite.stores(in: stage.folder))
    #expect(store == nil)
    let error = try #require(report.failure?.error as? CoreDataError)
    #expect(error.code == .persistentStoreIncompatibleSchema)
    #expect(stage.otherFiles.isEmpty)
  }

  @Test func whatSQLCannotDoIsDoneByAManager() throws {
    let old = try model(
      "v1", entity("A", attribute("name"), toOne("b", "B")), entity("B", attribute("name")))
    let new = try model(
      "v2", entity("A", attribute("name"), toOne("b", "B", inverse: "a")),
      entity("B", attribute("name"), toOne("a", "A", inverse: "b")))
    let stage = try stage(old) { context in
      let b = context.insert("B", ["name": "b"])
      context.insert("A", ["name": "a1", "b": b])
      context.insert("A", ["name": "a2", "b": b])
    }
    let (store, report) = run(stage, to: new)
    #expect(report.steps.first?.runs.map(\.method) == [.manager])
    #expect(
      report.steps.first?.unsupported.first
        == "A.b: several objects may lead to one, which has one to-one")
    #expect(
      try dump(try #require(store)) == [
        "A(b: b, name: a2)", "A(b: nil, name: a1)", "B(a: a2, name: b)",
      ])
  }

  @Test func numbersThatDoNotFitAreNamedByTheManager() throws {
    let old = try model("v1", entity("N", attribute("name"), attribute("n", .double)))
    let new = try model("v2", entity("N", attribute("name"), attribute("n", .integer64)))
    let stage = try stage(old) { context in
      context.insert("N", ["name": "fits", "n": 2.9])
      context.insert("N", ["name": "large", "n": 1e300])
    }
    let failure = try #require(run(stage, to: new).report.failure)
    #expect((failure.error as? CoreDataError)?.place.property == "n")
    #expect(stage.otherFiles.isEmpty)
  }

  @Test func missingLargeValueIsNilAndAFindingOfTheSource() throws {
    func photo(_ extra: [AttributeDescription]) -> EntityDescription {
      let image = attribute("image", .binaryData)
      image.allowsExternalBinaryDataStorage = true
      let photo = entity("Photo", attribute("name"), image)
      photo.ownProperties += extra
      return photo
    }
    let old = try model("v1", photo([]))
    let new = try model("v2", photo([attribute("x")]))
    let stage = try stage(old) { context in
      context.insert("Photo", ["name": "large", "image": Data(repeating: 7, count: 300_000)])
    }
    let source = try #require(stage.source as? SQLiteStore)
    try FileManager.default.removeItem(
      at: PersistentStoreFiles(try #require(source.url)).externalDataFolderURL)
    let store = try #require(run(stage, to: new).store)
    #expect(try dump(store) == ["Photo(image: nil, name: large, x: nil)"])
    #expect(source.findings.map(\.property) == ["image"])
  }
}
