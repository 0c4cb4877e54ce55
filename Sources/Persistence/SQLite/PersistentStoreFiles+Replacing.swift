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
    if exist { try mergeJournals() }
    let old = externalFiles
    try adoptExternalFiles(of: new)
    guard rename(new.url.path, url.path) == 0 else {
      throw CoreDataError(
        .persistentStoreOperation,
        "The new store can't take the old one's place: \(String(cString: strerror(errno)))",
        advice: "check that the folder is writable"
      ).at(file: url.path)
    }
    try Self.synchronize(folder: url.deletingLastPathComponent())
    for file in old { try? FileManager.default.removeItem(at: file) }
    for rest in [new.supportFolderURL, new.walURL, new.shmURL, walURL, shmURL] {
      try? FileManager.default.removeItem(at: rest)
    }
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

  private func adoptExternalFiles(of new: PersistentStoreFiles) throws {
    let files = new.externalFiles
    if files.isEmpty { return }
    do {
      try FileManager.default.createDirectory(
        at: externalDataFolderURL, withIntermediateDirectories: true)
      for file in files {
        try FileManager.default.moveItem(
          at: file, to: externalDataFolderURL.appendingPathComponent(file.lastPathComponent))
      }
    } catch {
      throw CoreDataError(
        .persistentStoreOperation, "The new store's large values can't be moved",
        advice: "check that the folder is writable"
      ).at(file: externalDataFolderURL.path).with(value: nil, underlying: error)
    }
  }

  /// Makes the names in a folder durable.
  private static func synchronize(folder: URL) throws {
    let descriptor = open(folder.path, O_RDONLY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    fsync(descriptor)
  }
}
