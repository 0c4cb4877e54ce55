/// The migration as it goes without a fault: its points, and what it comes to.
package struct UnharmedMigration: Sendable {
  let base: CrashFolder
  let points: [FilePoint]
  let undetermined: [UndeterminedProperty]
  /// The names in the folder, before and after.
  let oldListing: [String]
  let newListing: [String]
  let temporaryListing: [String]
  /// The places where an app's code has stores that are still there in the end.
  let appPlaces: Set<String>
  /// Those that it has removed by then.
  let goneStores: [String]
  private let content: UncheckedContent
  private let sourceFiles: [String: String]
  let destinationName: String
  /// Whether the store has the newest version already.
  let changesNothing: Bool
  let scenario: CheckedScenario
  private let version: String

  /// Snapshots of contents aren't changed after they were made.
  private struct UncheckedContent: @unchecked Sendable { let snapshot: ContentSnapshot }

  /// Plays it twice: what isn't the same then, the source doesn't determine.
  init(of base: CrashFolder, by crew: CrashCrew) async throws {
    self.base = base
    scenario = crew.scenario
    version = scenario.finalVersion(from: crew.start)
    sourceFiles = try StoreDigest.files(of: PersistentStoreFiles(base.source))
    oldListing = try base.listing()
    destinationName = scenario.scenario.destination?.value ?? StartStore.fileName
    let parent = base.root.deletingLastPathComponent()
    let plays = ["first", "second"].map { CrashFolder(root: parent.appending(path: $0)) }
    var counted: [[FilePoint]] = []
    var contents: [ContentSnapshot] = []
    for play in plays {
      try play.make(like: base)
      counted.append(try await crew.performUnharmed(.count, in: play).points)
      let store = play.play.appending(path: destinationName)
      contents.append(try Self.content(of: store, scenario.model(version)))
    }
    points = counted[0]
    guard points.contains(where: { $0.caller == .sqlite }) else {
      throw Diagnostics(
        file: scenario.scenario.file.path, "this build can't observe SQLite's file operations")
    }
    newListing = try plays[0].listing()
    let store = PersistentStoreFiles(plays[0].play.appending(path: destinationName))
    changesNothing = try store.exist && StoreDigest.files(of: store) == sourceFiles
    temporaryListing = try plays[0].temporaryListing()
    let places = try CrashEvidence.all(in: plays[0].evidence).map(\.place)
    appPlaces = Set(places.filter { PersistentStoreFiles($0).exist }.map(plays[0].plainName))
    goneStores = Set(places.map(plays[0].plainName)).subtracting(appPlaces).sorted()
    let values = UndeterminedValues([contents])
    undetermined = values.properties(at: version)
    content = UncheckedContent(snapshot: contents[0].leavingOut(undetermined))
    for play in plays { try FileManager.default.removeItem(at: play.root) }
  }

  private static func content(
    of store: URL, _ model: ManagedObjectModel
  ) throws -> ContentSnapshot {
    let store = try SQLiteStore.openReadOnly(at: store, model: model)
    // Closing what was only read loses nothing.
    defer { try? store.close() }
    return try ContentSnapshot(of: store, provenance: Provenance())
  }

  // MARK: Comparing

  /// Whether the source's files are what they were, byte for byte.
  func isSourceUnchanged(in folder: CrashFolder) throws -> Bool {
    try StoreDigest.files(of: PersistentStoreFiles(folder.source)) == sourceFiles
  }

  /// What isn't as in the unharmed migration's result; nil when all is.
  func difference(in folder: CrashFolder) -> String? {
    do {
      let found = try Self.content(
        of: folder.play.appending(path: destinationName), scenario.model(version))
      let differences = content.snapshot.differences(from: found.leavingOut(undetermined))
      return differences.first.map { first in
        let more = differences.count > 1 ? ", and \(differences.count - 1) more" : ""
        return "\(first.subject): \(first.second) instead of \(first.first)\(more)"
      }
    } catch {
      return "a store that can't be read: \(error)"
    }
  }
}
