/// The calls by which stores are made durable and put in their place. They are made here alone, so
/// that every one of them can be seen to fail.
package enum FileCalls {
  package enum Call: Equatable, Sendable {
    /// What is in a file reaches the disk, or the names in a folder.
    case synchronize(URL)
    case rename(URL, to: URL)
    /// A file that a store refers to is opened.
    case read(URL)
  }

  /// Says with which error number a call is to fail, for tests.
  @TaskLocal package static var fault: (@Sendable (Call) -> Int32?)?

  private static func fail(_ call: Call) throws {
    guard let code = fault?(call) else { return }
    throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
  }

  static func lastError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// Makes what is in a file, or the names in a folder, durable.
  /// - Throws: `POSIXError` when that can't be, and what was written may be lost.
  static func synchronize(_ url: URL) throws {
    try fail(.synchronize(url))
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw lastError() }
    defer { close(descriptor) }
    if fsync(descriptor) == 0 { return }
    let error = lastError()
    // A file system that has nothing of the kind for folders says so; others mean that it failed.
    if url.isFolder, error.code == .EINVAL || error.code == .EOPNOTSUPP { return }
    throw error
  }

  /// Gives a file another name in one step; one that has that name already is gone then.
  /// - Throws: `POSIXError`; nothing has changed then.
  static func rename(_ url: URL, to place: URL) throws {
    try fail(.rename(url, to: place))
    guard Foundation.rename(url.path, place.path) == 0 else { throw lastError() }
  }
}

// MARK: - Ordinary files

/// A file that a store refers to, or that lies beside it: whoever made the store chose what is there.
///
/// Only an ordinary file counts. A symbolic link could lead anywhere, and a pipe be waited for without
/// end.
extension FileCalls {
  /// The bytes of an ordinary file; nil when nothing has that name.
  /// - Throws: `POSIXError` or ``StrangeFile`` when there is something that can't be read.
  static func readOrdinaryFile(_ url: URL) throws -> Data? {
    guard let (descriptor, size) = try openOrdinaryFile(url) else { return nil }
    defer { close(descriptor) }
    var data = Data(count: size)
    let count = try data.withUnsafeMutableBytes { try read(descriptor, into: $0) }
    // Cut off while it was read.
    guard count == size else { throw POSIXError(.EIO) }
    return data
  }

  /// Whether an ordinary file is there, and may be read.
  /// - Throws: As ``readOrdinaryFile(_:)``.
  static func hasOrdinaryFile(_ url: URL) throws -> Bool {
    guard let (descriptor, _) = try openOrdinaryFile(url) else { return false }
    close(descriptor)
    return true
  }

  private static func openOrdinaryFile(_ url: URL) throws -> (descriptor: Int32, size: Int)? {
    try fail(.read(url))
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw errno == ELOOP ? StrangeFile.symbolicLink : lastError()
    }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      defer { close(descriptor) }
      throw lastError()
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw facts.st_mode & S_IFMT == S_IFDIR ? StrangeFile.folder : StrangeFile.other
    }
    return (descriptor, Int(facts.st_size))
  }

  private static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    var done = 0
    while done < buffer.count {
      let count = Foundation.read(descriptor, buffer.baseAddress! + done, buffer.count - done)
      if count == 0 { break }
      if count > 0 { done += count } else if errno != EINTR { throw lastError() }
    }
    return done
  }

  /// Copies an ordinary file, or a folder of nothing but such and of folders.
  /// - Throws: Foundation's error, or ``StrangeFile`` for anything else in it.
  static func copyOrdinaryFiles(at url: URL, to copy: URL) throws {
    var facts = stat()
    guard lstat(url.path, &facts) == 0 else { throw lastError() }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: try FileManager.default.copyItem(at: url, to: copy)
    case S_IFDIR:
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
        let (from, to) = (url.appendingPathComponent(name), copy.appendingPathComponent(name))
        do { try copyOrdinaryFiles(at: from, to: to) } catch let error as StrangeFile {
          throw error.named(name)
        }
      }
    case S_IFLNK: throw StrangeFile.symbolicLink
    default: throw StrangeFile.other
    }
  }

  /// The names in a folder; none where there is no such folder.
  /// - Throws: `POSIXError` or Foundation's error when there is one that can't be looked into.
  static func names(in folder: URL) throws -> [String] {
    var facts = stat()
    guard stat(folder.path, &facts) == 0 else {
      if errno == ENOENT { return [] }
      throw lastError()
    }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }
}

/// What is where an ordinary file should be.
enum StrangeFile: Error, CustomStringConvertible, LocalizedError {
  case symbolicLink, folder, other
  indirect case inside(String, StrangeFile)

  func named(_ name: String) -> StrangeFile { .inside(name, self) }

  var description: String {
    switch self {
    case .symbolicLink: "it is a symbolic link, and none is followed there"
    case .folder: "it is a folder"
    case .other: "it is no ordinary file"
    case .inside(let name, let kind): "'\(name)': \(kind)"
    }
  }

  var errorDescription: String? { description }
}

extension URL {
  /// Whether something has this name, or that can't be known.
  var isThere: Bool {
    var facts = stat()
    return stat(path, &facts) == 0 || (errno != ENOENT && errno != ENOTDIR)
  }
}
