import CoreData

/// Makes a song in code, in place of attribute and relationship mappings.
class HandmadeSongPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let song = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    let text = sInstance.value(forKey: "text") as? String
    song.setValue(sInstance.value(forKey: "name"), forKey: "title")
    song.setValue(text, forKey: "text")
    song.setValue("txt", forKey: "fileExtension")
    song.setValue(length(of: text), forKey: "length")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: song, for: mapping)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    guard let artist = sources.first?.value(forKey: "artist") as? NSManagedObject else { return }
    let artists = manager.destinationInstances(
      forEntityMappingName: "OldArtistToArtist", sourceInstances: [artist])
    dInstance.setValue(artists.first, forKey: "artist")
  }

  /// `FUNCTION($entityPolicy, "lengthOf:", $source.text)`
  @objc func length(of text: String?) -> NSNumber {
    NSNumber(value: text?.count ?? 0)
  }
}
