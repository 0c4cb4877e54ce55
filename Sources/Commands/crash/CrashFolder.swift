/// The folder of one migration that is played with a fault: its stores, and what an app's code has for
/// temporary files.
struct CrashFolder: Codable, Sendable {
  let root: URL

  /// Everything that may be harmed is in here.
  var play: URL { root.appending(path: "play", directoryHint: .isDirectory) }
  /// What `NSTemporaryDirectory()` is meanwhile.
  var temporary: URL { play.appending(path: Self.temporaryName, directoryHint: .isDirectory) }
  /// Copies of the stores that an app's code migrates, from before and after.
  var evidence: URL { root.appending(path: "evidence", directoryHint: .isDirectory) }
  /// The store that the migration starts from.
  var source: URL { play.appending(path: StartStore.fileName) }

  static let temporaryName = "tmp"

  /// Makes the folder with nothing in it.
  func make() throws {
    for folder in [play, temporary, evidence] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  /// Makes the folder as a copy of another that wasn't played yet.
  func make(like other: CrashFolder) throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: other.play, to: play)
    try FileManager.default.createDirectory(at: evidence, withIntermediateDirectories: true)
  }

  // MARK: The point

  private var metFile: URL { root.appending(path: "met") }

  /// Notes the point at which a fault is about to be made: the process may be dead then.
  func note(_ point: FilePoint) {
    // Without the note, the point counts as not met.
    CallDepth.inside { try? JSONEncoder().encode(point).write(to: metFile) }
  }

  /// The point at which the fault was made; nil where it wasn't.
  func metPoint() -> FilePoint? {
    // One that can't be read wasn't written whole: it counts as not met.
    (try? Data(contentsOf: metFile)).flatMap { try? JSONDecoder().decode(FilePoint.self, from: $0) }
  }

  // MARK: What is there

  /// All files and folders but those of an app's code, sorted, without what is another name each time.
  func listing() throws -> [String] {
    try names().filter { $0 != Self.temporaryName && !$0.hasPrefix(Self.temporaryName + "/") }
      .map(FaultPlan.plainName).sorted()
  }

  /// What an app's code, and the engine for it, left among the temporary files.
  func temporaryListing() throws -> [String] {
    try names().filter { $0.hasPrefix(Self.temporaryName + "/") }.map(FaultPlan.plainName).sorted()
  }

  /// What a file of the folder is called in reports.
  func plainName(_ file: URL) -> String {
    let (path, folder) = (file.standardizedFileURL.path, play.standardizedFileURL.path + "/")
    return FaultPlan.plainName(path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path)
  }

  private func names() throws -> [String] {
    guard let enumerator = FileManager.default.enumerator(atPath: play.path) else {
      throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: play.path])
    }
    return enumerator.compactMap { $0 as? String }
  }
}

/// A store that an app's code migrated, as it was before and as it was made.
struct CrashEvidence {
  /// Where the old store is.
  let place: URL
  /// Copies that are right for it.
  let old: URL
  let new: URL?

  private static let placeName = "place"
  private static let oldName = "old.sqlite"
  private static let newName = "new.sqlite"

  /// Keeps copies of what an app's code migrates; for ``FaultPlan/tell(_:)``.
  static func witness(in folder: URL) -> FaultPlan.Witness {
    { store, isResult in
      // What can't be kept is missed afterwards, and told then.
      try? keep(store, isResult: isResult, in: folder)
    }
  }

  private static func keep(_ store: URL, isResult: Bool, in folder: URL) throws {
    let count = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
    let number = isResult ? count - 1 : count
    let own = folder.appending(path: String(format: "%06d", number))
    if isResult {
      try PersistentStoreFiles(store).copy(to: PersistentStoreFiles(own.appending(path: newName)))
      return
    }
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    try Data(store.path.utf8).write(to: own.appending(path: placeName))
    try PersistentStoreFiles(store).copy(to: PersistentStoreFiles(own.appending(path: oldName)))
  }

  /// What was kept, in its order.
  static func all(in folder: URL) throws -> [CrashEvidence] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      let own = folder.appending(path: name)
      let place = try String(contentsOf: own.appending(path: placeName), encoding: .utf8)
      let new = own.appending(path: newName)
      return CrashEvidence(
        place: URL(fileURLWithPath: place), old: own.appending(path: oldName),
        new: PersistentStoreFiles(new).exist ? new : nil)
    }
  }
}
