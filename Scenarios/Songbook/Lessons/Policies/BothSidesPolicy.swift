import CoreData

/// Links a song to its album from one side, from the other, or from both; the song says which.
class BothSidesPolicy: NSEntityMigrationPolicy {
  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    let albums = manager.destinationInstances(
      forEntityMappingName: "OldAlbumToAlbum",
      sourceInstances: sources.compactMap { $0.value(forKey: "album") as? NSManagedObject })
    guard let album = albums.first else { return }
    let sides = dInstance.value(forKey: "sides") as? String
    if sides != "album" {
      dInstance.setValue(album, forKey: "album")
      dInstance.setValue(album, forKey: "looseAlbum")
    }
    if sides != "song" {
      album.mutableSetValue(forKey: "songs").add(dInstance)
    }
  }
}
