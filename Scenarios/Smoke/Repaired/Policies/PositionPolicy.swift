import CoreData

/// Numbers the lines of an order.
final class PositionPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let order = source.value(forKey: "order") as? NSManagedObject
    let lines = order?.value(forKey: "lines") as? NSOrderedSet
    for line in manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])
    {
      line.setValue(Int32(lines?.index(of: source) ?? 0), forKey: "position")
    }
  }
}
