import CoreData

/// Lets Core Data make the object, then sets the one thing it knows.
class TitleOnlyPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    made.first?.setValue(sInstance.value(forKey: "name"), forKey: "title")
  }
}
