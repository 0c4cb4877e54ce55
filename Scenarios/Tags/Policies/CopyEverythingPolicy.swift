import CoreData

/// Copies every attribute by its name, and forgets that `tags` has become a relationship.
final class CopyEverythingPolicy: TagsMigrationPolicy {
  override func values(of event: NSManagedObject) -> [String: Any] {
    event.dictionaryWithValues(forKeys: Array(event.entity.attributesByName.keys))
  }
}
