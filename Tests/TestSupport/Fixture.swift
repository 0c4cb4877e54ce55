import Foundation

/// Files that tests read and that are part of the package: what real stores and predicates recorded as facts.
public enum Fixture {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../Fixtures").standardizedFileURL

  /// The file `name` in `Tests/Fixtures`.
  public static func url(_ name: String) -> URL { folder.appending(path: name) }
}
