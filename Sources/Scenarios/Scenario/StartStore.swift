/// The store that a run starts with, among the files of the run.
package enum StartStore {
  /// The name of the store that a run starts with.
  package static let fileName = "store.sqlite"

  /// Whether a file of a run's own has the name, or may get it: the store, or one beside it.
  static func isTaken(_ name: String) -> Bool {
    // Where case doesn't count for the file system, another case is the same file.
    let name = name.lowercased()
    return name.hasPrefix(fileName) || name.hasPrefix(".store")
  }
}
