import CoreData

/// Counts a song's length in seconds, too.
class SecondsPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource song: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: song, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [song])
    let minutes = song.value(forKey: "length") as? Double ?? 0
    made.first?.setValue(Int64(minutes * 60), forKey: "seconds")
  }
}
