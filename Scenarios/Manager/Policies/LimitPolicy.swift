import CoreData

/// Makes numbers of bytes as large as their new type allows at most.
final class LimitPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource file: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let new = NSEntityDescription.insertNewObject(
      forEntityName: "File", into: manager.destinationContext)
    new.setValue(file.value(forKey: "name"), forKey: "name")
    let bytes = file.value(forKey: "bytes") as? Int64 ?? 0
    new.setValue(min(bytes, Int64(Int16.max)), forKey: "bytes")
    manager.associate(sourceInstance: file, withDestinationInstance: new, for: mapping)
  }
}
