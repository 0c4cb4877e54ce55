import CoreData

/// The app's class for libraries.
class Library: NSManagedObject {
  @NSManaged var name: String
}

class TypedParameterPolicy: NSEntityMigrationPolicy {
  /// Never called: there are no libraries of this class during a migration.
  @objc func label(for library: Library) -> String {
    "Library " + library.name
  }

  /// `FUNCTION($entityPolicy, "labelForObject:", $destination)`
  @objc func label(forObject library: NSManagedObject) -> String {
    "Library " + (library.value(forKey: "name") as? String ?? "")
  }
}
