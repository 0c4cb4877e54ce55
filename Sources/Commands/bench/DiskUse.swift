/// How much room files take, by their lengths.
package struct DiskUse {
  private let folder: URL
  /// Only files with this in their names; all when nil.
  private let part: String?

  /// All that is in a folder.
  package init(of folder: URL) {
    self.folder = folder
    part = nil
  }

  /// A migration's result with its journal, its large values, and the temporary stores beside it.
  package init(besides result: URL) {
    folder = result.deletingLastPathComponent()
    part = result.lastPathComponent
  }

  /// Now. Files that disappear meanwhile don't count; those without a name, in which SQLite sorts
  /// what memory doesn't hold, are seen by nobody.
  var bytes: Int64 {
    // Files come and go while they are counted: what is gone takes no room.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { part == nil || $0.contains(part ?? "") }.reduce(0) {
      $0 + Self.bytes(at: "\(folder.path)/\($1)")
    }
  }

  private static func bytes(at path: String) -> Int64 {
    var information = stat()
    guard lstat(path, &information) == 0 else { return 0 }
    if information.st_mode & S_IFMT != S_IFDIR { return Int64(information.st_size) }
    // A folder may go while it is being looked at.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.reduce(0) { $0 + bytes(at: "\(path)/\($1)") }
  }

  /// Looks again and again until the task is cancelled.
  /// - Returns: The largest size seen.
  package func largest(every interval: Duration = .milliseconds(5)) async -> Int64 {
    var most: Int64 = 0
    while !Task.isCancelled {
      most = max(most, bytes)
      // Cancelled, it ends at once.
      try? await Task.sleep(for: interval)
    }
    return max(most, bytes)
  }
}
