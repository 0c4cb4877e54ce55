import Synchronization

/// How the versions of a model are read: which of them, and whether each time anew.
package struct VersionReader: Sendable {
  package typealias Version = (model: ManagedObjectModel, notes: [ModelFileNote])

  /// The names of the versions that are wanted; nil for all.
  private let names: Set<String>?
  private let cache: VersionCache?

  package init(only names: Set<String>? = nil, cache: VersionCache? = nil) {
    self.names = names
    self.cache = cache
  }

  func wants(_ name: String) -> Bool { names?.contains(name) ?? true }

  /// Reads a version, unless that was done before.
  /// - Parameter file: The file whose change makes it another version.
  func version(in file: URL, _ read: () throws -> Version) throws -> Version {
    try cache?.version(in: file, read) ?? read()
  }
}

/// Versions that were read, for as long as their files stay as they are. Nobody may change them.
package final class VersionCache: Sendable {
  private struct Entry: Sendable {
    let state: FileState
    let model: ManagedObjectModel
    let notes: [ModelFileNote]
  }
  /// What is known of one file. Whoever else wants it meanwhile waits until it was read.
  private final class Slot: Sendable {
    let entry = Mutex<Entry?>(nil)
  }
  private let slots = Mutex<[String: Slot]>([:])

  package init() {}

  fileprivate func version(
    in file: URL, _ read: () throws -> VersionReader.Version
  ) throws -> VersionReader.Version {
    guard let state = FileState(of: file) else { return try read() }
    let slot = slots.withLock { slots in
      let slot = slots[file.path] ?? Slot()
      slots[file.path] = slot
      return slot
    }
    let entry = try slot.entry.withLock { known in
      if let known, known.state == state { return known }
      let version = try read()
      let entry = Entry(state: state, model: version.model, notes: version.notes)
      known = entry
      return entry
    }
    return (entry.model, entry.notes)
  }
}

/// What tells that a file is still what it was.
package struct FileState: Equatable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let changed: [Int]

  /// nil for a file that isn't there.
  package init?(of file: URL) {
    var status = stat()
    guard stat(file.path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    changed = [
      Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_ctim.tv_sec),
      Int(status.st_ctim.tv_nsec),
    ]
  }
}
