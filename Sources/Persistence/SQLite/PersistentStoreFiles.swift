/// The files that make up one SQLite store: the database, its journals, and the folder of large
/// values. They belong together: the newest data, even the only data, may be in the `-wal`.
public struct PersistentStoreFiles: Hashable, Sendable {
  /// The database itself.
  public let url: URL

  public init(_ url: URL) { self.url = url }

  /// Where Core Data keeps the old store after a migration by a mapping model: `~` before the
  /// extension.
  package var backup: PersistentStoreFiles {
    let name = url.deletingPathExtension().lastPathComponent + "~"
    let plain = url.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false)
    return PersistentStoreFiles(
      url.pathExtension.isEmpty ? plain : plain.appendingPathExtension(url.pathExtension))
  }

  public var walURL: URL { sibling("-wal") }
  public var shmURL: URL { sibling("-shm") }
  /// The rollback journal of a store that doesn't use a write-ahead log.
  public var journalURL: URL { sibling("-journal") }

  /// The folder `.<name>_SUPPORT` with the values kept outside the database.
  public var supportFolderURL: URL {
    // Of a migration's temporary neighbours each has a folder of its own.
    let name = (areTemporary ? url : url.deletingPathExtension()).lastPathComponent
    return url.deletingLastPathComponent()
      .appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
  }

  /// The folder of external binary data.
  public var externalDataFolderURL: URL {
    supportFolderURL.appendingPathComponent("_EXTERNAL_DATA", isDirectory: true)
  }

  /// Without its last word Foundation would look on disk whether it is a folder.
  private func sibling(_ suffix: String) -> URL {
    URL(fileURLWithPath: url.relativePath + suffix, isDirectory: false, relativeTo: url.baseURL)
  }

  /// The files beside the database that exist only while it is in use or after a crash.
  private var journals: [URL] { [walURL, shmURL, journalURL] }
  /// What belongs to this store alone, beside the database.
  private var companions: [URL] { journals + (sharesSupportFolder ? [] : [supportFolderURL]) }

  /// Whether another store has the same folder of large values, since its name differs only in the
  /// extension, as with `App.sqlite` and `App.db`. Whose a value in there is can't be told by its name.
  private var sharesSupportFolder: Bool {
    guard !areTemporary, supportFolderURL.isThere else { return false }
    let folder = url.deletingLastPathComponent()
    // What can't be looked for may be there.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return true
    }
    return names.contains { name in
      let other = PersistentStoreFiles(folder.appendingPathComponent(name, isDirectory: false))
      return name != url.lastPathComponent
        && other.supportFolderURL.lastPathComponent == supportFolderURL.lastPathComponent
        && other.beginAsDatabase
    }
  }

  /// Whether the database is an ordinary file that begins as SQLite's do, which journals don't.
  package var beginAsDatabase: Bool {
    guard Self.kind(of: url.resolvingSymlinksInPath()) == S_IFREG,
      let file = try? FileHandle(forReadingFrom: url)
    else { return false }
    defer { try? file.close() }  // It was only read.
    return (try? file.read(upToCount: Self.magic.count)) == Self.magic
  }

  /// Whether the database exists.
  public var exist: Bool { url.isThere }

  /// The same files without symbolic links on the way; all others lie beside the database itself.
  package var resolved: PersistentStoreFiles {
    // Foundation asks of each folder on the way, one after the other; but it can say where what isn't there
    // would be.
    guard let path = realpath(url.path, nil) else {
      return PersistentStoreFiles(url.resolvingSymlinksInPath())
    }
    defer { free(path) }
    return PersistentStoreFiles(URL(fileURLWithPath: String(cString: path), isDirectory: false))
  }

  /// Whether changes wait in a journal that a reader of the database alone wouldn't see.
  var haveUnmergedJournal: Bool {
    [walURL, journalURL].contains { Self.size(of: $0) > 0 }
  }

  /// Bytes of the database alone.
  var databaseSize: Int64 { Self.size(of: url) }

  /// Bytes of the database and its write-ahead log.
  public var size: Int64 { Self.size(of: url) + Self.size(of: walURL) }

  private static func size(of url: URL) -> Int64 {
    var facts = stat()
    if lstat(url.path, &facts) == 0 { return Int64(facts.st_size) }
    // What is there and can't be asked isn't empty: whoever opens it is told why.
    return errno == ENOENT || errno == ENOTDIR ? 0 : 1
  }
}

// MARK: - What is no store

extension PersistentStoreFiles {
  /// Whether the place is the system's null device: an SQLite store there keeps nothing, and is what
  /// Xcode's templates use for tests and previews.
  package var areNullDevice: Bool { resolved.url.path == "/dev/null" }

  /// Whether the database is an ordinary file without a byte in it, as ``destroy()`` leaves one. SQLite takes
  /// it for a database without tables, and journals beside it for those of another.
  package var areEmptyDatabase: Bool {
    let url = resolved.url
    return Self.kind(of: url) == S_IFREG && Self.size(of: url) == 0
  }

  /// Whether a store can be made here: there is no file, or one that holds nothing.
  package var isVacant: Bool { !exist || areEmptyDatabase || areNullDevice }

  /// The kind of file that a path names, links not followed; nil for none.
  private static func kind(of url: URL) -> mode_t? {
    var facts = stat()
    return lstat(url.path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
  }

  /// - Throws: `CoreDataError` for a folder, a device or a pipe: nothing of that kind is ever removed, moved,
  ///   or replaced by a store. A link is, without what it leads to.
  private static func requireFile(_ url: URL) throws {
    guard let kind = kind(of: url), kind != S_IFREG, kind != S_IFLNK else { return }
    throw CoreDataError.isNotTouched(url)
  }

  /// - Throws: As ``requireFile(_:)``, for the database and its journals.
  func requireFiles() throws {
    for url in [url] + journals { try Self.requireFile(url) }
  }

  /// - Throws: `CoreDataError` for whatever is there and is neither an SQLite database nor an empty file.
  package func requireDatabaseIfPresent() throws {
    let files = resolved
    guard files.exist else { return }
    try files.requireFiles()
    let start: Data
    do {
      let file = try FileHandle(forReadingFrom: files.url)
      defer { try? file.close() }  // It was only read.
      start = try file.read(upToCount: Self.magic.count) ?? Data()
    } catch {
      throw CoreDataError.files(url, reason: "The store can't be read", error: error)
    }
    if start.isEmpty || start == Self.magic { return }
    throw CoreDataError.isNoDatabase(url)
  }

  /// What SQLite's databases begin with.
  package static let magic = Data("SQLite format 3\0".utf8)
}

// MARK: - Copying, moving, removing

extension PersistentStoreFiles {
  /// Copies all files of the store, which nobody may be writing to.
  ///
  /// The copies are files of their own that can be written to, also those of links and of files
  /// that are for reading only.
  /// - Throws: `CoreDataError`, also when the destination exists; nothing is left there then.
  public func copy(to destination: PersistentStoreFiles) throws {
    try resolved.transfer(
      to: destination, including: [\.walURL, \.journalURL, \.supportFolderURL],
      by: Self.copyForWriting,
      // What stays of a copy is said by the error that ends it.
      undoing: { _, copy in try? FileCalls.remove(copy) })
  }

  private static func copyForWriting(_ original: URL, to copy: URL) throws {
    let isMine = !copy.isThere
    do { try copyFiles(of: original, to: copy) } catch {
      // The first error is the one to tell.
      if isMine { try? FileCalls.remove(copy) }
      throw error
    }
  }

  private static func copyFiles(of original: URL, to copy: URL) throws {
    let manager = FileManager.default
    try FileCalls.copyOrdinaryFiles(at: original.resolvingSymlinksInPath(), to: copy)
    let inside = manager.enumerator(at: copy, includingPropertiesForKeys: nil)
    for item in [copy] + (inside?.compactMap { $0 as? URL } ?? []) {
      let before = try manager.attributesOfItem(atPath: item.path)[.posixPermissions] as? NSNumber
      guard let bits = before?.intValue, bits & 0o200 == 0 else { continue }
      try manager.setAttributes([.posixPermissions: bits | 0o200], ofItemAtPath: item.path)
    }
  }

  /// Moves all files of the store, which nobody may have open. A folder of large values that another store has,
  /// too, is copied.
  /// - Throws: `CoreDataError`, also when the destination exists; everything is where it was then.
  public func move(to destination: PersistentStoreFiles) throws {
    try requireFiles()
    let sharedFolder = sharesSupportFolder ? supportFolderURL : nil
    try transfer(
      to: destination, including: [\.walURL, \.journalURL, \.supportFolderURL],
      by: { original, place in
        if original == sharedFolder {
          try Self.copyForWriting(original, to: place)
        } else {
          try FileCalls.move(original, to: place)
        }
      },
      undoing: { original, moved in
        if original == sharedFolder {
          // The error that ends the move is the one to tell.
          try? FileCalls.remove(moved)
        } else {
          // What can't go back is where the error says.
          try? FileCalls.move(moved, to: original)
        }
      })
    // It holds nothing: SQLite makes it anew.
    if shmURL.isThere { try? FileCalls.remove(shmURL) }
  }

  private func transfer(
    to destination: PersistentStoreFiles, including parts: [KeyPath<Self, URL>],
    by transfer: (URL, URL) throws -> Void, undoing undo: (URL, URL) -> Void
  ) throws {
    let pairs = ([\.url] + parts).map { (self[keyPath: $0], destination[keyPath: $0]) }
    var done: [(URL, URL)] = []
    do {
      for (from, to) in pairs where from == url || from.isThere {
        try transfer(from, to)
        done.append((from, to))
      }
    } catch {
      for (from, to) in done { undo(from, to) }
      throw CoreDataError.files(
        destination.url, reason: "The store's files can't be written", error: error)
    }
  }

  /// Removes all files of the store; those that don't exist are no error.
  public func remove() throws {
    try removeFiles()
    TemporaryFiles.release(url)
  }

  func removeFiles() throws {
    try requireFiles()
    // The journals go last: a database without its write-ahead log would look whole.
    let files = [url] + companions
    for url in files where url.isThere {
      do {
        try FileCalls.remove(url)
      } catch {
        throw CoreDataError.files(url, reason: "The store can't be removed", error: error)
      }
    }
  }

  /// Leaves an empty database in the place of the store, without journals and large values. Where an empty
  /// file is, or no folder for one, nothing changes.
  /// - Throws: `CoreDataError` when the file is no SQLite database; it is left alone then.
  package func destroy() throws {
    try requireDatabaseIfPresent()
    if !exist, !areNullDevice, url.deletingLastPathComponent().isThere {
      do { return try FileCalls.replaceByEmptyFile(resolved.url) } catch {
        throw CoreDataError.files(url, reason: "The store can't be made", error: error)
      }
    }
    guard !isVacant else { return }
    try resolved.clear()
    TemporaryFiles.release(url)
  }

  /// The database first: SQLite drops journals beside an empty one, should the process be killed on the way.
  private func clear() throws {
    let companions = companions
    do {
      try FileCalls.replaceByEmptyFile(url)
      for url in companions where url.isThere { try FileCalls.remove(url) }
    } catch {
      throw CoreDataError.files(url, reason: "The store can't be removed", error: error)
    }
  }
}

// MARK: - Replacing

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
    try replace(by: new, onlyIfFree: false)
  }

  /// - Parameter onlyIfFree: Whether something that is in the place by now is an error, and left alone.
  package func replace(by new: PersistentStoreFiles, onlyIfFree: Bool) throws {
    let taken = onlyIfFree ? ([url] + companions).first(where: \.isThere) : nil
    if let taken {
      throw CoreDataError.notReplaced(taken, POSIXError(.EEXIST))
    }
    try requireFiles()
    try new.requireFiles()
    try new.mergeJournals()
    if isVacant { try removeJournals() } else { try mergeJournals() }
    let isTidy = try TemporaryFiles.placing { try takeOver(new, onlyIfFree) }
    // The lock says what is to be removed yet.
    if isTidy { TemporaryFiles.release(new.url) } else { TemporaryFiles.leave(new.url) }
  }

  /// - Returns: Whether all is gone that nobody needs any more.
  private func takeOver(_ new: PersistentStoreFiles, _ onlyIfFree: Bool) throws -> Bool {
    let isReplacing = exist
    let replacement: Replacement
    do { replacement = try self.replacement(by: new) } catch {
      throw CoreDataError.notReplaced(url, error)
    }
    let lock = TemporaryFiles.lock(of: new.url)
    do {
      if !replacement.lines.isEmpty { try lock?.write(replacement.lines) }
      // A store that was copied isn't on the disk yet, and a name must not be there before its data.
      try FileCalls.synchronize(new.url)
      try adopt(replacement.adopted, of: new)
      try FileCalls.rename(new.url, to: url, isReplacing: !onlyIfFree)
    } catch {
      giveBack(replacement.adopted, to: new)
      // What it says is undone by now; the next one would find nothing of it.
      try? lock?.write([])
      throw CoreDataError.notReplaced(url, error)
    }
    do { try FileCalls.synchronize(url.deletingLastPathComponent()) } catch {
      // The old store's name may come back after a power failure, and needs its large values then.
      if isReplacing { throw CoreDataError.inPlaceButNotDurable(url, error) }
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
    do { try FileCalls.rename(url, to: new.url) } catch _ {
      throw CoreDataError.inPlaceButNotDurable(url, error)
    }
    giveBack(adopted, to: new)
    throw CoreDataError.notReplaced(url, error)
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
      throw CoreDataError.inPlaceButNotOpened(url, error)
    }
  }

  /// A file of a name that is here already is the same one: names are UUIDs, and no file is ever
  /// written again.
  /// - Throws: When a folder can't be looked into: it isn't empty then.
  private func replacement(by new: PersistentStoreFiles) throws -> Replacement {
    let (old, coming) = (Set(try externalNames()), Set(try new.externalNames()))
    return Replacement(
      adopted: coming.subtracting(old).sorted(),
      dropped: sharesSupportFolder ? [] : old.subtracting(coming).sorted())
  }

  /// Removes journals without a database, which SQLite would apply to the next one of that name.
  private func removeJournals() throws {
    for file in [walURL, shmURL, journalURL] where file.isThere {
      do { try FileCalls.remove(file) } catch { throw CoreDataError.notReplaced(url, error) }
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
      throw CoreDataError.isInUse(url)
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
