import CoreData

/// "Home" and "home" are one tag; whichever comes first gives it its spelling.
final class CaselessTagsMigrationPolicy: TagsMigrationPolicy {
  override func predicate(forTag name: String) -> NSPredicate {
    NSPredicate(format: "name LIKE[c] %@", name)
  }
}
