import CoreData

/// Counts the words of a note.
final class NotePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let note = NSEntityDescription.insertNewObject(
      forEntityName: "Note", into: manager.destinationContext)
    let text = source.value(forKey: "text") as? String
    note.setValue(text, forKey: "text")
    note.setValue(Int32(text?.split(separator: " ").count ?? 0), forKey: "words")
    manager.associate(sourceInstance: source, withDestinationInstance: note, for: mapping)
  }
}
