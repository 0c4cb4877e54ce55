import CoreData

/// Makes contacts of suppliers, with keys of their own.
final class SupplierPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    for contact in manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])
    {
      // Customers have the same numbers.
      let code = source.value(forKey: "code") as? String ?? ""
      contact.setValue("S-" + code, forKey: "code")
      contact.setValue(true, forKey: "isSupplier")
    }
  }
}
