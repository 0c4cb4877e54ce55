extension PersistentStoreFiles {
  /// Puts another store's files in the place of this one's, so that a kill at any point leaves
  /// either the old store or the new one, whole.
  ///
  /// The two must be in the same file system, and neither may be open. Large values of the new store
  /// are moved first: their names are unique, so that they don't disturb the old one. Then one
  /// rename changes over; what only the old store had is removed last. When this returns, all of it
  /// is durable.
  /// - Throws: `CoreDataError`; the old store is still there then, unless the error says that the new
  ///   one is.
  public func replace(by new: PersistentStoreFiles) throws {
    try requireFiles()
    try new.requireFiles()
    try new.mergeJournals()
    if isVacant { try removeJournals() } else { try mergeJournals() }
    let isTidy = try TemporaryFiles.placing { try takeOver(new) }
    // The lock says what is to be removed yet.
    if isTidy { TemporaryFiles.release(new.url) } else { TemporaryFiles.leave(new.url) }
  }

  /// - Returns: Whether all is gone that nobody needs any more.
  private func takeOver(_ new: PersistentStoreFiles) throws -> Bool {
    let isReplacing = exist
    let replacement: Replacement
    do { replacement = try self.replacement(by: new) } catch { throw notReplaced(error) }
    let lock = TemporaryFiles.lock(of: new.url)
    do {
      if !replacement.lines.isEmpty { try lock?.write(replacement.lines) }
      // A store that was copied isn't on the disk yet, and a name must not be there before its data.
      try FileCalls.synchronize(new.url)
      try adopt(replacement.adopted, of: new)
      try FileCalls.rename(new.url, to: url)
    } catch {
      giveBack(replacement.adopted, to: new)
      // What it says is undone by now; the next one would find nothing of it.
      try? lock?.write([])
      throw notReplaced(error)
    }
    do { try FileCalls.synchronize(url.deletingLastPathComponent()) } catch {
      // The old store's name may come back after a power failure, and needs its large values then.
      if isReplacing { throw notDurable(error) }
      try withdraw(replacement.adopted, to: new, error)
    }
    var isTidy = removeExternalFiles(replacement.dropped)
    for rest in [new.supportFolderURL, new.walURL, new.shmURL, walURL, shmURL]
    where rest.isThere {
      // Empty by now; one that stays is no data, and whoever opens the store next removes it.
      try? FileCalls.remove(rest)
      isTidy = isTidy && !rest.isThere
    }
    return isTidy
  }

  /// Takes a store that had nothing to replace out of its place again, since its name may not last: so
  /// whoever tries again finds the place free.
  private func withdraw(
    _ adopted: [String], to new: PersistentStoreFiles, _ error: any Error
  ) throws -> Never {
    do { try FileCalls.rename(url, to: new.url) } catch _ { throw notDurable(error) }
    giveBack(adopted, to: new)
    throw notReplaced(error)
  }

  private func notReplaced(_ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "The new store can't take the old one's place",
      advice: "check that the folder is writable, has space, and that its disk is sound"
    ).at(file: url.path).with(value: nil, underlying: error)
  }

  /// How the errors begin that come when the new store has its place already.
  package static let inPlaceReason = "The new store is in its place"

  /// Whether an error says that the new store is in its place all the same.
  package static func isAboutNewStoreInPlace(_ error: any Error) -> Bool {
    guard let error = error as? CoreDataError else { return false }
    return error.reason.hasPrefix(inPlaceReason)
      || error.underlying.map(isAboutNewStoreInPlace) == true
  }

  /// Does what comes when the new store is in its place, and has its errors say that it is.
  package func whenInPlace<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw CoreDataError(
        .persistentStoreOperation,
        Self.inPlaceReason + ", whole, but can't be opened and closed there",
        advice: "look at the error behind this one; there is nothing to migrate again"
      ).at(file: url.path).with(value: nil, underlying: error)
    }
  }

  private func notDurable(_ error: any Error) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation,
      Self.inPlaceReason + ", whole, but the system couldn't make that durable: after a power "
        + "failure the old one may be back",
      advice: "check the disk before you rely on it"
    ).at(file: url.path).with(value: nil, underlying: error)
  }

  /// A file of a name that is here already is the same one: names are UUIDs, and no file is ever
  /// written again.
  /// - Throws: When a folder can't be looked into: it isn't empty then.
  private func replacement(by new: PersistentStoreFiles) throws -> Replacement {
    let (old, coming) = (Set(try externalNames()), Set(try new.externalNames()))
    return Replacement(
      adopted: coming.subtracting(old).sorted(), dropped: old.subtracting(coming).sorted())
  }

  /// Removes journals without a database, which SQLite would apply to the next one of that name.
  private func removeJournals() throws {
    for file in [walURL, shmURL, journalURL] where file.isThere {
      do { try FileCalls.remove(file) } catch { throw notReplaced(error) }
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

  /// The names of the files of large values. Whatever else is in the folder is nobody's value, and
  /// stays as it is.
  private func externalNames() throws -> [String] {
    try FileCalls.names(in: externalDataFolderURL).filter { UUID(uuidString: $0) != nil }
  }

  /// The files of large values, sorted by name.
  /// - Throws: When their folder can't be looked into.
  package func externalFiles() throws -> [URL] {
    try externalNames().sorted().map(externalDataFolderURL.appendingPathComponent)
  }

  /// Moves files of large values here and makes their names durable.
  private func adopt(_ names: [String], of new: PersistentStoreFiles) throws {
    if names.isEmpty { return }
    try FileCalls.makeFolder(externalDataFolderURL)
    for name in names {
      try FileCalls.synchronize(new.externalDataFolderURL.appendingPathComponent(name))
      try FileCalls.move(
        new.externalDataFolderURL.appendingPathComponent(name),
        to: externalDataFolderURL.appendingPathComponent(name))
    }
    try synchronizeExternalFolders()
  }

  /// Undoes ``adopt(_:of:)``, also where that stopped on the way.
  private func giveBack(_ names: [String], to new: PersistentStoreFiles) {
    for name in names {
      // Not all were moved, and none is lost: the new store's own files are removed with it.
      try? FileCalls.move(
        externalDataFolderURL.appendingPathComponent(name),
        to: new.externalDataFolderURL.appendingPathComponent(name))
    }
    removeExternalFiles(names)
  }

  /// Makes the names of the files of large values durable, and those of the folders they are in.
  /// - Throws: `POSIXError` when that can't be.
  func synchronizeExternalFolders() throws {
    for folder in [externalDataFolderURL, supportFolderURL, url.deletingLastPathComponent()] {
      try FileCalls.synchronize(folder)
    }
  }
}
