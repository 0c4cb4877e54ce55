extension PersistentStoreFiles {
  /// Puts another store's files in the place of this one's, so that a kill at any point leaves
  /// either the old store or the new one, whole.
  ///
  /// The two must be in the same file system, and neither may be open. Large values of the new store
  /// are moved first: their names are unique, so that they don't disturb the old one. Then one
  /// rename changes over; what only the old store had is removed last. When this returns, all of it
  /// is durable.
  /// - Throws: `CoreDataError`; the old store is still there then.
  public func replace(by new: PersistentStoreFiles) throws {
    try new.mergeJournals()
    if exist { try mergeJournals() } else { removeJournals() }
    try TemporaryFiles.placing { try takeOver(new) }
    TemporaryFiles.release(new.url)
  }

  private func takeOver(_ new: PersistentStoreFiles) throws {
    let replacement = replacement(by: new)
    let lock = TemporaryFiles.lock(of: new.url)
    do {
      if !replacement.lines.isEmpty { try lock?.write(replacement.lines) }
      // A store that was copied isn't on the disk yet, and a name must not be there before its data.
      Self.synchronize(new.url)
      try adopt(replacement.adopted, of: new)
      guard rename(new.url.path, url.path) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch {
      giveBack(replacement.adopted, to: new)
      try? lock?.write([])
      throw CoreDataError(
        .persistentStoreOperation, "The new store can't take the old one's place",
        advice: "check that the folder is writable"
      ).at(file: url.path).with(value: nil, underlying: error)
    }
    Self.synchronize(url.deletingLastPathComponent())
    removeExternalFiles(replacement.dropped)
    for rest in [new.supportFolderURL, new.walURL, new.shmURL, walURL, shmURL] {
      try? FileManager.default.removeItem(at: rest)
    }
  }

  /// A file of a name that is here already is the same one: names are UUIDs, and no file is ever
  /// written again.
  private func replacement(by new: PersistentStoreFiles) -> Replacement {
    let (old, coming) = (Set(externalNames), Set(new.externalNames))
    return Replacement(
      adopted: coming.subtracting(old).sorted(), dropped: old.subtracting(coming).sorted())
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

  /// The names of the files of large values.
  private var externalNames: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: externalDataFolderURL.path)) ?? []
  }

  /// The files of large values, sorted by name.
  package var externalFiles: [URL] {
    externalNames.sorted().map(externalDataFolderURL.appendingPathComponent)
  }

  /// Moves files of large values here and makes their names durable.
  private func adopt(_ names: [String], of new: PersistentStoreFiles) throws {
    if names.isEmpty { return }
    try FileManager.default.createDirectory(
      at: externalDataFolderURL, withIntermediateDirectories: true)
    for name in names {
      Self.synchronize(new.externalDataFolderURL.appendingPathComponent(name))
      try FileManager.default.moveItem(
        at: new.externalDataFolderURL.appendingPathComponent(name),
        to: externalDataFolderURL.appendingPathComponent(name))
    }
    synchronizeExternalFolders()
  }

  /// Undoes ``adopt(_:of:)``, also where that stopped on the way.
  private func giveBack(_ names: [String], to new: PersistentStoreFiles) {
    for name in names {
      try? FileManager.default.moveItem(
        at: externalDataFolderURL.appendingPathComponent(name),
        to: new.externalDataFolderURL.appendingPathComponent(name))
    }
    removeExternalFiles(names)
  }

  /// Makes the names of the files of large values durable, and those of the folders they are in.
  func synchronizeExternalFolders() {
    for folder in [externalDataFolderURL, supportFolderURL, url.deletingLastPathComponent()] {
      Self.synchronize(folder)
    }
  }

  /// Makes what is in a file, or the names in a folder, durable.
  private static func synchronize(_ url: URL) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    fsync(descriptor)
  }
}
