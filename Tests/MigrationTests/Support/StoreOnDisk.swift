import Migration
import TestSupport
import Testing

/// A folder with one SQLite store that an app opens.
final class StoreOnDisk: StoreSuite {
  let place: StorePlace

  init(named name: String = "data.sqlite") throws {
    place = try StorePlace(named: name)
  }

  /// Makes the store and closes it.
  func make(
    _ model: ManagedObjectModel, seed: (ManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    let store = try SQLiteStore.create(at: url, model: model)
    let context = ManagedObjectContext(on: store)
    try seed(context)
    try context.save()
    try store.close()
  }

  /// Names of all files in the folder, those in it included, with their content.
  func contents() throws -> [String: Data] {
    let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap {
      $0 as? String
    }
    var contents: [String: Data] = [:]
    for name in names ?? [] {
      let file = folder.url.appending(path: name)
      if let data = try? Data(contentsOf: file) { contents[name] = data }
    }
    return contents
  }

  /// Opens the store as an app does.
  /// - Returns: What it holds then.
  @discardableResult
  func open(
    _ model: ManagedObjectModel, migrate: Bool? = nil, infer: Bool? = nil,
    resources: MigrationResources = MigrationResources(MigrationLibrary()),
    staged: StagedMigrationManager? = nil
  ) throws -> [String] {
    var options: [AnyHashable: Any] = [PersistentStore.Option.migrationResources: resources]
    options[PersistentStore.Option.migratesAutomatically] = migrate.map { NSNumber(value: $0) }
    options[PersistentStore.Option.infersMapping] = infer.map { NSNumber(value: $0) }
    options[PersistentStore.Option.stagedMigrationManager] = staged
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: "SQLite", configurationName: nil, at: url, options: options)
    defer { try? coordinator.remove(store) }
    return try dump(store)
  }

  /// The error that opening ends with; the folder must be as it was then.
  func refusal(
    _ model: ManagedObjectModel, migrate: Bool? = nil, infer: Bool? = nil,
    resources: MigrationResources = MigrationResources(MigrationLibrary()),
    staged: StagedMigrationManager? = nil, at location: SourceLocation = #_sourceLocation
  ) throws -> CoreDataError? {
    let before = try contents()
    defer {
      let after = try? contents()
      #expect(after == before, "the store was changed", sourceLocation: location)
    }
    do {
      try open(model, migrate: migrate, infer: infer, resources: resources, staged: staged)
      return nil
    } catch { return error as? CoreDataError }
  }
}
