/// A connection for reading that leaves the file, and the folder it is in, as they are.
///
/// A store whose newest data waits in a `-wal` file or rollback journal is read from a temporary
/// copy, since SQLite merges such files when it opens them.
final class UntouchedDatabase {
  let database: Database
  /// The folder with the copy that is read instead of the original; removed with the object.
  private let temporaryFolder: URL?

  /// - Throws: `CoreDataError` when there is no such file or it can't be opened.
  init(at url: URL) throws {
    let files = PersistentStoreFiles(url).resolved
    guard Self.isFile(files.url), files.haveUnmergedJournal else {
      temporaryFolder = nil
      database = try Database(at: url, access: .immutable)
      return
    }
    let folder = try Self.makeTemporaryFolder(for: url)
    temporaryFolder = folder
    do {
      let copy = PersistentStoreFiles(folder.appendingPathComponent("copy.sqlite"))
      try Self.copy(files, to: copy, shownAs: url)
      database = try Database(at: copy.url, access: .readWrite, shownAs: url)
    } catch {
      TemporaryFiles.removeFolder(folder)
      throw error
    }
  }

  deinit {
    database.close()
    if let temporaryFolder { TemporaryFiles.removeFolder(temporaryFolder) }
  }

  /// Whether a copy is read.
  var isCopy: Bool { temporaryFolder != nil }

  private static func isFile(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }

  private static func makeTemporaryFolder(for url: URL) throws -> URL {
    do { return try TemporaryFiles.makeFolder() } catch {
      throw CoreDataError.journalNotRead(url, error)
    }
  }

  /// Copies the database and its journals, so that SQLite may write to the copies: links are
  /// followed, and a file that is for reading only has a copy that isn't.
  private static func copy(
    _ files: PersistentStoreFiles, to copy: PersistentStoreFiles, shownAs url: URL
  ) throws {
    let manager = FileManager.default
    for part in [\PersistentStoreFiles.url, \.walURL, \.journalURL] {
      let (original, target) = (files[keyPath: part], copy[keyPath: part])
      guard manager.fileExists(atPath: original.path) else { continue }
      do {
        try FileCalls.copy(original.resolvingSymlinksInPath(), to: target)
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
      } catch {
        throw CoreDataError.journalNotRead(url, error)
      }
    }
  }
}
