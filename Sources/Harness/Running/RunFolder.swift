/// The folder of one run's files.
struct RunFolder {
  let url: URL
  private let isKept: Bool

  /// A fresh folder: in `keep`, named after the run, replacing that of an earlier run; or a
  /// temporary one.
  init(for id: RunID, keptIn keep: URL?) throws {
    isKept = keep != nil
    let file = (id.path as NSString).lastPathComponent
    let name = ScenarioFinder.suffixes.reduce(file) { $0.replacing($1, with: "") }
    if let keep {
      // The suffix makes sure that only folders of runs are ever replaced.
      url = keep.appending(path: "\(Self.safe(name)).\(Self.safe(id.start)).run")
      // Where it can't be removed, making it anew says so.
      try? FileManager.default.removeItem(at: url)
      try PrivateFolder.make(url)
    } else {
      url = try TemporaryFiles.makeFolder(in: Self.temporaryParent)
    }
  }

  /// Stores that nobody keeps needn't reach a disk, which takes most of a small run's time.
  static var temporaryParent: URL {
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let isChosen = ProcessInfo.processInfo.environment["TMPDIR"] != nil
    if !isChosen, FileManager.default.isWritableFile(atPath: memory.path) { return memory }
    return FileManager.default.temporaryDirectory
  }

  private static func safe(_ text: String) -> String {
    String(text.map { $0 == "/" || $0 == ":" ? "-" : $0 })
  }

  /// The name of the store that a run starts with.
  static let storeName = "store.sqlite"

  /// Whether a file of a run's own has the name, or may get it: the store, or one beside it.
  static func isTaken(_ name: String) -> Bool {
    // Where case doesn't count for the file system, another case is the same file.
    let name = name.lowercased()
    return name.hasPrefix(storeName) || name.hasPrefix(".store")
  }

  func removeUnlessKept() {
    if !isKept { TemporaryFiles.removeFolder(url) }
  }
}
