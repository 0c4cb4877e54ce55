import CoreData

/// What the songbook's policies share.
///
/// During a migration every object is a plain `NSManagedObject`: `Song`, `Library` and their
/// `awakeFromInsert()` don't take part. So objects are found by entity name and key, never by class.
class SongbookPolicy: NSEntityMigrationPolicy {
  static func find(
    entityName: String, in context: NSManagedObjectContext, where predicate: NSPredicate? = nil,
    sortedBy sortDescriptors: [NSSortDescriptor] = [], limit: Int? = nil
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    if let limit { request.fetchLimit = limit }
    return try context.fetch(request)
  }

  /// The new song of a filename, for the parts of a song that were made on their own.
  ///
  /// `FUNCTION($entityPolicy, "songWithFilename:manager:", $source.filename, $manager)`
  @objc func song(withFilename filename: String, manager: NSMigrationManager) -> NSManagedObject? {
    do {
      let predicate = NSPredicate(format: "%K == %@", #keyPath(Song.filename), filename)
      let songs = try Self.find(
        entityName: "Song", in: manager.destinationContext, where: predicate, limit: 2)
      guard songs.count < 2 else { throw SongbookError.ambiguousFilename(filename) }
      return songs.first
    } catch {
      manager.cancelMigrationWithError(error)
      return nil
    }
  }
}

enum SongbookError: LocalizedError {
  case ambiguousFilename(String)

  var errorDescription: String? {
    switch self {
    case .ambiguousFilename(let filename): "More than one song has the filename \(filename)."
    }
  }
}
