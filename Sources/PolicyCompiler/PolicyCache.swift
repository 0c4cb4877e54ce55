import Synchronization

/// Compiled policy libraries, kept from run to run by the content that they were made from.
///
/// Several processes may use one directory: a library is made in a directory of its own and then
/// renamed into place, so it is there whole or not at all. One that isn't what was put there is removed
/// and made anew.
package struct PolicyCache: Sendable {
  package let directory: URL

  /// Names the place for a process that was started by another one, which may have made it.
  package static let variable = "HEAVYWEIGHT_CACHE_OF_PARENT"
  package static let folderName = "policies"

  /// - Parameters:
  ///   - directory: Where to keep libraries; when nil, `$XDG_CACHE_HOME/heavyweight`, else
  ///     `~/.cache/heavyweight`, or a folder of this process alone if neither can be written.
  ///   - environment: Where `XDG_CACHE_HOME` and `HOME` are looked up.
  /// - Throws: When `directory` is given and can't be written, or no directory can.
  package init(
    directory chosen: URL? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    if let chosen {
      try Self.makeWritable(chosen)
      directory = chosen
      return
    }
    if let given = environment[Self.variable] {
      directory = URL(fileURLWithPath: given, isDirectory: true)
      return
    }
    for candidate in Self.standardDirectories(environment) {
      // A place where nothing can be kept is passed over for the next one.
      guard (try? Self.makeWritable(candidate)) != nil else { continue }
      directory = candidate
      return
    }
    directory = try Self.folderOfProcess()
  }

  private static func standardDirectories(_ environment: [String: String]) -> [URL] {
    // The specification of these directories has relative paths ignored.
    let paths = [
      environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil },
      environment["HOME"].map { $0 + "/.cache" },
    ]
    return paths.compactMap { $0 }.map { URL(fileURLWithPath: $0 + "/heavyweight") }
  }

  private static func makeWritable(_ directory: URL) throws {
    try PrivateFolder.make(directory)
    guard FileManager.default.isWritableFile(atPath: directory.path) else {
      throw PolicyCompilationError(
        "can't write to the cache directory \(directory.path)",
        advice: "Choose another directory for compiled policies.")
    }
  }

  /// The folder of this process alone, if it was needed.
  package static var placeOfProcess: String? { placeOfItsOwn.withLock(\.self)?.path }

  private static let placeOfItsOwn = Mutex<URL?>(nil)

  /// A folder that goes when this process does. No name that others know: what is in it gets loaded, and
  /// anybody may have made a folder of such a name beforehand.
  private static func folderOfProcess() throws -> URL {
    try placeOfItsOwn.withLock { place in
      if let place { return place }
      let folder = try TemporaryFiles.makeFolder()
      place = folder
      atexit {
        if let folder = PolicyCache.placeOfItsOwn.withLock({ $0 }) {
          TemporaryFiles.removeFolder(folder)
        }
      }
      return folder
    }
  }

  /// The library kept under `key`, whether it exists or not.
  func library(_ key: String) -> URL {
    // Libraries that depend on each other know each other by name.
    folder(key).appendingPathComponent("libPolicies-\(key).so")
  }

  private func folder(_ key: String) -> URL {
    directory.appendingPathComponent(Self.folderName).appendingPathComponent(key)
  }

  /// The library kept under `key`; when there is none, what `make` puts at the place it is given.
  /// - Parameter make: Gets an empty directory to work in, and the file to make.
  func library(_ key: String, make: (_ workspace: URL, _ library: URL) async throws -> Void)
    async throws -> URL
  {
    let kept = library(key)
    let files = FileManager.default
    if files.fileExists(atPath: folder(key).path) {
      if isWhole(key) {
        // Else it counts as unused, and is made anew after a month.
        try? files.setAttributes([.modificationDate: Date()], ofItemAtPath: folder(key).path)
        return kept
      }
      try discard(folder(key))
    }
    let workspace = try TemporaryFiles.makeFolder(in: directory)
    defer { TemporaryFiles.removeFolder(workspace) }
    let result = workspace.appendingPathComponent("result")
    try files.createDirectory(at: result, withIntermediateDirectories: true)
    let library = result.appendingPathComponent(kept.lastPathComponent)
    try await make(workspace, library)
    try Self.digest(of: library, key).write(to: Self.digestFile(in: result))
    try publish(result, as: folder(key))
    return kept
  }

  /// Whether the library is what was put there under this key.
  private func isWhole(_ key: String) -> Bool {
    do {
      return try Data(contentsOf: Self.digestFile(in: folder(key)))
        == Self.digest(of: library(key), key)
    } catch {
      // What can't be read can't be loaded either, and is made anew.
      return false
    }
  }

  private static func digestFile(in folder: URL) -> URL {
    folder.appendingPathComponent("digest")
  }

  private static func digest(of library: URL, _ key: String) throws -> Data {
    var hash = SHA2()
    hash.update(Data(key.utf8))
    hash.update(try Data(contentsOf: library, options: .mappedIfSafe))
    return Data(hash.value.hexadecimal.utf8)
  }

  /// Takes an entry away at once, so that nobody finds half of it.
  private func discard(_ entry: URL) throws {
    let trash = try TemporaryFiles.makeFolder(in: directory)
    defer { TemporaryFiles.removeFolder(trash) }
    guard rename(entry.path, trash.appendingPathComponent("entry").path) == 0 || errno == ENOENT
    else {
      throw PolicyCompilationError(
        "the compiled library in \(entry.path) is damaged and can't be removed: "
          + String(cString: strerror(errno)),
        advice: "Remove it, or choose another cache directory.")
    }
  }

  /// Removes libraries that nobody has used for a month: their sources or the tool have changed since. Looks once a day,
  /// since looking at thousands takes longer than many a run.
  package func removeUnused(now: Date = Date()) {
    let files = FileManager.default
    func isOlder(_ url: URL, than seconds: Double) -> Bool? {
      let date = try? files.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
      return date.map { now.timeIntervalSince($0) > seconds }
    }
    let looked = directory.appendingPathComponent("policies-looked-at")
    if isOlder(looked, than: 24 * 3600) == false { return }
    _ = files.createFile(atPath: looked.path, contents: nil)
    let folder = directory.appendingPathComponent(Self.folderName)
    // What can't be looked at or removed stays for the next time: it only takes room.
    for name in (try? files.contentsOfDirectory(atPath: folder.path)) ?? [] {
      let entry = folder.appendingPathComponent(name)
      if isOlder(entry, than: Self.secondsKept) == true { try? files.removeItem(at: entry) }
    }
  }

  private static let secondsKept = 30.0 * 24 * 3600

  /// Renames a finished directory into place. Whoever else did so first made the same library.
  private func publish(_ result: URL, as folder: URL) throws {
    let parent = folder.deletingLastPathComponent()
    try PrivateFolder.make(parent)
    guard rename(result.path, folder.path) != 0 else { return }
    let reason = String(cString: strerror(errno))
    guard [EEXIST, ENOTEMPTY].contains(errno) else {
      throw PolicyCompilationError("can't keep a compiled library in \(folder.path): \(reason)")
    }
  }
}
