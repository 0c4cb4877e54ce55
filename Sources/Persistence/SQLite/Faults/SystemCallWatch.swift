import CSQLite

/// Notes a fault of the machine where SQLite meets it. Afterwards SQLite says of a disk that can't be read that the file
/// is damaged, and of one without room for a file that it can't open the file.
enum SystemCallWatch {
  private typealias Open = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32
  private typealias Read = @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int

  /// Has SQLite open and read files through here.
  static func install() {
    let open: Open = { path, flags, mode in
      SystemCallWatch.noting(SystemCallWatch.open?(path, flags, mode) ?? -1)
    }
    let read: Read = { file, bytes, count, place in
      SystemCallWatch.noting(SystemCallWatch.read?(file, bytes, count, place) ?? -1)
    }
    replace("open", Self.open, by: open)
    for name in ["pread", "pread64"] { replace(name, Self.read, by: read) }
  }

  private static let open = real("open").map { unsafeBitCast($0, to: Open.self) }
  private static let read =
    (real("pread64") ?? real("pread")).map { unsafeBitCast($0, to: Read.self) }

  private static func real(_ name: String) -> sqlite3_syscall_ptr? {
    guard let system = sqlite3_vfs_find(nil) else { return nil }
    return system.pointee.xGetSystemCall?(system, name)
  }

  private static func replace<Call>(_ name: String, _ old: Call?, by new: Call) {
    guard old != nil, real(name) != nil, let system = sqlite3_vfs_find(nil) else { return }
    _ = system.pointee.xSetSystemCall(
      system, name, unsafeBitCast(new, to: sqlite3_syscall_ptr.self))
  }

  private static func noting<Result: SignedInteger>(_ result: Result) -> Result {
    let code = errno
    if result < 0, MachineFault.Kind(system: code) != nil {
      Thread.current.threadDictionary[key] = code
      MachineFaultWatch.note(FileCalls.error(code))
      errno = code
    }
    return result
  }

  private static let key = "SystemCallWatch"

  /// The number of the last fault in this thread that no error was made of yet.
  static func takeLast() -> Int32? {
    defer { Thread.current.threadDictionary.removeObject(forKey: key) }
    return Thread.current.threadDictionary[key] as? Int32
  }
}
