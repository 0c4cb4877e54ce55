import CoreData

/// Makes a song; in the second pass the song finds its data by file name, and the one library.
final class SongPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let song = NSEntityDescription.insertNewObject(
      forEntityName: "Song", into: manager.destinationContext)
    let lastModified = sInstance.value(forKey: "lastModified")
    let text = sInstance.value(forKey: "text") as? String
    song.setValue(sInstance.value(forKey: "filename"), forKey: "filename")
    song.setValue(sInstance.value(forKey: "title"), forKey: "title")
    song.setValue(lastModified, forKey: "createdAt")
    song.setValue(lastModified, forKey: "updatedAt")
    song.setValue("txt", forKey: "fileExtension")
    song.setValue(text?.utf8.count ?? 0, forKey: "songDataLength")
    song.setValue(try library(in: manager.destinationContext), forKey: "library")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: song, for: mapping)
  }

  /// The one library, made by whoever asks first.
  private func library(in context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Library")
    request.fetchLimit = 1
    if let found = try context.fetch(request).first { return found }
    let library = NSEntityDescription.insertNewObject(forEntityName: "Library", into: context)
    library.setValue("Library", forKey: "filename")
    library.setValue(Date(timeIntervalSince1970: 0), forKey: "updatedAt")
    return library
  }
}

/// Moves a song's text into an object of its own, which finds its song by file name.
final class SongDataPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let songData = NSEntityDescription.insertNewObject(
      forEntityName: "SongData", into: manager.destinationContext)
    songData.setValue(sInstance.value(forKey: "filename"), forKey: "songFilename")
    let text = sInstance.value(forKey: "text") as? String
    songData.setValue(text.map { Data($0.utf8) }, forKey: "data")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: songData, for: mapping)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    guard let filename = dInstance.value(forKey: "songFilename") as? String else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    request.predicate = NSPredicate(format: "filename == %@", filename)
    request.fetchLimit = 1
    dInstance.setValue(try manager.destinationContext.fetch(request).first, forKey: "song")
  }
}
