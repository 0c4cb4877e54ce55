import ObjectModel

/// A fresh folder that disappears with the test that made it.
public final class TemporaryFolder: Sendable {
  public let url: URL

  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "heavyweight-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The names in it, or in a folder in it, without what is deeper.
  public func names(in path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path).sorted()
  }

  /// Writes `text` to a file in the folder, making the folders on the way.
  @discardableResult
  public func write(_ text: String, to path: String) throws -> URL {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }
}
