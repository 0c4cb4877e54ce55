import CoreData

class LibraryFilenamePolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "filenameForLibraryWith:", $manager)`
  @objc func filename(forLibraryWith manager: NSMigrationManager) -> String {
    "library.songbook"
  }
}
