/// Finds files by their suffix, in a folder and the folders in it.
///
/// Hidden files and symbolic links are passed over: links may lead in circles. What is found isn't
/// searched itself, since models and mapping models are folders, too.
package struct FolderSearch {
  private let folder: URL
  private let skipped: Set<String>
  /// Bundles in bundles lie some ten levels deep.
  private static let deepest = 16

  /// - Parameter skipped: Names of folders that aren't searched.
  package init(_ folder: URL, skipping skipped: Set<String> = []) {
    self.folder = folder
    self.skipped = skipped
  }

  /// The files, those nearest to the top first, then in order of names.
  /// - Throws: What `FileManager` throws for a folder that can't be read.
  /// - Complexity: O(*n*) in the number of files in all folders.
  package func files(withExtensions extensions: Set<String>) throws -> [URL] {
    var (found, folders): ([URL], [URL]) = ([], [folder])
    for _ in 0..<Self.deepest where !folders.isEmpty {
      let members = try folders.flatMap(Self.members)
      found += members.filter { extensions.contains($0.pathExtension) }
      folders = members.filter {
        !extensions.contains($0.pathExtension) && !skipped.contains($0.lastPathComponent)
          && $0.isFolder && !$0.isSymbolicLink
      }
    }
    return found
  }

  /// The files that a pattern of the shell stands for, sorted; none where there is none.
  package static func files(matching pattern: String) -> [URL] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { place in
      paths[place].map { URL(fileURLWithPath: String(cString: $0)) }
    }
  }

  /// What a folder holds, hidden files left out, in order of names.
  /// - Throws: What `FileManager` throws for a folder that can't be read.
  package static func members(of folder: URL) throws -> [URL] {
    try MachineFaultWatch.noting {
      // A link to a folder isn't looked into otherwise.
      try FileManager.default.contentsOfDirectory(
        at: folder.resolvingSymlinksInPath(), includingPropertiesForKeys: nil,
        options: .skipsHiddenFiles
      ).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
  }
}

extension URL {
  package var isSymbolicLink: Bool {
    // What can't be read as a link is none.
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }
}
