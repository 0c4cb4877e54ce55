import CoreData

/// Numbers the lines of an order.
final class PositionPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Line")
    let siblings = try manager.sourceContext.fetch(request).filter {
      $0.value(forKey: "order") as? NSManagedObject == source.value(forKey: "order")
        as? NSManagedObject
    }
    let order = source.value(forKey: "order") as? NSManagedObject
    let lines = order?.value(forKey: "lines") as? NSOrderedSet
    let position = siblings.isEmpty ? 0 : lines?.index(of: source) ?? 0
    for line in manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])
    {
      line.setValue(Int32(position), forKey: "position")
    }
  }
}
