import CoreData

/// Means to leave `tags` out, but writes a null under its key.
final class NullTagsPolicy: TagsMigrationPolicy {
  override func values(of event: NSManagedObject) -> [String: Any] {
    var values = super.values(of: event)
    values["tags"] = NSNull()
    return values
  }
}
