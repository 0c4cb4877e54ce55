import CoreData

/// Gives each line a label with its title.
final class LabelPolicy: NSEntityMigrationPolicy {
  override func createRelationships(
    forDestination line: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: line, in: mapping, manager: manager)
    let label = NSEntityDescription.insertNewObject(
      forEntityName: "Label", into: manager.destinationContext)
    label.setValue(line.value(forKey: "title"), forKey: "text")
    label.setValue(line, forKey: "line")
  }
}
