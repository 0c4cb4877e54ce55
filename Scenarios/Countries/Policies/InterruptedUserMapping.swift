import CoreData

/// Gives up in the middle of its first migration, as an app does that the user puts away.
final class InterruptedUserMapping: NSEntityMigrationPolicy {
  private nonisolated(unsafe) static var wasInterrupted = false
  private var usersSeen = 0

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    usersSeen += 1
    if usersSeen == 2, !Self.wasInterrupted {
      Self.wasInterrupted = true
      let info = [NSLocalizedDescriptionKey: "put away after 2 users"]
      throw NSError(domain: "HeavyweightMigration", code: 77, userInfo: info)
    }
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try super.end(mapping, manager: manager)
    Self.wasInterrupted = false
  }
}
