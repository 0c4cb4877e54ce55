/// All calls that make, change, move and remove the files of stores, but for those that SQLite makes itself.
/// They are made here alone, so that every one of them can be seen to fail.
package enum FileCalls {
  package enum Call: Equatable, Sendable {
    /// A new file is made.
    case create(URL)
    /// So many bytes are written.
    case write(URL, bytes: Int)
    case truncate(URL)
    /// What is in a file reaches the disk, or the names in a folder.
    case synchronize(URL)
    case rename(URL, to: URL)
    /// One file is copied to a place where none is.
    case copy(URL, to: URL)
    case remove(URL)
    case makeFolder(URL)
    /// A file that a store refers to is opened.
    case read(URL)
  }

  /// Says with which error number a call is to fail, for tests.
  @TaskLocal package static var fault: (@Sendable (Call) -> Int32?)?

  /// Whether calls are counted or fail, so that the same ones must be made each time.
  static var areWatched: Bool { fault != nil || FaultPlan.current != nil }

  /// Makes a call, unless it is to fail.
  /// - Parameter half: What is done by a call that stops halfway.
  static func perform<Result>(
    _ call: Call, _ body: () throws -> Result, half: () throws -> Void = {}
  ) throws -> Result {
    guard let plan = FaultPlan.current else {
      return try MachineFaultWatch.noting {
        if let code = Self.fault?(call) { throw error(code) }
        return try body()
      }
    }
    if let code = Self.fault?(call) { throw error(code) }
    let fault = CallDepth.inside { call.meet(plan) }
    return try CallDepth.inside {
      switch fault {
      case nil, .death: return try body()
      case .failure(let code): throw error(code)
      case .deathHalfway:
        // Whatever became of it: nobody lives to hear of it.
        try? half()
        FaultPlan.die()
      case .failureHalfway(let code):
        // The error is the one that was planned.
        try? half()
        throw error(code)
      }
    }
  }

  static func error(_ code: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
  }

  static func lastError() -> POSIXError { error(errno) }
}

extension FileCalls.Call {
  fileprivate func meet(_ plan: FaultPlan) -> FileFault? {
    switch self {
    case .create(let url): plan.meet(.open, caller: .engine, path: url.path)
    case .write(let url, let bytes):
      plan.meet(.write, caller: .engine, path: url.path, bytes: bytes)
    case .truncate(let url): plan.meet(.truncate, caller: .engine, path: url.path)
    case .synchronize(let url): plan.meet(.sync, caller: .engine, path: url.path)
    case .rename(let url, let place):
      plan.meet(.rename, caller: .engine, path: url.path, to: place.path)
    case .copy(let url, let place):
      plan.meet(.copy, caller: .engine, path: url.path, to: place.path)
    case .remove(let url): plan.meet(.remove, caller: .engine, path: url.path)
    case .makeFolder(let url): plan.meet(.folder, caller: .engine, path: url.path)
    case .read(let url): plan.meet(.read, caller: .engine, path: url.path)
    }
  }
}

// MARK: - Durable

extension FileCalls {
  /// Makes what is in a file, or the names in a folder, durable.
  /// - Throws: `POSIXError` when that can't be, and what was written may be lost.
  static func synchronize(_ url: URL) throws {
    try perform(.synchronize(url)) {
      let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw lastError() }
      defer { close(descriptor) }
      if fsync(descriptor) == 0 { return }
      let error = lastError()
      // A file system that has nothing of the kind for folders says so; others mean that it failed.
      if url.isFolder, error.code == .EINVAL || error.code == .EOPNOTSUPP { return }
      throw error
    }
  }

  /// Gives a file another name in one step; one that has that name already is gone then.
  /// - Parameter isReplacing: Whether one may have it; else that is `EEXIST`.
  /// - Throws: `POSIXError`; nothing has changed then.
  static func rename(_ url: URL, to place: URL, isReplacing: Bool = true) throws {
    try perform(.rename(url, to: place)) {
      let code =
        isReplacing ? Foundation.rename(url.path, place.path) : renameToFreePlace(url, place)
      guard code == 0 else { throw lastError() }
    }
  }

  private typealias RenameAt =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
  /// The C library's headers don't show it to Swift.
  private static let renameAt = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: RenameAt.self) }
  /// `RENAME_NOREPLACE`.
  private static let noReplace: UInt32 = 1

  private static func renameToFreePlace(_ url: URL, _ place: URL) -> Int32 {
    if let renameAt {
      let code = renameAt(AT_FDCWD, url.path, AT_FDCWD, place.path, noReplace)
      if code == 0 || ![EINVAL, ENOSYS].contains(errno) { return code }
    }
    // A file system that can't: whoever makes something between the two calls loses it.
    var facts = stat()
    guard lstat(place.path, &facts) != 0 else {
      errno = EEXIST
      return -1
    }
    return Foundation.rename(url.path, place.path)
  }
}

// MARK: - Making and writing

extension FileCalls {
  /// Makes a new file for reading and writing.
  /// - Returns: Its descriptor, which isn't inherited: a process started meanwhile, a compiler say, may live
  ///   longer.
  /// - Throws: `POSIXError`, also when something has the name.
  static func create(_ url: URL) throws -> Int32 {
    try perform(.create(url)) {
      let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw lastError() }
      return descriptor
    }
  }

  /// Writes a new file.
  /// - Throws: Foundation's error; a part of it may be there then.
  static func write(_ data: Data, to url: URL) throws {
    try perform(.write(url, bytes: data.count)) {
      try data.write(to: url)
    } half: {
      try data.firstHalf.write(to: url)
    }
  }

  /// Makes these bytes the content of an open file, durable when this returns.
  /// - Throws: `POSIXError`; there may be a part of them then.
  static func replaceContent(of descriptor: Int32, at url: URL, by data: Data) throws {
    try truncate(descriptor, at: url)
    try perform(.write(url, bytes: data.count)) {
      try write(data, descriptor)
    } half: {
      try write(data.firstHalf, descriptor)
    }
    try perform(.synchronize(url)) {
      guard fsync(descriptor) == 0 else { throw lastError() }
    }
  }

  /// Puts an empty file in the place of a file. It is another one of that name: whoever has the old one open goes on
  /// reading that.
  static func replaceByEmptyFile(_ url: URL) throws {
    try perform(.truncate(url)) { try Data().write(to: url, options: .atomic) }
  }

  private static func write(_ data: Data, _ descriptor: Int32) throws {
    let written = data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard written == data.count else { throw written < 0 ? lastError() : error(ENOSPC) }
  }

  static func truncate(_ descriptor: Int32, at url: URL) throws {
    try perform(.truncate(url)) {
      guard ftruncate(descriptor, 0) == 0 else { throw lastError() }
    }
  }

  /// Makes a folder, and those it is in where they are missing.
  /// - Throws: Foundation's error, where it isn't there afterwards.
  static func makeFolder(_ url: URL) throws {
    if url.isFolder { return }
    try perform(.makeFolder(url)) {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
  }

  /// Makes a folder where nothing is yet.
  /// - Parameter isPrivate: Whether it is for nobody else's eyes.
  static func makeNewFolder(_ url: URL, isPrivate: Bool) throws {
    try perform(.makeFolder(url)) {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: false,
        attributes: isPrivate ? [.posixPermissions: 0o700] : nil)
    }
  }

  /// Copies a file to a place where none is.
  static func copy(_ url: URL, to place: URL) throws {
    try perform(.copy(url, to: place)) {
      try FileManager.default.copyItem(at: url, to: place)
    } half: {
      try Data(contentsOf: url).firstHalf.write(to: place)
    }
  }
}

// MARK: - Moving and removing

extension FileCalls {
  /// Moves a file or a folder to a place where nothing is.
  static func move(_ url: URL, to place: URL) throws {
    try perform(.rename(url, to: place)) { try FileManager.default.moveItem(at: url, to: place) }
  }

  /// Removes a file, or a folder with all that is in it.
  static func remove(_ url: URL) throws {
    try perform(.remove(url)) { try FileManager.default.removeItem(at: url) }
  }

  /// Removes a file, not a folder.
  /// - Throws: `POSIXError`, also when there is none.
  static func removeFile(_ url: URL) throws {
    try perform(.remove(url)) {
      guard unlink(url.path) == 0 else { throw lastError() }
    }
  }

  /// Removes a folder that has nothing in it.
  /// - Throws: `POSIXError`, also when there is none or something is in it.
  static func removeEmptyFolder(_ url: URL) throws {
    try perform(.remove(url)) {
      guard rmdir(url.path) == 0 else { throw lastError() }
    }
  }
}

// MARK: - Ordinary files

/// A file that a store refers to, or that lies beside it: whoever made the store chose what is there.
///
/// Only an ordinary file counts. A symbolic link could lead anywhere, and a pipe be waited for without
/// end.
extension FileCalls {
  /// The bytes of an ordinary file; nil when nothing has that name.
  /// - Throws: `POSIXError` or ``StrangeFile`` when there is something that can't be read, or more than `most` bytes.
  package static func readOrdinaryFile(_ url: URL, atMost most: Int = .max) throws -> Data? {
    guard let (descriptor, size) = try openOrdinaryFile(url) else { return nil }
    defer { close(descriptor) }
    if size > most { throw StrangeFile.tooLarge }
    var data = Data(count: size)
    let count = try data.withUnsafeMutableBytes { try read(descriptor, into: $0) }
    // Cut off while it was read.
    guard count == size else { throw POSIXError(.EIO) }
    return data
  }

  /// Whether an ordinary file is there, and may be read.
  /// - Throws: As ``readOrdinaryFile(_:)``.
  package static func hasOrdinaryFile(_ url: URL) throws -> Bool {
    guard let (descriptor, _) = try openOrdinaryFile(url) else { return false }
    close(descriptor)
    return true
  }

  private static func openOrdinaryFile(_ url: URL) throws -> (descriptor: Int32, size: Int)? {
    let opened = try perform(.read(url)) {
      let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      if descriptor >= 0 { return Int32?.some(descriptor) }
      if errno == ENOENT { return nil }
      throw errno == ELOOP ? StrangeFile.symbolicLink : lastError()
    }
    guard let descriptor = opened else { return nil }
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
    case S_IFREG: try FileCalls.copy(url, to: copy)
    case S_IFDIR:
      try makeNewFolder(copy, isPrivate: false)
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

extension Data {
  fileprivate var firstHalf: Data { prefix(count / 2) }
}

/// What is where an ordinary file should be.
enum StrangeFile: Error, CustomStringConvertible, LocalizedError {
  case symbolicLink, folder, other, tooLarge
  indirect case inside(String, StrangeFile)

  func named(_ name: String) -> StrangeFile { .inside(name, self) }

  var description: String {
    switch self {
    case .symbolicLink: "it is a symbolic link, and links aren't followed there"
    case .folder: "it is a folder"
    case .other: "it isn't an ordinary file"
    case .tooLarge: "it is too large"
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
