import Migration

/// A store opened for comparing, with the model that fits it.
struct ComparedStore {
  let store: SQLiteStore
  private let name: String
  private let versions: [String]
  private let modelOrigin: String
  /// What of the file's schema is passed over.
  private let ignored: [String]

  /// Opens a store for reading; neither its files nor the folder they are in are changed.
  /// - Parameters:
  ///   - path: As messages are to name it.
  ///   - models: Where its version is looked for, by version hashes; else the store's own model cache
  ///     serves.
  /// - Throws: `CoreDataError` when the store can't be read; ``Diagnostics`` when no model is there for
  ///   it.
  init(_ path: String, models: [VersionedModel]) throws {
    let file = try StoreFile(readingFrom: URL(fileURLWithPath: path))
    name = path
    if let found = try Self.match(file.metadata, nil, among: models.flatMap(\.versions)) {
      store = try SQLiteStore(file, configuration: found.configuration)
      ignored = try store.ignoredSchema().map(\.description)
      versions = found.versions
      modelOrigin = "model file"
      return
    }
    guard let cached = try file.cachedModel() else {
      throw Diagnostics(file: path, Self.missingModel(models))
    }
    let found = try Self.match(file.metadata, cached, among: [cached])
    store = try SQLiteStore(
      file, configuration: found?.configuration ?? StoreConfiguration(model: cached))
    ignored = try store.ignoredSchema().map(\.description)
    versions = []
    modelOrigin = models.isEmpty ? "model cache" : "model cache; none of the given versions fits"
  }

  /// The part of a model that the store holds, and the names of all models equal to it.
  private static func match(
    _ metadata: [String: Any], _ cached: ManagedObjectModel?, among models: [ManagedObjectModel]
  ) throws -> (configuration: StoreConfiguration, versions: [String])? {
    let found = ModelIdentification(ofStoreWith: metadata, cachedModel: cached, among: models)
    let byHash = found.matches.filter { $0.evidence == .hashes }
    guard let match = byHash.first(where: \.hasEqualIdentifiers) ?? byHash.first else { return nil }
    let configuration = try StoreConfiguration(model: match.model, named: match.configuration)
    return (configuration, byHash.compactMap(\.model.name))
  }

  private static func missingModel(_ models: [VersionedModel]) -> String {
    let problem = "the store has no model cache"
    if models.isEmpty { return "\(problem); give its model with --models" }
    let names = models.map(\.name).joined(separator: ", ")
    return "\(problem), and no version in \(names) has its version hashes"
  }

  /// - Parameter damage: What is wrong beyond what was noticed in reading.
  func summary(_ damage: [IntegrityFinding] = []) -> StoreDifferences.Store {
    StoreDifferences.Store(
      name: name, versions: versions.uniqued(), modelOrigin: modelOrigin,
      identifier: store.identifier,
      findings: store.findings.map(\.description) + damage.map(\.text) + ignored)
  }
}
