/// A path as a file in one folder writes it for another file.
package enum RelativePath {
  package static func text(from folder: URL, to file: URL) -> String {
    let (folder, file) = (folder.standardizedFileURL, file.standardizedFileURL)
    let (here, there) = (folder.pathComponents, file.pathComponents)
    let shared = zip(here, there).prefix { $0 == $1 }.count
    let steps = here.count - shared
    // Only the root in common: the absolute path says it better.
    if shared <= 1 || folder.isBehindLink(within: steps) { return file.path }
    let up = Array(repeating: "..", count: steps)
    return (up + there[shared...]).joined(separator: "/")
  }

  /// What of a path names the folder; empty where nothing does. Foundation's own method stops the process at a path of
  /// one character.
  package static func folder(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = (path.hasSuffix("/") ? parts.dropLast(2) : parts.dropLast()).joined(separator: "/")
    return folder.isEmpty && path.hasPrefix("/") ? "/" : folder
  }

  /// A path from the current folder, where that is short.
  package static func shown(_ file: URL) -> String {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).standardizedFileURL
    let text = self.text(from: here, to: file)
    return text.hasPrefix("../..") ? file.standardizedFileURL.path : text.isEmpty ? "." : text
  }
}

extension URL {
  /// The folder itself, or the next one above it that is there.
  package var nearestFolder: URL {
    var folder = standardizedFileURL
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder.deleteLastPathComponent()
    }
    return folder
  }

  /// Whether one of the last parts of the path is a symbolic link: from there the system goes up to where
  /// the link leads to, and not to where it is.
  fileprivate func isBehindLink(within count: Int) -> Bool {
    var place = self
    for _ in 0..<count {
      var facts = stat()
      if lstat(place.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK { return true }
      place.deleteLastPathComponent()
    }
    return false
  }
}
