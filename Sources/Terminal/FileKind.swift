/// What a path leads to.
package enum FileKind {
  case missing
  case file
  case folder
  /// A pipe, a socket, a device.
  case other

  /// Follows symbolic links.
  package init(of url: URL) {
    var facts = stat()
    // What can't be looked at is as good as missing: whoever needs it says so.
    guard stat(url.path, &facts) == 0 else {
      self = .missing
      return
    }
    self =
      switch facts.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      default: .other
      }
  }
}

extension URL {
  /// The path without any symbolic link; nil where nothing is.
  package var realPath: String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path without symbolic links on the way, also of a file that isn't there yet.
  package var finalPath: String { finalPath(links: 0) }

  private static let mostLinks = 40

  private func finalPath(links: Int) -> String {
    if let realPath { return realPath }
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let folder = url.deletingLastPathComponent()
    guard folder.path != url.path, links < Self.mostLinks else { return url.path }
    // A link to what isn't there leads to what would be made.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) {
      let place = target.hasPrefix("/") ? target : "\(folder.path)/\(target)"
      return URL(fileURLWithPath: place).finalPath(links: links + 1)
    }
    let parent = folder.finalPath(links: links)
    return (parent == "/" ? "" : parent) + "/" + url.lastPathComponent
  }
}
