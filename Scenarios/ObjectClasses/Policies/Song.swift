import CoreData

/// An app's class for the objects of an entity.
class Song: NSManagedObject {
  @NSManaged var title: String
}

/// A subclass for those of a subentity.
class OwnedSong: Song {}
