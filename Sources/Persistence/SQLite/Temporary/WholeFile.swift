/// Writes files of a person's: whole or not at all, in the place that a link leads to, with the modes that they had.
///
/// What a killed call left beside one, `.<name>.heavyweight-…`, is removed by the next one that writes it.
package enum WholeFile {
  /// What a file must be to be written.
  package enum Condition: Sendable {
    /// There, or not.
    case any
    /// Not there, nor anything else of its name.
    case new
    /// With these bytes; without any where it isn't there.
    case unchanged(since: Data)
  }

  /// What was to be written over isn't what it was when the new content was made of it.
  package struct Changed: Error, CustomStringConvertible, LocalizedError {
    package var description: String {
      "it was changed in the meantime, and nothing of that is overwritten; try again"
    }
    package var errorDescription: String? { description }
  }

  private static let mark = "heavyweight-"
  private static let markLength = 8
  private static let mostLinks = 40

  /// - Parameter mode: The rights that a new file gets, but for those that the process's mask takes away.
  /// - Throws: `POSIXError`, `EEXIST` for a file that isn't new; ``Changed``. Everything is as it was then.
  package static func write(
    _ data: Data, to url: URL, if condition: Condition = .any, mode: mode_t = 0o666
  ) throws {
    let place = if case .new = condition { url } else { try target(of: url) }
    let folder = place.deletingLastPathComponent()
    let prefix = ".\(place.lastPathComponent).\(mark)"
    removeLeftovers(in: folder, prefix)
    let new = folder.appendingPathComponent(
      prefix + UUID().uuidString.prefix(markLength), isDirectory: false)
    try TemporaryFiles.claim(new) { unlink(new.path) == 0 || errno == ENOENT }
    do {
      try TemporaryFiles.placing {
        try make(new, data: data, like: place, mode: mode)
        try check(condition, place)
        if case .new = condition {
          try FileCalls.rename(new, to: place, isReplacing: false)
        } else {
          try FileCalls.rename(new, to: place)
        }
      }
    } catch {
      unlink(new.path)
      TemporaryFiles.release(new)
      throw error
    }
    TemporaryFiles.release(new)
  }

  private static func removeLeftovers(in folder: URL, _ prefix: String) {
    for lock in TemporaryFiles.deadLocks(in: folder, prefix: prefix, nameLength: markLength) {
      let name = String(lock.url.lastPathComponent.dropLast(TemporaryFiles.lockSuffix.count))
      // What can't be removed stays for the next one, with its lock.
      if unlink(folder.appendingPathComponent(name).path) == 0 || errno == ENOENT { lock.remove() }
    }
  }

  /// Where links lead to, also to what isn't there yet.
  private static func target(of url: URL) throws -> URL {
    var url = url
    for _ in 0..<mostLinks {
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else {
        return url
      }
      let folder = url.deletingLastPathComponent()
      url = link.hasPrefix("/") ? URL(fileURLWithPath: link) : folder.appendingPathComponent(link)
    }
    throw POSIXError(.ELOOP)
  }

  private static func make(_ new: URL, data: Data, like place: URL, mode: mode_t) throws {
    let descriptor = open(new.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw FileCalls.lastError() }
    defer { close(descriptor) }
    var old = stat()
    if stat(place.path, &old) == 0 {
      // Whose it is only root can keep.
      _ = fchown(descriptor, old.st_uid, old.st_gid)
      guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else { throw FileCalls.lastError() }
    }
    try data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Foundation.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
        if count >= 0 { done += count } else if errno != EINTR { throw FileCalls.lastError() }
      }
    }
    guard fsync(descriptor) == 0 else { throw FileCalls.lastError() }
  }

  private static func check(_ condition: Condition, _ place: URL) throws {
    guard case .unchanged(let expected) = condition else { return }
    var facts = stat()
    let found = stat(place.path, &facts) == 0 ? try Data(reading: place) : Data()
    if found != expected { throw Changed() }
  }
}
