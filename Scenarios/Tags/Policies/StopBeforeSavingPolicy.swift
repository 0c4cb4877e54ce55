import CoreData

/// For debugging: looks at what the migration has made, then stops it before anything is saved.
final class StopBeforeSavingPolicy: TagsMigrationPolicy {
  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try super.end(mapping, manager: manager)
    let made = Dictionary(grouping: manager.destinationContext.insertedObjects) {
      $0.entity.name ?? ""
    }
    let summary = made.keys.sorted().map { "\(made[$0]?.count ?? 0) \($0)" }
    let info = [NSLocalizedDescriptionKey: "unsaved: " + summary.joined(separator: ", ")]
    manager.cancelMigrationWithError(NSError(domain: "Locations", code: 12, userInfo: info))
  }
}
