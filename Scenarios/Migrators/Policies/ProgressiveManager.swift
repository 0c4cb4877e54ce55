import CoreData

protocol ProgressiveManagerDelegate: AnyObject {
  func manager(_ manager: ProgressiveManager, migrationProgress: Float)
  /// Mapping models to be used from a version on, instead of the one that is found.
  func manager(
    _ manager: ProgressiveManager, mappingModelsForSource model: NSManagedObjectModel
  ) -> [NSMappingModel]
  /// Where the finished store belongs; nil for the old one's place.
  func finalDestination(of manager: ProgressiveManager) -> URL?
}

/// Takes a store from version to version, each time by the first mapping model that leads anywhere.
final class ProgressiveManager: NSObject {
  enum Failure: Int, CustomNSError {
    case noModels = 8000
    case noMappingModel = 8001

    static var errorDomain: String { return "Cookbook" }
    var errorUserInfo: [String: Any] {
      let text = self == .noModels ? "No models found in bundle" : "No mapping model found in bundle"
      return [NSLocalizedDescriptionKey: text]
    }
  }

  weak var delegate: ProgressiveManagerDelegate?
  /// Whether a mapping is bound to the models anew before it runs: without that, one that was made
  /// before the last edit of a model doesn't run.
  var bindsAnew = true
  /// Whether the chain goes on with the store that it just made.
  var goesOnWithNewStore = true
  /// Whether files are replaced as documents are, so that one is in the old store's place at any time.
  var replacesFiles = false
  private let bundle: Bundle
  private(set) var steps: [String] = []

  init(bundle: Bundle) {
    self.bundle = bundle
    super.init()
  }

  func migrate(_ url: URL, ofType type: String, to finalModel: NSManagedObjectModel) throws {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type, at: url, options: nil)
    if finalModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return }
    guard
      let source = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
    else { throw Failure.noModels }
    let (destination, name, found) = try nextStep(from: source)
    let explicit = delegate?.manager(self, mappingModelsForSource: source) ?? []
    let made = temporaryStore(besides: url, name)
    for mapping in explicit.isEmpty ? [found] : explicit {
      if bindsAnew { bind(mapping, from: source, to: destination) }
      try run(mapping, source, url, destination, made, type)
    }
    steps.append(name)
    let next = try put(made, inPlaceOf: url)
    try migrate(goesOnWithNewStore ? next : url, ofType: type, to: finalModel)
  }

  // MARK: - Steps

  private func nextStep(
    from source: NSManagedObjectModel
  ) throws -> (NSManagedObjectModel, String, NSMappingModel) {
    let urls = modelURLs()
    if urls.isEmpty { throw Failure.noModels }
    for url in urls {
      guard let model = NSManagedObjectModel(contentsOf: url) else { continue }
      if let mapping = NSMappingModel(
        from: [bundle], forSourceModel: source, destinationModel: model)
      {
        return (model, url.deletingPathExtension().lastPathComponent, mapping)
      }
    }
    throw Failure.noMappingModel
  }

  /// All versions of all models in the bundle.
  private func modelURLs() -> [URL] {
    let folder = bundle.bundleURL.appendingPathComponent("Cookbook.xcdatamodeld")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "xcdatamodel" }.sorted { $0.path < $1.path }
  }

  private func bind(
    _ mapping: NSMappingModel, from source: NSManagedObjectModel, to destination: NSManagedObjectModel
  ) {
    for entity in mapping.entityMappings {
      entity.sourceEntityVersionHash = entity.sourceEntityName
        .flatMap { source.entityVersionHashesByName[$0] }
      entity.destinationEntityVersionHash = entity.destinationEntityName
        .flatMap { destination.entityVersionHashesByName[$0] }
    }
  }

  private func run(
    _ mapping: NSMappingModel, _ source: NSManagedObjectModel, _ sourceURL: URL,
    _ destination: NSManagedObjectModel, _ destinationURL: URL, _ type: String
  ) throws {
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    manager.addObserver(self, forKeyPath: "migrationProgress", options: .new, context: nil)
    defer { manager.removeObserver(self, forKeyPath: "migrationProgress") }
    try manager.migrateStore(
      from: sourceURL, sourceType: type, options: nil, with: mapping,
      toDestinationURL: destinationURL, destinationType: type, destinationOptions: nil)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if keyPath == "migrationProgress", let manager = object as? NSMigrationManager {
      delegate?.manager(self, migrationProgress: manager.migrationProgress)
    } else {
      super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
  }

  // MARK: - Files

  private func temporaryStore(besides url: URL, _ name: String) -> URL {
    url.deletingLastPathComponent().appendingPathComponent(name + ".migrated.sqlite")
  }

  /// Moves the new store to where it belongs: to the place of the old one, or to one of its own.
  private func put(_ made: URL, inPlaceOf url: URL) throws -> URL {
    let place = delegate?.finalDestination(of: self) ?? url
    for suffix in ["", "-wal", "-shm"] {
      let old = URL(fileURLWithPath: place.path + suffix)
      let new = URL(fileURLWithPath: made.path + suffix)
      let exists = { FileManager.default.fileExists(atPath: $0) }
      if replacesFiles, exists(old.path), exists(new.path) {
        try FileManager.default.replaceItemAt(old, withItemAt: new)
        continue
      }
      if exists(old.path) {
        try FileManager.default.removeItem(at: old)
      }
      if exists(new.path) {
        try FileManager.default.moveItem(at: new, to: old)
      }
    }
    return place
  }
}
