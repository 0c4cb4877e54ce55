import CoreData

enum StoreMigratorError: Error {
  case unknownVersion(URL)
  case noMapping(LibraryModelVersion, underlying: Error)
}

protocol StoreMigratorProtocol {
  func requiresMigration(at storeURL: URL, toVersion version: LibraryModelVersion) -> Bool
  func migrateStore(at storeURL: URL, toVersion version: LibraryModelVersion) throws
}

/// Takes a store from whatever version it has to the current one, version by version.
final class StoreMigrator: StoreMigratorProtocol {
  struct Step {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
    let mapping: NSMappingModel
  }

  private let bundle: Bundle
  private(set) var customMappings = 0

  init(bundle: Bundle) { self.bundle = bundle }

  // MARK: - Check

  func requiresMigration(at storeURL: URL, toVersion version: LibraryModelVersion) -> Bool {
    guard let metadata = NSPersistentStoreCoordinator.metadata(at: storeURL) else { return false }
    return !version.model(in: bundle).isConfiguration(
      withName: nil, compatibleWithStoreMetadata: metadata)
  }

  // MARK: - Migration

  func migrateStore(at storeURL: URL, toVersion version: LibraryModelVersion) throws {
    try forceWALCheckpointing(forStoreAt: storeURL)

    var currentURL = storeURL
    for step in try steps(forStoreAt: storeURL, toVersion: version) {
      let manager = NSMigrationManager(
        sourceModel: step.source, destinationModel: step.destination)
      let destinationURL = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
        .appendingPathComponent(UUID().uuidString)
      do {
        try manager.migrateStore(
          from: currentURL, sourceType: NSSQLiteStoreType, options: nil, with: step.mapping,
          toDestinationURL: destinationURL, destinationType: NSSQLiteStoreType,
          destinationOptions: nil)
      } catch {
        try? NSPersistentStoreCoordinator.destroyStore(at: destinationURL)
        throw error
      }
      if currentURL != storeURL {
        // A store on the way is needed no longer.
        try NSPersistentStoreCoordinator.destroyStore(at: currentURL)
      }
      currentURL = destinationURL
    }

    guard currentURL != storeURL else { return }
    try NSPersistentStoreCoordinator.replaceStore(at: storeURL, withStoreAt: currentURL)
    try NSPersistentStoreCoordinator.destroyStore(at: currentURL)
  }

  private func steps(
    forStoreAt storeURL: URL, toVersion target: LibraryModelVersion
  ) throws -> [Step] {
    guard let metadata = NSPersistentStoreCoordinator.metadata(at: storeURL),
      var version = LibraryModelVersion.compatible(with: metadata, in: bundle)
    else { throw StoreMigratorError.unknownVersion(storeURL) }

    var steps: [Step] = []
    while version != target, let next = version.next() {
      steps.append(try step(from: version, to: next))
      version = next
    }
    return steps
  }

  private func step(
    from source: LibraryModelVersion, to destination: LibraryModelVersion
  ) throws -> Step {
    let sourceModel = source.model(in: bundle)
    let destinationModel = destination.model(in: bundle)
    if let custom = NSMappingModel(
      from: [bundle], forSourceModel: sourceModel, destinationModel: destinationModel)
    {
      customMappings += 1
      return Step(source: sourceModel, destination: destinationModel, mapping: custom)
    }
    do {
      let inferred = try NSMappingModel.inferredMappingModel(
        forSourceModel: sourceModel, destinationModel: destinationModel)
      return Step(source: sourceModel, destination: destinationModel, mapping: inferred)
    } catch {
      throw StoreMigratorError.noMapping(destination, underlying: error)
    }
  }

  // MARK: - WAL

  /// What was committed may be in the write-ahead log only, which the steps don't carry along.
  private func forceWALCheckpointing(forStoreAt storeURL: URL) throws {
    guard let metadata = NSPersistentStoreCoordinator.metadata(at: storeURL),
      let model = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
    else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let store = try coordinator.addSQLiteStore(at: storeURL, options: options)
    try coordinator.remove(store)
  }
}
