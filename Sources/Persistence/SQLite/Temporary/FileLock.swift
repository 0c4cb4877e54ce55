/// A file that stays locked until the process that made it ends.
///
/// The system releases the lock however the process ends. So a process that gets the lock of an existing
/// file knows that the file's maker is dead, which neither process numbers nor times can tell.
final class FileLock: Sendable {
  let url: URL
  private let descriptor: Int32

  private init(_ url: URL, descriptor: Int32) {
    self.url = url
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Makes a new file and locks it.
  /// - Throws: `POSIXError`: why no file can be made there.
  static func make(at url: URL) throws -> FileLock {
    while true {
      let lock = FileLock(url, descriptor: try FileCalls.create(url))
      // On a file system without locks no process can get the lock, so none takes the file for abandoned.
      guard lock.waitForLock() else { return lock }
      // Whoever looked for dead processes' files between the two calls took it for one of those, and removed it.
      if lock.isInPlace { return lock }
    }
  }

  /// Waits for the lock. Who else has it only looks whether the file's maker is dead.
  /// - Returns: Whether there are locks at all.
  private func waitForLock() -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }

  /// The lock of a file whose maker is dead; nil while it lives, and where that can't be known.
  static func ofDead(at url: URL) -> FileLock? {
    let descriptor = open(url.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    let lock = FileLock(url, descriptor: descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, lock.isInPlace else { return nil }
    return lock
  }

  /// Whether the file still has its name: another may have removed it in between.
  private var isInPlace: Bool {
    var (mine, there) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && lstat(url.path, &there) == 0
      && mine.st_ino == there.st_ino && mine.st_dev == there.st_dev
  }

  /// One that can't be removed stays for the next process.
  func remove() { try? FileCalls.removeFile(url) }

  // MARK: Content

  /// What the next process needs to know about unfinished work; durable when written.
  var lines: [String] {
    // Without it the files are removed as those of a migration that never came to its end.
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    // A line without its end was cut off.
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// - Throws: `POSIXError`: why the content can't be written; there is none then.
  func write(_ lines: [String]) throws {
    let text = Data(lines.map { $0 + "\n" }.joined().utf8)
    do { try FileCalls.replaceContent(of: descriptor, at: url, by: text) } catch {
      // The first error is the one to tell, and a line without its end doesn't count.
      try? FileCalls.truncate(descriptor, at: url)
      throw error
    }
  }
}
