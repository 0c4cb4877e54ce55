import CoreData

/// Makes contacts of suppliers.
final class SupplierPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    for contact in manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])
    {
      contact.setValue(true, forKey: "isSupplier")
    }
  }
}
