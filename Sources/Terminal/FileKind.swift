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
}
