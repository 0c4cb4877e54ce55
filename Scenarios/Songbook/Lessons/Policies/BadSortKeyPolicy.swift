import CoreData

/// Sorts a fetch by a key that the entity doesn't have, and passes the error on.
class BadSortKeyPolicy: NSEntityMigrationPolicy {
  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    request.sortDescriptors = [NSSortDescriptor(key: "titel", ascending: true)]
    _ = try manager.destinationContext.fetch(request)
  }
}
