internal import Crypto

/// Compiled policy libraries, kept from run to run by the content that they were made from.
///
/// Several processes may use one directory: a library is made in a directory of its own and then
/// renamed into place, so it is there whole or not at all.
struct PolicyCache: Sendable {
  let directory: URL

  /// - Parameter directory: Where to keep libraries; when nil, `$XDG_CACHE_HOME/heavyweight`, else
  ///   `~/.cache/heavyweight`, or a temporary directory if neither can be written.
  /// - Throws: When `directory` is given and can't be written.
  init(directory chosen: URL? = nil) throws {
    if let chosen {
      try Self.makeWritable(chosen)
      directory = chosen
      return
    }
    directory =
      Self.standardDirectories.first { (try? Self.makeWritable($0)) != nil }
      ?? FileManager.default.temporaryDirectory
  }

  private static var standardDirectories: [URL] {
    let variable = ProcessInfo.processInfo.environment["XDG_CACHE_HOME"]
    let base =
      variable.flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache")
    let temporary = FileManager.default.temporaryDirectory
    return [
      base.appendingPathComponent("heavyweight"),
      temporary.appendingPathComponent("heavyweight-\(getuid())"),
      temporary.appendingPathComponent("heavyweight-\(UUID().uuidString)"),
    ]
  }

  private static func makeWritable(_ directory: URL) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    guard FileManager.default.isWritableFile(atPath: directory.path) else {
      throw PolicyCompilationError(
        "can't write to the cache directory \(directory.path)",
        advice: "Choose another directory for compiled policies.")
    }
  }

  /// The library kept under `key`, whether it exists or not.
  func library(_ key: String) -> URL {
    folder(key).appendingPathComponent("libPolicies.so")
  }

  private func folder(_ key: String) -> URL {
    directory.appendingPathComponent("policies").appendingPathComponent(key)
  }

  /// The library kept under `key`; when there is none, what `make` puts at the place it is given.
  /// - Parameter make: Gets an empty directory to work in, and the file to make.
  func library(_ key: String, make: (_ workspace: URL, _ library: URL) async throws -> Void)
    async throws -> URL
  {
    let kept = library(key)
    let files = FileManager.default
    if files.fileExists(atPath: kept.path) { return kept }
    let workspace = directory.appendingPathComponent("making-\(UUID().uuidString)")
    defer { try? files.removeItem(at: workspace) }
    let result = workspace.appendingPathComponent("result")
    try files.createDirectory(at: result, withIntermediateDirectories: true)
    try await make(workspace, result.appendingPathComponent(kept.lastPathComponent))
    try publish(result, as: folder(key))
    return kept
  }

  /// Renames a finished directory into place. Whoever else did so first made the same library.
  private func publish(_ result: URL, as folder: URL) throws {
    let parent = folder.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
    guard rename(result.path, folder.path) != 0 else { return }
    let reason = String(cString: strerror(errno))
    guard [EEXIST, ENOTEMPTY].contains(errno) else {
      throw PolicyCompilationError("can't keep a compiled library in \(folder.path): \(reason)")
    }
  }
}
