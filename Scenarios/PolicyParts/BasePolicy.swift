import CoreData

class BasePolicy: NSEntityMigrationPolicy {
  /// The songs that an entity mapping made of one.
  func songs(
    of source: NSManagedObject, in mapping: NSEntityMapping, _ manager: NSMigrationManager
  ) -> [NSManagedObject] {
    manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
  }
}
