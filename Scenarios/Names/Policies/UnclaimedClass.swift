import CoreData

class Note: NSManagedObject {
  @NSManaged var text: String
}

/// Makes an object of the class where it should have asked for the entity by name.
final class MakingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let note = Note(context: manager.destinationContext)
    note.text = source.value(forKey: "text") as? String ?? ""
    manager.associate(sourceInstance: source, withDestinationInstance: note, for: mapping)
  }
}
