import CoreData

final class ProbePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [source])[0]
    let step = NSEntityDescription.insertNewObject(
      forEntityName: "Step", into: manager.destinationContext)
    made.mutableSetValue(forKey: "steps").add(step)
  }
}
