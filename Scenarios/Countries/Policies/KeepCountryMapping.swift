import CoreData

/// Sets the country on an entity that has none.
final class KeepCountryMapping: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let users = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    for user in users {
      user.setValue(sInstance.value(forKey: "userCountry"), forKey: "userCountry")
    }
  }
}
