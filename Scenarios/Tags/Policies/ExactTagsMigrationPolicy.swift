import CoreData

/// The cure for wildcards: a tag is the one with exactly this name.
final class ExactTagsMigrationPolicy: TagsMigrationPolicy {
  override func predicate(forTag name: String) -> NSPredicate {
    NSPredicate(format: "name == %@", name)
  }
}
