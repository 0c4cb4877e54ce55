import CoreData

/// Makes a song and its parts, and associates all of them with the old song.
class PartsPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let song = insert("Song", for: sInstance, in: mapping, manager: manager)
    song.setValue(sInstance.value(forKey: "title"), forKey: "title")
    for (key, entityName) in [("verse", "Verse"), ("chorus", "Chorus")] {
      guard let text = sInstance.value(forKey: key) as? String else { continue }
      let part = insert(entityName, for: sInstance, in: mapping, manager: manager)
      part.setValue(text, forKey: "text")
      part.setValue(song, forKey: "song")
    }
  }

  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "OldSong")
    for source in try manager.sourceContext.fetch(request) {
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [source])
      for song in made where song.entity.name == "Song" {
        song.setValue(made.count, forKey: "parts")
      }
    }
  }

  private func insert(
    _ entityName: String, for source: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) -> NSManagedObject {
    let made = NSEntityDescription.insertNewObject(
      forEntityName: entityName, into: manager.destinationContext)
    manager.associate(sourceInstance: source, withDestinationInstance: made, for: mapping)
    return made
  }
}
