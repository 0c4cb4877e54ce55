/// The migration as it goes without a fault: its points, and what it comes to.
package struct UnharmedMigration: Sendable {
  let base: CrashFolder
  let points: [FilePoint]
  let undetermined: [UndeterminedProperty]
  private let undeterminedFacts: Set<String>
  /// The names in the folder, before and after.
  let oldListing: [String]
  let newListing: [String]
  let temporaryListing: [String]
  /// The places where an app's code has stores that are still there in the end.
  let appPlaces: Set<String>
  /// Those that it has removed by then.
  let goneStores: [String]
  private let content: Content
  private let sourceFiles: [String: String]
  let destinationName: String
  /// Whether the store has the newest version already.
  let changesNothing: Bool
  let scenario: CheckedScenario
  private let version: String

  /// What a store has, and what is wrong with it: not changed after it was made.
  private struct Content: @unchecked Sendable {
    let snapshot: ContentSnapshot
    /// The metadata by its keys, and what `inspect` finds.
    let facts: [String: Any]

    init(of file: URL, _ model: ManagedObjectModel) throws {
      let store = try SQLiteStore.openReadOnly(at: file, model: model)
      defer { store.closeUnchanged() }
      snapshot = try ContentSnapshot(of: store, provenance: Provenance())
      let found = try StoreInspector(of: store).inspect(with: model).findings
      var facts = store.metadata
      // Which files may be left over, and until when, is a promise of its own.
      for finding in found where finding.kind != .orphanExternalFile {
        facts["\(finding)"] = "found by inspect"
      }
      self.facts = facts
    }

    /// The names of facts that aren't the same in another.
    func differentFacts(from other: Content) -> Set<String> {
      Set(facts.keys).union(other.facts.keys).filter { name in
        facts.filter { $0.key == name } as NSDictionary
          != other.facts.filter { $0.key == name } as NSDictionary
      }
    }
  }

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
    var contents: [Content] = []
    for play in plays {
      try play.make(like: base)
      counted.append(try await crew.performUnharmed(.count, in: play).points)
      let store = play.play.appending(path: destinationName)
      contents.append(try Content(of: store, scenario.model(version)))
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
    let values = UndeterminedValues([contents.map(\.snapshot)])
    undetermined = values.properties(at: version)
    content = contents[0]
    undeterminedFacts = contents[0].differentFacts(from: contents[1])
    for play in plays { try FileManager.default.removeItem(at: play.root) }
  }

  // MARK: Comparing

  /// Whether the source's files are what they were, byte for byte.
  func isSourceUnchanged(in folder: CrashFolder) throws -> Bool {
    try StoreDigest.files(of: PersistentStoreFiles(folder.source)) == sourceFiles
  }

  /// What isn't as in the unharmed migration's result; nil when all is.
  func difference(in folder: CrashFolder) -> String? {
    do {
      let found = try Content(
        of: folder.play.appending(path: destinationName), scenario.model(version))
      let differences = content.snapshot.leavingOut(undetermined)
        .differences(from: found.snapshot.leavingOut(undetermined))
        .map { "\($0.subject): \($0.second) instead of \($0.first)" }
      let facts = content.differentFacts(from: found).subtracting(undeterminedFacts).sorted().map {
        "\($0): \(found.facts[$0] ?? "nothing") instead of \(content.facts[$0] ?? "nothing")"
      }
      return (differences + facts).first.map { first in
        let more = (differences + facts).count - 1
        return more > 0 ? "\(first), and \(more) more" : first
      }
    } catch {
      return "a store that can't be read: \(error)"
    }
  }
}
