import CoreData

/// Forgets that an entity it doesn't know needs super.
final class OnlyEventsPolicy: TagsMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard sInstance.entity.name == "Event" else {
      NSLog("Unexpected source class: %@", sInstance.entity.name ?? "none")
      return
    }
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
  }
}
