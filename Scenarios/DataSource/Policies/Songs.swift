import CoreData

class Library: NSManagedObject {
  @NSManaged var name: String?
}

class Song: NSManagedObject, MyGenericDataObject {
  @NSManaged var title: String?
  @NSManaged var added: Date?
  @NSManaged var library: Library?

  /// Not stored, and no attribute of the model.
  @objc var groupIndex: String! { return title!.prefix(1).uppercased() }

  class func defaultSortDescriptors() -> [NSSortDescriptor]! {
    return [NSSortDescriptor(key: #keyPath(Song.title), ascending: true)]
  }

  /// Without a library, the songs of all.
  class func relationshipFilterPredicate(for constraintObject: NSManagedObject?) -> NSPredicate? {
    return constraintObject.map { NSPredicate(format: "library == %@", $0) }
  }

  class func searchPredicate(for searchTerm: String?) -> NSPredicate? {
    guard let searchTerm = searchTerm, !searchTerm.isEmpty else { return nil }
    return NSPredicate(format: "title CONTAINS[cd] %@", searchTerm)
  }
}

/// Without a library, none.
class OwnedSong: Song {
  override class func relationshipFilterPredicate(
    for constraintObject: NSManagedObject?
  ) -> NSPredicate? {
    return super.relationshipFilterPredicate(for: constraintObject) ?? NSPredicate(value: false)
  }
}

/// Songs in an order of the screen's.
final class SortedSongs: BasicFetchedResultsDataSource<Song> {
  var sortKeys = ["title"]
  var groups = true

  override var sectionNameKeyPath: String? {
    return groups ? #keyPath(MyGenericDataObject.groupIndex) : nil
  }
  override var sortDescriptorsForFetchRequest: [NSSortDescriptor]! {
    return sortKeys.map { NSSortDescriptor(key: $0, ascending: true) }
  }
}
