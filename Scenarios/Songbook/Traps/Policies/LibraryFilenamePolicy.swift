import CoreData

class LibraryFilenamePolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "filenameForLibraryWith:", $manager)`
  func filename(forLibraryWith manager: NSMigrationManager) -> String {
    "library.songbook"
  }
}
