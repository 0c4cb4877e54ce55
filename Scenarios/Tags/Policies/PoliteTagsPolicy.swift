import CoreData

/// Overrides every hook only to call Core Data's own.
final class PoliteTagsPolicy: TagsMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    try super.begin(mapping, with: manager)
  }

  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.endInstanceCreation(forMapping: mapping, manager: manager)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
  }

  override func endRelationshipCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.endRelationshipCreation(forMapping: mapping, manager: manager)
  }

  override func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.performCustomValidation(forMapping: mapping, manager: manager)
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    try super.end(mapping, manager: manager)
  }
}
