import CoreData

/// The versions of the model, in the order in which stores pass through them.
enum CookbookVersion: String, CaseIterable {
  case one = "Cookbook"
  case two = "Cookbook 2"
  case three = "Cookbook 3"

  static var current: CookbookVersion { return allCases.last! }

  var next: CookbookVersion? {
    let all = CookbookVersion.allCases
    let index = all.firstIndex(of: self)! + 1
    return index < all.count ? all[index] : nil
  }
}

enum StoreMigratorError: Error {
  case unknownVersion
  case failed(CookbookVersion, CocoaError.Code)
}

/// The migrator that most apps have: by an enumeration of versions, with mappings of the bundle or
/// inferred ones, temporary stores, and a replacement at the end.
struct StoreMigrator {
  let kitchen: Kitchen
  /// Told how far the whole way is done.
  var progressHandler: ((Float) -> Void)?
  private(set) var kinds: [String] = []

  init(kitchen: Kitchen, progressHandler: ((Float) -> Void)? = nil) {
    self.kitchen = kitchen
    self.progressHandler = progressHandler
  }

  func requiresMigration(at url: URL, to version: CookbookVersion = .current) -> Bool {
    guard let metadata = metadata(at: url) else { return false }
    return compatibleVersion(for: metadata) != version
  }

  mutating func migrateStore(at url: URL, to version: CookbookVersion = .current) throws {
    try forceWALCheckpointing(at: url)
    guard let metadata = metadata(at: url), var current = compatibleVersion(for: metadata) else {
      throw StoreMigratorError.unknownVersion
    }
    var steps: [(CookbookVersion, CookbookVersion)] = []
    while current != version, let next = current.next {
      steps.append((current, next))
      current = next
    }
    var currentURL = url
    for (index, step) in steps.enumerated() {
      let destination = kitchen.folder.appendingPathComponent(UUID().uuidString + ".sqlite")
      do {
        try migrate(step, from: currentURL, to: destination) { [progressHandler] progress in
          progressHandler?((Float(index) + progress) / Float(steps.count))
        }
      } catch let error as CocoaError {
        throw StoreMigratorError.failed(step.1, error.code)
      }
      if currentURL != url { try destroyStore(at: currentURL) }
      currentURL = destination
    }
    guard currentURL != url else { return }
    try replaceStore(at: url, with: currentURL)
    try destroyStore(at: currentURL)
  }

  // MARK: - Steps

  private mutating func migrate(
    _ step: (from: CookbookVersion, to: CookbookVersion), from source: URL, to destination: URL,
    progress: @escaping (Float) -> Void
  ) throws {
    let sourceModel = kitchen.model(step.from.rawValue)
    let destinationModel = kitchen.model(step.to.rawValue)
    let manager = NSMigrationManager(sourceModel: sourceModel, destinationModel: destinationModel)
    let mapping: NSMappingModel
    if let custom = NSMappingModel(
      from: [kitchen.bundle], forSourceModel: sourceModel, destinationModel: destinationModel)
    {
      mapping = custom
      kinds.append("custom")
    } else {
      mapping = try NSMappingModel.inferredMappingModel(
        forSourceModel: sourceModel, destinationModel: destinationModel)
      kinds.append("inferred")
    }
    let observation = manager.observe(\.migrationProgress, options: [.initial, .new]) {
      manager, _ in
      progress(manager.migrationProgress)
    }
    defer { observation.invalidate() }
    try autoreleasepool {
      try manager.migrateStore(
        from: source, type: .sqlite, options: nil, mapping: mapping, to: destination,
        type: .sqlite, options: nil)
    }
  }

  private func compatibleVersion(for metadata: [String: Any]) -> CookbookVersion? {
    return CookbookVersion.allCases.first {
      kitchen.model($0.rawValue)
        .isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }

  // MARK: - Files

  private func metadata(at url: URL) -> [String: Any]? {
    return try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
  }

  /// What was committed may be in the write-ahead log only.
  private func forceWALCheckpointing(at url: URL) throws {
    guard let metadata = metadata(at: url), let version = compatibleVersion(for: metadata) else {
      return
    }
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: kitchen.model(version.rawValue))
    let options = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    try coordinator.remove(store)
  }

  private func destroyStore(at url: URL) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
  }

  private func replaceStore(at target: URL, with source: URL) throws {
    try NSPersistentStoreCoordinator().replacePersistentStore(
      at: target, destinationOptions: nil, withPersistentStoreFrom: source, sourceOptions: nil,
      ofType: NSSQLiteStoreType)
  }
}

final class MigratorPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do { return try migrate(question) } catch StoreMigratorError.failed(let version, let code) {
      return "failed at \(version.rawValue): \(code.rawValue)"
    } catch { return "\(error)" }
  }

  private func migrate(_ question: String) throws -> String {
    let mappings = question == "no mapping" ? [] : ["One to two", "Two to three"]
    let kitchen = try Kitchen(mappings: mappings)
    defer { try? kitchen.leave() }
    nonisolated(unsafe) var seen: [Float] = []
    var migrator = StoreMigrator(kitchen: kitchen) { seen.append($0) }
    switch question {
    case "all":
      let before = migrator.requiresMigration(at: kitchen.store)
      try migrator.migrateStore(at: kitchen.store)
      return "\(before) \(migrator.requiresMigration(at: kitchen.store)), "
        + migrator.kinds.joined(separator: " ") + ", \(try kitchen.storeCount) store: "
        + (try kitchen.content(of: "Cookbook 3", at: kitchen.store))
    case "one step":
      try migrator.migrateStore(at: kitchen.store, to: .two)
      return try kitchen.content(of: "Cookbook 2", at: kitchen.store)
    case "no mapping":
      try migrator.migrateStore(at: kitchen.store)
      return migrator.kinds.joined(separator: " ") + ": "
        + (try kitchen.content(of: "Cookbook 3", at: kitchen.store))
    case "progress":
      try migrator.migrateStore(at: kitchen.store)
      return seen == seen.sorted() && seen.first == 0 ? "0 to \(seen.last ?? 0)" : "\(seen)"
    case "unknown":
      let other = kitchen.folder.appendingPathComponent("Other.sqlite")
      try NSPersistentStoreCoordinator().addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: other, options: nil)
      let missing = kitchen.folder.appendingPathComponent("Missing.sqlite")
      do { try migrator.migrateStore(at: other) } catch StoreMigratorError.unknownVersion {
        return "unknown version, \(migrator.requiresMigration(at: other)); "
          + "nothing there, \(migrator.requiresMigration(at: missing))"
      }
      return "known"
    default: return "what is \(question)?"
    }
  }
}
