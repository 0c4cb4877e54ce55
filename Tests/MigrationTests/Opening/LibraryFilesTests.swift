import TestSupport
import Testing

@testable import Migration

/// What look-ups find in an app's files.
@Suite struct LibraryFilesTests {
  private let folder: TemporaryFolder
  private let v1, v2: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    v1 = try model("App", entity("Song", attribute("name")))
    v2 = try model("App 2", entity("Song", attribute("name"), attribute("plays")))
    try folder.writeCompiled(["App": v1, "App 2": v2], current: "App 2", to: "App.momd")
  }

  private var library: MigrationLibrary { MigrationLibrary(contentsOf: [folder.url]) }

  private func metadata(_ model: ManagedObjectModel) -> [String: Any] {
    ["NSStoreModelVersionHashes": model.entityVersionHashesByName]
  }

  @Test func whatCanNotBeReadHidesNothingElse() throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Empty.xcmappingmodel"), withIntermediateDirectories: true)
    try folder.write("no mapping", to: "Broken.cdm")
    try folder.write("no model", to: "Broken.mom")
    let library = library
    #expect(library.models.map(\.name) == ["App", "App 2"])
    #expect(library.unreadable.count == 3)
    #expect(library.model(forStoreMetadata: metadata(v1))?.name == "App")
    // Whoever misses something is told what couldn't be read.
    let disk = try StoreOnDisk()
    try disk.make(try model("Other", entity("Page", attribute("text"))))
    let error = try #require(
      try disk.refusal(v2, migrate: true, infer: true, resources: MigrationResources(library)))
    #expect(error.code == .migrationMissingSourceModel)
    #expect(error.advice?.contains("Broken.mom") == true)
  }

  @Test func filesAreReadAgainOnlyWhenTheyHaveChanged() throws {
    let (first, second) = (library.models, library.models)
    #expect(zip(first, second).allSatisfy { $0 === $1 })
    let v3 = try model("App 3", entity("Song", attribute("title")))
    try folder.writeCompiled(["App 3": v3], current: "App 3", to: "App.momd")
    #expect(library.models.map(\.name) == ["App", "App 2", "App 3"])
  }

  @Test func aLinkToAModelIsAModel() throws {
    let other = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      at: other.url.appending(path: "Linked.momd"),
      withDestinationURL: folder.url.appending(path: "App.momd"))
    let library = MigrationLibrary(contentsOf: [other.url])
    #expect(library.unreadable.isEmpty)
    #expect(library.models.map(\.name) == ["App", "App 2"])
    let linked = try VersionedModel.load(contentsOf: other.url.appending(path: "Linked.momd"))
    #expect(linked.currentVersionName == "App 2")
  }
}

/// Stores of several models that an app merges.
@Suite struct MergedSourceTests {
  private let folder: TemporaryFolder
  private let notes, notes2, settings, settings2: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder()
    notes = try model("Notes", entity("Note", attribute("text")))
    notes2 = try model("Notes 2", entity("Note", attribute("text"), attribute("pinned")))
    settings = try model("Settings", entity("Setting", attribute("key")))
    settings2 = try model(
      "Settings 2", entity("Setting", attribute("key"), attribute("value")))
    try folder.writeCompiled(
      ["Notes": notes, "Notes 2": notes2], current: "Notes 2", to: "Notes.momd")
  }

  private func merged(_ models: ManagedObjectModel...) throws -> ManagedObjectModel {
    try ManagedObjectModel(byMerging: models, name: nil)
  }

  private var resources: MigrationResources {
    MigrationResources(MigrationLibrary(contentsOf: [folder.url]))
  }

  @Test func aStoreOfAPartlyVersionedMergeHasNoSource() throws {
    try folder.writeCompiled(["Settings": settings], current: "Settings", to: "Settings.momd")
    let old = try merged(notes, settings)
    let disk = try StoreOnDisk()
    try disk.make(old)
    let error = try #require(
      try disk.refusal(
        merged(notes2, settings), migrate: true, infer: true, resources: resources))
    #expect(error.code.rawValue == 134130)
    #expect(error.reason == "Can't find model for source store")
    // Code that asks for the merge gets it, as Apple documents it.
    let found = resources.library.model(
      forStoreMetadata: ["NSStoreModelVersionHashes": old.entityVersionHashesByName])
    #expect(found?.entityVersionHashesByName == old.entityVersionHashesByName)
  }

  @Test func itOpensWhereBothHaveVersions() throws {
    try folder.writeCompiled(
      ["Settings": settings, "Settings 2": settings2], current: "Settings 2", to: "Settings.momd")
    let disk = try StoreOnDisk()
    try disk.make(try merged(notes, settings)) { $0.insert("Note", ["text": "Milk"]) }
    let content = try disk.open(
      try merged(notes2, settings2), migrate: true, infer: true, resources: resources)
    #expect(content == ["Note(pinned: nil, text: Milk)"])
  }
}
