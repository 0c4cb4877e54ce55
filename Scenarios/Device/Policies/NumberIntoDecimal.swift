import CoreData

final class ProbePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    switch source.value(forKey: "name") as! String {
    case "decimal": made.setValue(NSDecimalNumber(string: "5.5"), forKey: "price")
    default: made.setValue(5.5, forKey: "price")
    }
  }
}
