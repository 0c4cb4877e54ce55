/// A folder that only its owner may look into: what is in it may be somebody's data, or code to be run.
package enum PrivateFolder {
  /// Lets this process make files and folders for its user's eyes only from now on: stores, journals and
  /// copies of them hold customers' data, whatever the user's `umask` is.
  package static func becomeUsual() { _ = umask(0o077) }

  /// Makes a folder, with those above it that aren't there. One that is there stays
  /// as its owner made it.
  package static func make(_ folder: URL) throws {
    let manager = FileManager.default
    if !folder.isFolder {
      try manager.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
  }
}
