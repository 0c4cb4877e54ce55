/// A folder for files that nobody needs afterwards.
enum ScratchFolder {
  /// Makes the folder, and removes it after `body` with all it holds.
  static func with<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(folder) }
    return try body(folder)
  }
}
