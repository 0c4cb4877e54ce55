import CoreData

/// Makes a song and its data in one call, and associates the song only.
class TwoInOnePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let context = manager.destinationContext
    let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
    song.setValue(sInstance.value(forKey: "filename"), forKey: "filename")
    song.setValue(sInstance.value(forKey: "name"), forKey: "title")

    let data = NSEntityDescription.insertNewObject(forEntityName: "SongData", into: context)
    data.setValue(sInstance.value(forKey: "filename"), forKey: "songFilename")
    data.setValue(sInstance.value(forKey: "text"), forKey: "text")

    manager.associate(sourceInstance: sInstance, withDestinationInstance: song, for: mapping)
  }

  /// Notes what a look-up by mapping name finds.
  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    let found = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: sources)
    dInstance.setValue(
      found.compactMap { $0.entity.name }.sorted().joined(separator: " "), forKey: "found")
  }
}
