#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension PersistentStoreFiles {
  /// Puts another store's files in the place of this one's, so that a kill at any point leaves
  /// either the old store or the new one, whole.
  ///
  /// The two must be in the same file system, and neither may be open. Large values of the new store
  /// are moved first: their names are unique, so that they don't disturb the old one. Then one
  /// rename changes over; what only the old store had is removed last.
  /// - Throws: `CoreDataError`; the old store is still there then.
  public func replace(by new: PersistentStoreFiles) throws {
    try new.mergeJournals()
    if exist { try mergeJournals() } else { removeJournals() }
    let kept = Set(new.externalFiles.map(\.lastPathComponent))
    let old = externalFiles.filter { !kept.contains($0.lastPathComponent) }
    let adopted = try adoptExternalFiles(of: new)
    guard rename(new.url.path, url.path) == 0 else {
      let message = String(cString: strerror(errno))
      for file in adopted { try? FileManager.default.removeItem(at: file) }
      throw CoreDataError(
        .persistentStoreOperation, "The new store can't take the old one's place: \(message)",
        advice: "check that the folder is writable"
      ).at(file: url.path)
    }
    Self.synchronize(folder: url.deletingLastPathComponent())
    for file in old { try? FileManager.default.removeItem(at: file) }
    for rest in [new.supportFolderURL, new.walURL, new.shmURL, walURL, shmURL] {
      try? FileManager.default.removeItem(at: rest)
    }
  }

  /// Removes journals without a database, which SQLite would apply to the next one of that name.
  private func removeJournals() {
    for file in [walURL, shmURL, journalURL] { try? FileManager.default.removeItem(at: file) }
  }

  /// Brings what waits in the store's journals into the database, so that the journals may go.
  public func mergeJournals() throws {
    guard haveUnmergedJournal else { return }
    let database = try Database(at: url, access: .readWrite)
    defer { database.close() }
    // The first read is what rolls a hot rollback journal back.
    _ = try database.integer("SELECT count(*) FROM sqlite_master")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    if haveUnmergedJournal {
      throw CoreDataError(
        .persistentStoreOperation, "The store is in use by another program",
        advice: "close it there first"
      ).at(file: url.path)
    }
  }

  /// The files of large values.
  private var externalFiles: [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: externalDataFolderURL, includingPropertiesForKeys: nil)
    return found ?? []
  }

  /// Moves the files of large values here and makes their names durable. A file of a name that is
  /// here already is the same one: names are UUIDs, and no file is ever written again.
  /// - Returns: Where those are now that weren't here. On an error none is here.
  private func adoptExternalFiles(of new: PersistentStoreFiles) throws -> [URL] {
    let files = new.externalFiles
    if files.isEmpty { return [] }
    var adopted: [URL] = []
    do {
      try FileManager.default.createDirectory(
        at: externalDataFolderURL, withIntermediateDirectories: true)
      for file in files {
        let place = externalDataFolderURL.appendingPathComponent(file.lastPathComponent)
        if FileManager.default.fileExists(atPath: place.path) { continue }
        try FileManager.default.moveItem(at: file, to: place)
        adopted.append(place)
      }
    } catch {
      for file in adopted { try? FileManager.default.removeItem(at: file) }
      throw CoreDataError(
        .persistentStoreOperation, "The new store's large values can't be moved",
        advice: "check that the folder is writable"
      ).at(file: externalDataFolderURL.path).with(value: nil, underlying: error)
    }
    synchronizeExternalFolders()
    return adopted
  }

  /// Makes the names of the files of large values durable, and those of the folders they are in.
  func synchronizeExternalFolders() {
    for folder in [externalDataFolderURL, supportFolderURL, url.deletingLastPathComponent()] {
      Self.synchronize(folder: folder)
    }
  }

  /// Makes the names in a folder durable.
  private static func synchronize(folder: URL) {
    let descriptor = open(folder.path, O_RDONLY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    fsync(descriptor)
  }
}
