import CoreData

/// Shows the progress, and says where the new store belongs.
final class Screen: ProgressiveManagerDelegate {
  var shown: [Float] = []
  var place: URL?
  var mappings: [NSMappingModel] = []

  func manager(_ manager: ProgressiveManager, migrationProgress: Float) {
    shown.append(migrationProgress)
  }

  func manager(
    _ manager: ProgressiveManager, mappingModelsForSource model: NSManagedObjectModel
  ) -> [NSMappingModel] {
    // Made for the second version's recipes.
    return model.entitiesByName["Author"] == nil ? [] : mappings
  }

  func finalDestination(of manager: ProgressiveManager) -> URL? { return place }
}

final class ProgressivePolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do { return try migrate(question) } catch {
      let error = error as NSError
      return "\(error.domain) \(error.code): \(error.localizedDescription)"
    }
  }

  private func migrate(_ question: String) throws -> String {
    let isWhole = question != "gap" && question != "gap closed"
    let kitchen = try Kitchen(mappings: isWhole ? ["One to two", "Two to three"] : ["One to two"])
    defer { try? kitchen.leave() }
    let manager = ProgressiveManager(bundle: kitchen.bundle)
    let screen = Screen()
    manager.delegate = screen
    func run() throws {
      try manager.migrate(kitchen.store, ofType: NSSQLiteStoreType, to: kitchen.model("Cookbook 3"))
    }
    switch question {
    case "chain":
      try run()
      return manager.steps.joined(separator: ", ") + ": "
        + (try kitchen.content(of: "Cookbook 3", at: kitchen.store))
    case "replaced":
      manager.replacesFiles = true
      try run()
      return try kitchen.content(of: "Cookbook 3", at: kitchen.store) + replacements(in: kitchen)
    case "own store", "looking back":
      screen.place = kitchen.folder.appendingPathComponent("New.sqlite")
      manager.goesOnWithNewStore = question == "own store"
      if !manager.goesOnWithNewStore { return try lookBack(manager, kitchen, screen) }
      try run()
      return try
        "old \(kitchen.version(at: kitchen.store)), new \(kitchen.version(at: screen.place!)): "
        + kitchen.content(of: "Cookbook 3", at: screen.place!)
    case "stale":
      screen.mappings = try stale(kitchen)
      try run()
      return try kitchen.content(of: "Cookbook 3", at: kitchen.store)
    case "not bound":
      screen.mappings = try stale(kitchen)
      manager.bindsAnew = false
      do { try run() } catch {
        return "\((error as NSError).code) \(Self.reason(of: error)), "
          + (try kitchen.version(at: kitchen.store))
      }
      return "ran"
    case "gap":
      do { try run() } catch {
        let error = error as NSError
        return try "\(error.code) \(error.localizedDescription), "
          + "\(kitchen.version(at: kitchen.store)): "
          + kitchen.content(of: "Cookbook 2", at: kitchen.store)
      }
      return "no gap"
    case "gap closed":
      do { try run() } catch ProgressiveManager.Failure.noMappingModel {
        try kitchen.add(mapping: "Two to three")
      }
      try run()
      return manager.steps.joined(separator: ", ") + ": "
        + (try kitchen.content(of: "Cookbook 3", at: kitchen.store))
    case "progress":
      try run()
      return steps(of: screen.shown).map(described).joined(separator: ", ")
    default: return "what is \(question)?"
    }
  }

  /// What `replaceItemAt` leaves: the old item where it is wanted, and nothing else.
  private func replacements(in kitchen: Kitchen) throws -> String {
    let folder = kitchen.folder.appendingPathComponent("Replaced")
    let places = ["old", "new", "backup"].map { folder.appendingPathComponent($0) }
    let files = FileManager.default
    var told = ""
    for options: FileManager.ItemReplacementOptions in [[], .withoutDeletingBackupItem] {
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      for place in places.prefix(2) {
        try place.lastPathComponent.write(to: place, atomically: true, encoding: .utf8)
      }
      let result = try files.replaceItemAt(
        places[0], withItemAt: places[1], backupItemName: "backup", options: options)
      let left = try places.filter { files.fileExists(atPath: $0.path) }.map {
        try "\($0.lastPathComponent) is \(String(contentsOf: $0, encoding: .utf8))"
      }
      told += "; \(result?.lastPathComponent ?? "?"): " + left.joined(separator: ", ")
      try files.removeItem(at: folder)
    }
    return told
  }

  /// The values of each step: a step begins where the progress falls.
  private func steps(of shown: [Float]) -> [[Float]] {
    var steps: [[Float]] = []
    for value in shown {
      if let last = steps.last?.last, value >= last {
        steps[steps.count - 1].append(value)
      } else {
        steps.append([value])
      }
    }
    return steps
  }

  private func described(_ values: [Float]) -> String {
    guard let first = values.first, first > 0, values.last == 1 else { return "\(values)" }
    return "grows to 1 in \(values.count)"
  }

  /// A mapping model that was made before its models' last edit.
  private func stale(_ kitchen: Kitchen) throws -> [NSMappingModel] {
    let url = kitchen.bundle.bundleURL.appendingPathComponent("Two to three.xcmappingmodel")
    guard let mapping = NSMappingModel(contentsOf: url) else { return [] }
    for entity in mapping.entityMappings {
      entity.sourceEntityVersionHash = Data([1, 2, 3])
      entity.destinationEntityVersionHash = Data([4, 5, 6])
    }
    return [mapping]
  }

  /// The chain that takes the old store for the second step too: it never gets on.
  private func lookBack(
    _ manager: ProgressiveManager, _ kitchen: Kitchen, _ screen: Screen
  ) throws -> String {
    let source = kitchen.model("Cookbook 2")
    let mapping = NSMappingModel(
      from: [kitchen.bundle], forSourceModel: source, destinationModel: kitchen.model("Cookbook 3"))!
    let second = NSMigrationManager(
      sourceModel: kitchen.model("Cookbook"), destinationModel: kitchen.model("Cookbook 3"))
    do {
      try second.migrateStore(
        from: kitchen.store, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
        toDestinationURL: screen.place!, destinationType: NSSQLiteStoreType,
        destinationOptions: nil)
    } catch { return Self.reason(of: error) }
    return "ran"
  }

  /// What is wrong; the description only says that a migration failed.
  private static func reason(of error: any Error) -> String {
    (error as NSError).userInfo["reason"] as? String ?? error.localizedDescription
  }
}
