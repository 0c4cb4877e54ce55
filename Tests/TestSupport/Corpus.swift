import ObjectModel
import Testing

/// The folder of real models, mappings and stores, which isn't part of the package.
public enum Corpus {
  /// `HEAVYWEIGHT_CORPUS`, else `../shared/corpus` beside the package; nil where neither exists.
  public static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let named = ProcessInfo.processInfo.environment["HEAVYWEIGHT_CORPUS"].map { URL(filePath: $0) }
    let candidates = [
      named, package.appending(path: "../shared/corpus"),
      package.appending(path: "../../shared/corpus"),
    ]
    return candidates.compactMap { $0?.standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// For `.enabled(if:)` of a test that needs the corpus.
  public static var isPresent: Bool { folder != nil && TieredTrait.isWanted("corpus") }
  public static let absenceMessage: Comment =
    "needs the corpus of real files; set HEAVYWEIGHT_CORPUS to its folder"

  /// The corpus file or folder at `path`, such as `wire/stores/2-3.sqlite`.
  public static func url(_ path: String) throws -> URL {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return folder.appending(path: path)
  }
}
