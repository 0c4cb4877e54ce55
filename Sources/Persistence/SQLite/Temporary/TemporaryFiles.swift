import Synchronization

/// The temporary files of this process.
///
/// Next to each is a lock, `<name>-lock`, which shows whether the process is still alive. Files of a dead
/// process are removed by the next one that uses the folder.
package enum TemporaryFiles {
  private struct Held {
    let lock: FileLock
    /// Returns whether the files are gone.
    let removesFiles: @Sendable () -> Bool
  }

  private struct Register {
    var held: [String: Held] = [:]
    /// How many folders are being removed right now, which are no longer in `held`.
    var beingRemoved = 0
    /// What removes the files of processes that this one started.
    var others: [UUID: @Sendable () -> Void] = [:]
    /// The places looked at for leftovers by now.
    var swept: Set<String> = []
    /// Whether the process is about to end, and nothing is to be made any more.
    var isOver = false
  }

  private static let register = Mutex(Register())
  /// Held while files are made or put in their place, which nothing may come in between of.
  private static let placing = Mutex(())

  static let lockSuffix = "-lock"
  private static let mostSwept = 256

  static func lockURL(of url: URL) -> URL {
    url.deletingLastPathComponent()
      .appendingPathComponent(url.lastPathComponent + lockSuffix, isDirectory: false)
  }

  /// Makes the lock of files that are to be made.
  /// - Parameter remove: Returns whether the files are gone; else the lock stays, for the next process.
  /// - Throws: `POSIXError` when nothing can be written there.
  static func claim(_ url: URL, removingBy remove: @escaping @Sendable () -> Bool) throws {
    let isMade = try register.withLock { register in
      if register.isOver { return false }
      let lock = try FileLock.make(at: lockURL(of: url))
      register.held[url.path] = Held(lock: lock, removesFiles: remove)
      return true
    }
    if !isMade { waitForTheEnd() }
  }

  /// Stops this thread if the process is about to end: what it would tell or write now could be a
  /// consequence of that.
  package static func waitIfOver() {
    if register.withLock({ $0.isOver }) { waitForTheEnd() }
  }

  /// Stops a thread that would go on while its process is about to end.
  private static func waitForTheEnd() -> Never {
    while true { Thread.sleep(forTimeInterval: 60) }
  }

  static func lock(of url: URL) -> FileLock? {
    register.withLock { $0.held[url.path]?.lock }
  }

  /// Removes the lock of files that are gone, or in their place.
  package static func release(_ url: URL) {
    // At once: a lock that is in the folder and not in the register would stay.
    register.withLock { $0.held.removeValue(forKey: url.path)?.lock.remove() }
  }

  /// Leaves a lock, as if the process were dead: it says what the next one has to do.
  static func leave(_ url: URL) {
    register.withLock { _ = $0.held.removeValue(forKey: url.path) }
  }

  /// Whether a place wasn't asked for yet.
  static func isFirstLook(at place: String) -> Bool {
    register.withLock { register in
      // A process that plays thousands of migrations has thousands of places: to look again is no harm.
      if register.swept.count >= mostSwept { register.swept = [] }
      return register.swept.insert(place).inserted
    }
  }

  /// Runs what makes files, or puts them in their place; ``removeAll(_:)`` comes before or after it.
  /// Not from within another such body.
  package static func placing<Result>(_ body: () throws -> Result) rethrows -> Result {
    try placing.withLock { _ in
      waitIfOver()
      return try body()
    }
  }

  /// Removes all files that this process made for a while, and lets nobody make more; for a process
  /// that is about to end.
  /// - Parameter stopOthers: Called in between: ends whoever else writes to these files.
  package static func removeAll(_ stopOthers: () -> Void = {}) {
    placing.withLock { _ in
      register.withLock { $0.isOver = true }
      stopOthers()
      // Two that remove one folder would each fail at what the other has removed.
      while register.withLock({ $0.beingRemoved > 0 }) { Thread.sleep(forTimeInterval: 0.001) }
      let all = register.withLock { register in
        defer { register.held = [:] }
        return register.held.values.map { $0 }
      }
      for held in all {
        // Without its lock, what stays of them would stay for ever.
        if held.removesFiles() { held.lock.remove() }
      }
      for remove in register.withLock({ Array($0.others.values) }) { remove() }
    }
  }

  /// Has something else removed, too, should the process come to its end while `body` runs: what was made
  /// by a process that this one started.
  package static func removingToo<Result>(
    _ remove: @escaping @Sendable () -> Void, while body: () async throws -> Result
  ) async rethrows -> Result {
    let key = UUID()
    register.withLock { $0.others[key] = remove }
    defer { register.withLock { _ = $0.others.removeValue(forKey: key) } }
    return try await body()
  }
}

// MARK: - Temporary folders

/// A place where no temporary folder can be made.
package struct UnusablePlace: LocalizedError, CustomStringConvertible {
  let path: String
  let reason: String

  package var description: String {
    let isSystems = path == FileManager.default.temporaryDirectory.path
    return "\(path): can't make a temporary folder here: \(reason)"
      + (isSystems ? "; set TMPDIR to a folder that is there and can be written" : "")
  }
  package var errorDescription: String? { description }
}

extension TemporaryFiles {
  /// Makes a folder, by default in the system's place for such, after removing those that dead
  /// processes left there.
  /// - Throws: ``UnusablePlace``, `POSIXError` or Foundation's error when it can't be made.
  package static func makeFolder(
    in place: URL = FileManager.default.temporaryDirectory
  ) throws -> URL {
    if isFirstLook(at: place.path) { removeDeadFolders(in: place) }
    let folder = place.appendingPathComponent(
      "\(folderPrefix)\(UUID().uuidString)", isDirectory: true)
    do {
      // At the process's end there is nobody to tell; the next one tries again.
      try claim(folder) { (try? FileCalls.remove(folder)) != nil || !folder.isFolder }
    } catch let error as POSIXError where [.ENOENT, .ENOTDIR, .EACCES].contains(error.code) {
      throw UnusablePlace(path: place.path, reason: error.plainText)
    }
    do {
      try placing { try FileCalls.makeNewFolder(folder, isPrivate: true) }
    } catch {
      release(folder)
      throw error
    }
    return folder
  }

  package static func removeFolder(_ folder: URL) {
    let taken = register.withLock { register in
      let held = register.held.removeValue(forKey: folder.path)
      if held != nil { register.beingRemoved += 1 }
      return held
    }
    // Else the process is about to end, and removes all folders itself.
    guard let held = taken else { return }
    let isGone = held.removesFiles()
    if isGone { held.lock.remove() }
    register.withLock { register in
      register.beingRemoved -= 1
      // Without its lock, what stays of it would stay for ever.
      if !isGone { register.held[folder.path] = held }
    }
  }

  package static let folderPrefix = "heavyweight-for-a-while-"

  /// Removes the folders that dead processes left.
  package static func removeDeadFolders(
    in place: URL = FileManager.default.temporaryDirectory
  ) {
    for lock in deadLocks(in: place, prefix: folderPrefix, nameLength: 36) {
      let name = lock.url.lastPathComponent.dropLast(lockSuffix.count)
      let folder = place.appendingPathComponent(String(name))
      // What can't be removed stays for the next one, with its lock.
      guard (try? FileCalls.remove(folder)) != nil || !folder.isFolder else {
        continue
      }
      lock.remove()
    }
  }

  /// The locks of dead processes in a folder, by the names that ``claim(_:removingBy:)`` gave them.
  static func deadLocks(in folder: URL, prefix: String, nameLength: Int) -> [FileLock] {
    // Where nothing can be listed nothing can be removed.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter {
      $0.hasPrefix(prefix) && $0.hasSuffix(lockSuffix)
        && $0.utf8.count == prefix.utf8.count + nameLength + lockSuffix.utf8.count
    }.compactMap { FileLock.ofDead(at: folder.appendingPathComponent($0)) }
  }
}
