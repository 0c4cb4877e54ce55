import CoreData

/// A bar that shows how much is done.
final class Bar: NSObject {
  private(set) var shown: [Float] = []
  private(set) var changes: [String] = []
  private var place = 0

  func watch(_ manager: NSMigrationManager, options: NSKeyValueObservingOptions = [.new]) {
    manager.addObserver(
      self, forKeyPath: #keyPath(NSMigrationManager.migrationProgress), options: options,
      context: &place)
  }

  func leave(_ manager: NSMigrationManager) {
    manager.removeObserver(
      self, forKeyPath: #keyPath(NSMigrationManager.migrationProgress), context: &place)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard keyPath == "migrationProgress", let manager = object as? NSMigrationManager else {
      super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
      return
    }
    shown.append(manager.migrationProgress)
    if let new = change?[.newKey] as? Float { changes.append(new == shown.last ? "new" : "stale") }
    if change?[.oldKey] is Float { changes.append("old") }
  }
}

final class OwnManager: NSMigrationManager {
  private(set) var told: [Float] = []

  override func didChangeValue(forKey key: String) {
    super.didChangeValue(forKey: key)
    if key == #keyPath(NSMigrationManager.migrationProgress) { told.append(migrationProgress) }
  }
}

final class WatchedPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do { return try watch(question) } catch { return "\(error)" }
  }

  private func watch(_ question: String) throws -> String {
    switch question {
    case "closure":
      nonisolated(unsafe) var seen: [Float] = []
      try migrate {
        $0.observe(\.migrationProgress, options: [.new]) { manager, change in
          if change.newValue == manager.migrationProgress { seen.append(manager.migrationProgress) }
        }
      }
      return described(seen)
    case "observer":
      let bar = Bar()
      try migrate(after: bar.leave) { bar.watch($0) }
      return described(bar.shown)
    case "changes":
      let bar = Bar()
      try migrate { bar.watch($0, options: [.new, .old]) }
      return bar.changes.prefix(2).joined(separator: " from ")
    case "ended":
      let bar = Bar()
      var hasEnded = false
      try migrate(after: { _ in hasEnded = true }) { manager in
        bar.watch(manager)
        bar.leave(manager)
        return bar
      }
      return "\(bar.shown.count), ended \(hasEnded)"
    case "initial":
      let bar = Bar()
      try migrate { manager in
        bar.watch(manager, options: [.initial])
        bar.leave(manager)
        return bar
      }
      return bar.shown.map { "\($0)" }.joined()
    case "subclass":
      nonisolated(unsafe) var seen: [Float] = []
      let manager = OwnManager(sourceModel: Books.model, destinationModel: Books.model)
      let observation = manager.observe(\.migrationProgress) { manager, _ in
        seen.append(manager.migrationProgress)
      }
      try migrate(by: manager) { _ in }
      observation.invalidate()
      return described(seen) + (manager.told == seen ? ", told itself" : "\(manager.told)")
    case "values":
      let bar = Bar()
      let manager = NSMigrationManager(sourceModel: Books.model, destinationModel: Books.model)
      manager.usesStoreSpecificMigrationManager = false
      try migrate(by: manager) { bar.watch($0) }
      let shown = bar.shown.map { ($0 * 1000).rounded() / 1000 }
      return [1, 3, 5].map { "\(shown[$0])" }.joined(separator: " ")
    default: return "what is \(question)?"
    }
  }

  private func described(_ seen: [Float]) -> String {
    seen == seen.sorted() ? "grows to \(seen.last ?? 0)" : "\(seen)"
  }

  /// Migrates the books, watched by what `watch` sets up.
  private func migrate(
    by manager: NSMigrationManager? = nil, after: (NSMigrationManager) -> Void = { _ in },
    watch: (NSMigrationManager) -> Any
  ) throws {
    let manager =
      manager ?? NSMigrationManager(sourceModel: Books.model, destinationModel: Books.model)
    let context = try Books.context()
    let url = context.persistentStoreCoordinator!.persistentStores[0].url!
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: Books.model, destinationModel: Books.model)
    let observation = watch(manager)
    try manager.migrateStore(
      from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: url.appendingPathExtension("new"), destinationType: NSSQLiteStoreType,
      destinationOptions: nil)
    after(manager)
    _ = observation
  }
}
