import Synchronization

/// The models an app can find: in bundles, and beside those that it loaded by URL.
///
/// On a device models are found in bundles only. Where an app's tests run without a bundle, they
/// load models by URL, and the versions beside those must be found all the same.
final class ModelLibrary: Sendable {
  static let shared = ModelLibrary()
  private let loaded = Mutex(ContentByPath<VersionedModel>())

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

  func versions(at url: URL) throws -> [ManagedObjectModel] { try load(url).versions }

  private func load(_ url: URL) throws -> VersionedModel {
    let path = url.standardizedFileURL.path
    if let known = loaded.withLock({ $0[path] }) { return known }
    let model = try VersionedModel.load(contentsOf: url)
    loaded.withLock { $0.keep(model, of: path) }
    if ["momd", "xcdatamodeld"].contains(url.pathExtension) {
      MigrationLibrary.search(url.deletingLastPathComponent())
    }
    return model
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
      // Core Data's `mergedModel(from:)` passes over what is no model.
      .compactMap { try? load($0) }
  }
}
