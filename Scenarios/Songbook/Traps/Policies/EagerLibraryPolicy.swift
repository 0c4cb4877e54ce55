import CoreData

/// Makes a library for whoever asks.
class EagerLibraryPolicy: NSEntityMigrationPolicy {
  @objc func libraryForManager(_ manager: NSMigrationManager) -> NSManagedObject {
    let library = NSEntityDescription.insertNewObject(
      forEntityName: "Library", into: manager.destinationContext)
    library.setValue("library.songbook", forKey: "filename")
    return library
  }
}
