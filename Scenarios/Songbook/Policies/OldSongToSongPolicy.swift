import CoreData

/// Makes a song of the new songbook from one of the old, and puts it into the library.
class OldSongToSongPolicy: SongbookPolicy {
  static let libraryFilename = "library.songbook"

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let dInstance = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    let text = sInstance.value(forKey: "text") as? String
    let lastModified = sInstance.value(forKey: "lastModified")

    dInstance.setValue(lastModified, forKey: #keyPath(Song.createdAt))
    dInstance.setValue(lastModified, forKey: #keyPath(Song.updatedAt))
    dInstance.setValue("txt", forKey: #keyPath(Song.fileExtension))
    dInstance.setValue(sInstance.value(forKey: "filename"), forKey: #keyPath(Song.filename))
    dInstance.setValue(
      sInstance.value(forKey: "firstLetterUppercase"), forKey: #keyPath(Song.firstLetterUppercase))
    dInstance.setValue(sInstance.value(forKey: "name"), forKey: #keyPath(Song.title))
    dInstance.setValue(sInstance.value(forKey: "oldFilename"), forKey: #keyPath(Song.oldFilename))
    dInstance.setValue(text, forKey: #keyPath(Song.text))
    dInstance.setValue(songDataLength(of: text), forKey: #keyPath(Song.songDataLength))
    dInstance.setValue(SongDataType.plainText.rawValue, forKey: #keyPath(Song.typeRaw))
    dInstance.setValue(nil, forKey: #keyPath(Song.userInfoData))
    dInstance.setValue(
      filename(forLibraryWith: manager), forKey: #keyPath(Song.libraryFilename))

    manager.associate(sourceInstance: sInstance, withDestinationInstance: dInstance, for: mapping)
  }

  /// The length of a song's data in bytes.
  private func songDataLength(of text: String?) -> Int {
    text?.utf8.count ?? 0
  }

  /// `FUNCTION($entityPolicy, "filenameForLibraryWith:", $manager)`
  @objc func filename(forLibraryWith manager: NSMigrationManager) -> String {
    Self.libraryFilename
  }

  /// The one library, made by whoever asks first.
  ///
  /// `FUNCTION($entityPolicy, "libraryForManager:", $manager)`
  @objc func libraryForManager(_ manager: NSMigrationManager) -> NSManagedObject? {
    do {
      let sort = NSSortDescriptor(key: #keyPath(Library.filename), ascending: true)
      let found = try Self.find(
        entityName: "Library", in: manager.destinationContext, sortedBy: [sort], limit: 1)
      return found.first ?? makeLibrary(in: manager)
    } catch {
      manager.cancelMigrationWithError(error)
      return nil
    }
  }

  /// What `Library.awakeFromInsert()` does in the app has to be done here.
  private func makeLibrary(in manager: NSMigrationManager) -> NSManagedObject {
    let library = NSEntityDescription.insertNewObject(
      forEntityName: "Library", into: manager.destinationContext)
    library.setValue(filename(forLibraryWith: manager), forKey: #keyPath(Library.filename))
    library.setValue(Date(timeIntervalSince1970: 0), forKey: #keyPath(Library.updatedAt))
    return library
  }
}

/// How the app stores the kind of a song.
enum SongDataType: Int16 {
  case unknown = 0
  case plainText = 1
  case chordPro = 2
}
