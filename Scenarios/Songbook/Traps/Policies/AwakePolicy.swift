import CoreData

/// The app's class, which gives each new song its identifier.
class Song: NSManagedObject {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    setValue(UUID(), forKey: "uuid")
  }
}

/// Relies on `Song.awakeFromInsert()`, which isn't called during a migration.
class AwakePolicy: NSEntityMigrationPolicy {}
