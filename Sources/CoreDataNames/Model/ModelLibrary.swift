import Synchronization

/// The models an app can find: in bundles, and beside those that it loaded by URL.
///
/// On a device models are found in bundles only. Where an app's tests run without a bundle, they
/// load models by URL, and the versions beside those must be found all the same.
final class ModelLibrary: Sendable {
  static let shared = ModelLibrary()
  private let loaded = Mutex<[String: VersionedModel]>([:])

  /// The model at a URL: that version, or the current one of several.
  func model(at url: URL) throws -> ManagedObjectModel {
    let isVersion = ["mom", "xcdatamodel"].contains(url.pathExtension)
    let folder = url.deletingLastPathComponent()
    guard isVersion, ["momd", "xcdatamodeld"].contains(folder.pathExtension) else {
      let model = try load(url)
      if model.versions.count == 1 { return model.versions[0] }
      return try model.requiredCurrentVersion()
    }
    // Its neighbours are known from now on, whether they can be read or not.
    let family = try? load(folder)
    let name = url.deletingPathExtension().lastPathComponent
    if let version = family?.version(named: name) { return version }
    let single = try load(url)
    return try single.currentVersion ?? single.versions.first ?? single.requiredCurrentVersion()
  }

  private func load(_ url: URL) throws -> VersionedModel {
    let path = url.standardizedFileURL.path
    if let known = loaded.withLock({ $0[path] }) { return known }
    let model = try VersionedModel.load(contentsOf: url)
    loaded.withLock { $0[path] = model }
    return model
  }

  /// Every version of every model in some bundles; for nil also those beside models that were
  /// loaded by URL.
  func allVersions(in bundles: [Bundle]?) -> [ManagedObjectModel] {
    let beside = bundles == nil ? loaded.withLock { Array($0.values) } : []
    return (models(in: bundles) + beside).flatMap(\.versions)
  }

  /// Where the models are that were loaded by URL.
  var foldersOfLoadedModels: [URL] {
    let paths = loaded.withLock { Array($0.keys) }
    return Set(paths.map { URL(fileURLWithPath: $0).deletingLastPathComponent() })
      .sorted { $0.path < $1.path }
  }

  /// The current version of every model in some bundles.
  func currentModels(in bundles: [Bundle]?) -> [ManagedObjectModel] {
    models(in: bundles).compactMap { $0.currentVersion ?? $0.versions.last }
  }

  private func models(in bundles: [Bundle]?) -> [VersionedModel] {
    let bundles = bundles ?? ([Bundle.main] + Bundle.allBundles)
    let urls = bundles.flatMap { bundle in
      ["momd", "mom", "xcdatamodeld", "xcdatamodel"].flatMap {
        bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
      }
    }
    return Set(urls.map { ($0 as URL).standardizedFileURL }).sorted { $0.path < $1.path }
      .compactMap { try? load($0) }
  }
}

/// Looks for the model that a store was written with.
struct ModelSearch {
  private let models: [ManagedObjectModel]

  init(_ models: [ManagedObjectModel]) { self.models = models }

  /// The model whose entities are just those of the store; else a merge of models that have them
  /// all, each in the store's version.
  func model(for metadata: [String: Any]) -> ManagedObjectModel? {
    if let whole = models.first(where: {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }) {
      return whole
    }
    let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    let parts = models.filter { model in
      let own = model.entityVersionHashesByName
      return !own.isEmpty && own.allSatisfy { hashes[$0.key] == $0.value }
    }
    guard let merged = try? ManagedObjectModel(byMerging: parts, name: nil) else { return nil }
    return merged.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      ? merged : nil
  }
}
