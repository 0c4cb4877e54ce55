/// What a path leads to.
package enum FileKind {
  case missing
  case file
  case folder
  /// A pipe, a socket, a device.
  case other

  /// Follows symbolic links.
  package init(of url: URL) {
    let real = url.resolvingSymlinksInPath()
    // What can't be looked at is as good as missing: whoever needs it says so.
    let attributes = try? FileManager.default.attributesOfItem(atPath: real.path)
    self =
      switch attributes?[.type] as? FileAttributeType {
      case nil: .missing
      case .typeRegular: .file
      case .typeDirectory: .folder
      default: .other
      }
  }
}
