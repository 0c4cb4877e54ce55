import CoreData

public class Album: NSManagedObject {
  @NSManaged public var name: String
  @NSManaged public var songs: Set<Song>?

  @nonobjc public class func fetchRequest() -> NSFetchRequest<Album> {
    return NSFetchRequest<Album>(entityName: "Album")
  }
}

@objc(Song)
public class Song: NSManagedObject {
  @NSManaged public var title: String
  @NSManaged public var seconds: Int32
  @NSManaged public var added: Date?
  @NSManaged public var album: Album?

  public override func awakeFromInsert() {
    super.awakeFromInsert()
    added = Date(timeIntervalSince1970: 0)
  }

  public override func validateForInsert() throws {
    try super.validateForInsert()
    guard title != "forbidden" else {
      throw NSError(
        domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError,
        userInfo: [NSLocalizedDescriptionKey: "This title is forbidden."])
    }
  }

  @nonobjc public class func fetchRequest() -> NSFetchRequest<Song> {
    return NSFetchRequest<Song>(entityName: "Song")
  }
}
