import CoreData

/// The app's class for libraries.
class Library: NSManagedObject {
  @NSManaged var name: String
}

class TypedParameterPolicy: NSEntityMigrationPolicy {
  /// Can't be called with an object of the migration, where there are no libraries of this class.
  @objc func label(for library: Library) -> String {
    "Library " + library.name
  }

  /// `FUNCTION($entityPolicy, "labelForObject:", $destination)`
  @objc func label(forObject library: NSManagedObject) -> String {
    "Library " + (library.value(forKey: "name") as? String ?? "")
  }

  /// `FUNCTION($entityPolicy, "labelInAppOf:named:", $manager, $source.name)`
  @objc func label(inAppOf manager: NSMigrationManager, named name: String) -> String {
    guard let context = try? AppContext.make(manager.destinationModel) else { return "no context" }
    return context.performAndWait {
      let library = NSEntityDescription.insertNewObject(forEntityName: "Library", into: context)
      library.setValue(name, forKey: "name")
      return label(for: library as! Library)
    }
  }
}
