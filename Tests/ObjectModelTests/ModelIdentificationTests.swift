import Testing

@testable import ObjectModel

/// Which of several models a store is of, by what its metadata and its own model say.
@Suite struct ModelIdentificationTests {
  private func model(
    _ name: String, _ entities: [String: KeyValuePairs<String, String>], identifiers: [String] = [],
    configurations: [String: [String]] = [:], change: (EntityDescription) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    let descriptions = try entities.sorted { $0.key < $1.key }.map {
      try ModelNotation.entity($0.key, properties: $0.value)
    }
    descriptions.forEach(change)
    return try ManagedObjectModel(
      entities: descriptions, name: name, versionIdentifiers: identifiers,
      configurations: configurations)
  }

  private func metadata(
    _ model: ManagedObjectModel, only names: [String]? = nil, identifiers: [String] = []
  ) -> [String: Any] {
    let hashes = model.entityVersionHashesByName.filter { names?.contains($0.key) ?? true }
    return [
      "NSStoreModelVersionHashes": hashes, "NSStoreModelVersionIdentifiers": identifiers,
    ]
  }

  private func identify(
    _ metadata: [String: Any], cached: ManagedObjectModel? = nil,
    among models: [ManagedObjectModel]
  ) -> ModelIdentification {
    ModelIdentification(ofStoreWith: metadata, cachedModel: cached, among: models)
  }

  // MARK: Ties

  /// Defaults are in no hash: to Core Data the three are one.
  private func equals() throws -> [ManagedObjectModel] {
    try ["1", "2", "3"].map {
      try model("v\($0)", ["Book": ["pages": "int16 = \($0)"]], identifiers: ["id \($0)"])
    }
  }

  @Test func allEqualVersionsMatchAndTheFirstIsTakenWithoutAHint() throws {
    let models = try equals()
    let found = identify(metadata(models[1]), among: models)
    #expect(found.matches.map(\.model.name) == ["v1", "v2", "v3"])
    #expect(found.matches.allSatisfy { $0.evidence == .hashes })
    #expect(found.best?.model.name == "v1")
  }

  @Test func theIdentifierDecidesBetweenEqualVersions() throws {
    let models = try equals()
    let found = identify(metadata(models[2], identifiers: ["id 3"]), among: models)
    #expect(found.matches.count == 3)
    #expect(found.best?.model.name == "v3")
  }

  @Test func theStoresOwnModelSaysMoreThanTheIdentifier() throws {
    let models = try equals()
    let found = identify(
      metadata(models[1], identifiers: ["id 3"]), cached: models[1], among: models)
    #expect(found.best?.model.name == "v2")
    #expect(found.matches.map { $0.differences?.isEmpty } == [false, true, false])
  }

  // MARK: Configurations

  @Test func aStoreOfOneConfigurationIsFoundByIt() throws {
    let entities: [String: KeyValuePairs<String, String>] = [
      "Book": ["title": "string"], "Cache": ["key": "string"],
    ]
    let whole = try model(
      "whole", entities, configurations: ["Cloud": ["Book"], "Local": ["Cache"]])
    let found = identify(metadata(whole, only: ["Cache"]), among: [whole])
    #expect(found.matches.map(\.configuration) == ["Local"])
    #expect(identify(metadata(whole), among: [whole]).best?.configuration == nil)
    // The part alone isn't the model, and the model without configurations isn't the store's.
    let plain = try model("plain", entities)
    let none = identify(metadata(whole, only: ["Cache"]), among: [plain])
    #expect(none.matches.isEmpty)
    #expect(none.nearest?.onlyInModel == ["Book"])
  }

  // MARK: Hashes that can't be computed for certain

  /// A model whose entity has an attribute of a kind that no recorded hash has, as a device hashes it: otherwise.
  private func uncertain(_ name: String, pages: String) throws -> ManagedObjectModel {
    try model(
      name,
      [
        "Book": ["isbn": "string", "pages": pages, "scratch": "undefined?"],
        "Tag": ["name": "string"],
      ])
  }

  private func deviceMetadata(_ model: ManagedObjectModel) -> [String: Any] {
    var hashes = model.entityVersionHashesByName
    hashes["Book"] = Data(repeating: 7, count: 32)
    return ["NSStoreModelVersionHashes": hashes]
  }

  @Test func whereAHashIsUncertainTheStoresOwnModelDecides() throws {
    let models = [
      try uncertain("v1", pages: "int16"), try uncertain("v2", pages: "int32"),
    ]
    #expect(!models[0].versionHashesAreReliable)
    let found = identify(deviceMetadata(models[1]), cached: models[1], among: models)
    #expect(found.matches.map(\.model.name) == ["v2"])
    #expect(found.best?.evidence == .modelCache)
  }

  @Test func withoutTheStoresOwnModelTheCertainHashesDecide() throws {
    let models = [
      try uncertain("v1", pages: "int16"),
      try model("v2", ["Book": ["isbn": "string"], "Tag": ["name": "string"]]),
      try model("v3", ["Book": ["isbn": "string"], "Tag": ["word": "string"]]),
    ]
    let found = identify(deviceMetadata(models[0]), among: models)
    #expect(found.matches.map(\.model.name) == ["v1"])
    #expect(found.best?.evidence == .someHashes)
    // Another hash that is certain rules it out.
    var other = deviceMetadata(models[0])
    other["NSStoreModelVersionHashes"] = [
      "Book": Data(repeating: 7, count: 32), "Tag": Data(repeating: 8, count: 32),
    ]
    #expect(identify(other, among: models).matches.isEmpty)
  }

  @Test func withoutAnyHashesTheStoresOwnModelDecides() throws {
    let models = try [("v1", "string"), ("v2", "string?")].map {
      try model($0.0, ["Book": ["title": $0.1]])
    }
    let found = identify([:], cached: models[1], among: models)
    #expect(found.matches.map(\.model.name) == ["v2"])
    #expect(identify([:], among: models).matches.isEmpty)
    #expect(identify([:], among: models).nearest == nil)
  }

  // MARK: None of them

  @Test func theNearestHasTheFewestEntitiesThatDiffer() throws {
    let base: [String: KeyValuePairs<String, String>] = [
      "A": ["a": "string"], "B": ["b": "string"], "C": ["c": "string"],
    ]
    let near = try model("near", base.merging(["C": ["c": "string?"]]) { $1 })
    let far = try model("far", base.merging(["B": ["x": "string"], "C": ["x": "string"]]) { $1 })
    let store = try model("store", base.merging(["D": ["d": "string"]]) { $1 })
    let found = identify(metadata(store), cached: store, among: [near, far])
    #expect(found.matches.isEmpty)
    #expect(found.nearest?.model === near)
    #expect(found.nearest?.changed == ["C"])
    #expect(found.nearest?.onlyInStore == ["D"])
    #expect(found.nearest?.onlyInModel == [])
    #expect(found.nearest?.count == 2)
    #expect(found.nearest?.differences?.isEmpty == false)
  }

  @Test func ofEquallyNearVersionsTheFewestFeaturesThenTheLastCount() throws {
    let store = try model("store", ["A": ["a": "string", "b": "string"]])
    let models = [
      try model("two", ["A": ["a": "string?", "b": "string?"]]),
      try model("one", ["A": ["a": "string?", "b": "string"]]),
      try model("also one", ["A": ["a": "string", "b": "string?"]]),
    ]
    let found = identify(metadata(store), cached: store, among: models)
    #expect(found.nearest?.model.name == "also one")
  }

  @Test func anotherAppsModelIsNearToNothing() throws {
    let store = try model("store", ["A": ["a": "string"]])
    let found = identify(metadata(store), among: [try model("other", ["Z": ["a": "string"]])])
    #expect(found.matches.isEmpty && found.nearest == nil)
    #expect(identify(metadata(store), among: []).nearest == nil)
  }
}
