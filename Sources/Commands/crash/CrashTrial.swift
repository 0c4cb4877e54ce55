/// Plays a migration with a fault at one point, looks at what is there then, and starts it again.
package struct CrashTrial: Sendable {
  let unharmed: UnharmedMigration
  let crew: CrashCrew
  let folder: CrashFolder
  let point: Int
  let fault: CrashFault
  let order: FileFault

  private var meant: FilePoint { unharmed.points[point - 1] }
  private var isInPlace: Bool { unharmed.destinationName == StartStore.fileName }
  /// Whether the point is among an app's own files: what the app makes of an error there is its own business.
  private var isAmongAppFiles: Bool { meant.file.hasPrefix(CrashFolder.temporaryName + "/") }

  func play() async throws -> CrashPlay {
    try folder.make(like: unharmed.base)
    var play = CrashPlay(point: point, fault: fault, isHalfway: order.isHalfway)
    let (ending, answer) = try await crew.perform(.harm(at: point, order), in: folder)
    note(ending, answer, in: &play)
    checkPoint(&play)
    try checkState(&play)
    checkError(answer?.failure, &play)
    if play.ending == .failed || play.ending == .finished, meant.kind != .remove {
      try checkLeftovers(&play, "after the error")
    }
    try checkAppStores(&play, "")
    try await startAgain(&play)
    return play
  }

  // MARK: How it ended

  private func note(
    _ ending: Worker.Ending, _ answer: CrashJob.Answer?, in play: inout CrashPlay
  ) {
    if let answer {
      play.ending = answer.failure == nil ? .finished : .failed
      play.error = answer.failure.map { "\($0.domain) \($0.code): \($0.reason)" }
      return
    }
    if order.isDeath, ending == .signalled(SIGKILL) { return }
    play.ending = .died
    play.violate(
      .error, expected: "an error, and a process that goes on",
      found: "the process ended: \(ending)")
  }

  private func checkPoint(_ play: inout CrashPlay) {
    let met = folder.metPoint()
    if met == meant { return }
    play.violate(.point, expected: meant.text, found: met?.text ?? "it wasn't met")
  }

  // MARK: What is there

  private func checkState(_ play: inout CrashPlay) throws {
    let isUnchanged = try unharmed.isSourceUnchanged(in: folder)
    if !isInPlace, !isUnchanged {
      play.violate(.source, expected: "the same bytes", found: "other ones")
    }
    play.state = try state(&play, isUnchanged: isUnchanged)
  }

  private func state(_ play: inout CrashPlay, isUnchanged: Bool) throws -> CrashPlay.State {
    let result = PersistentStoreFiles(folder.play.appending(path: unharmed.destinationName))
    if isInPlace ? isUnchanged : !result.exist { return .old }
    guard let difference = unharmed.difference(in: folder) else { return .whole }
    if isAmongAppFiles, play.ending == .finished { return .other }
    play.violate(
      .result, expected: "the old store, byte for byte, or the result of an undisturbed migration",
      found: difference)
    return .broken
  }

  /// An error is told unless the migration did without what failed.
  private func checkError(_ failure: CrashJob.Answer.Failure?, _ play: inout CrashPlay) {
    switch (play.ending, play.state) {
    case (.finished, .old) where !unharmed.changesNothing:
      play.violate(.error, expected: "an error", found: "none, and the migration wasn't done")
    case (.finished, _) where fault == .fsync && !isAmongAppFiles:
      play.violate(
        .error, expected: "an error, since the result may not be durable",
        found: "the migration reported success")
    case (.failed, .whole) where failure?.saysItIsDone != true:
      play.violate(
        .error, expected: "an error that says that the new store is in place",
        found: play.error ?? "")
    default: break
    }
  }

  private func checkLeftovers(_ play: inout CrashPlay, _ moment: String) throws {
    let wanted = play.state == .old ? unharmed.oldListing : unharmed.newListing
    let (more, less) = try folder.listing().difference(fromSorted: wanted)
    if play.state != .broken, !more.isEmpty || !less.isEmpty {
      let found = more + less.map { "no \($0)" }
      play.violate(
        .leftovers, expected: "nothing but the store's own files \(moment)",
        found: found.joined(separator: ", "))
    }
    // Of the engine's own nothing stays; of an app's code it is only said.
    let temporary = try folder.temporaryListing()
      .difference(fromSorted: unharmed.temporaryListing).more
    let own = temporary.filter { $0.contains(TemporaryFiles.folderPrefix) }
    if !own.isEmpty {
      play.violate(
        .leftovers, expected: "no temporary files \(moment)", found: own.joined(separator: ", "))
    }
    play.leftByApp = temporary.count - own.count
  }

  // MARK: The next start

  private func startAgain(_ play: inout CrashPlay) async throws {
    let (ending, answer) = try await crew.perform(.retry, in: folder)
    guard let answer else {
      return play.violate(
        .retry, expected: "to be migrated", found: "the process ended: \(ending)")
    }
    if let failure = answer.failure {
      return play.violate(.retry, expected: "to be migrated", found: failure.text)
    }
    if play.state == .broken || play.state == .other {
      return try checkAppStores(&play, ", at the next start")
    }
    if !isInPlace, try !unharmed.isSourceUnchanged(in: folder) {
      play.violate(.source, expected: "the same bytes", found: "other ones after the next start")
    }
    if let difference = unharmed.difference(in: folder) {
      play.violate(.retry, expected: "the result of an undisturbed migration", found: difference)
    }
    let state = play.state
    play.state = .whole
    try checkLeftovers(&play, "after the next start")
    play.state = state
    try checkAppStores(&play, ", after the next start")
  }

  // MARK: An app's stores

  private func checkAppStores(_ play: inout CrashPlay, _ moment: String) throws {
    let all = try CrashEvidence.all(in: folder.evidence)
    for evidence in all {
      let name = folder.plainName(evidence.place)
      guard unharmed.appPlaces.contains(name) else { continue }
      let copies = all.filter { $0.place == evidence.place }
      if let problem = CrashedAppStore(place: evidence.place, copies: copies).problem() {
        play.violate(
          .appStores, expected: "\(name): the old store or a whole new one\(moment)", found: problem
        )
        return
      }
    }
  }
}

/// A store that an app's code migrated, after a fault.
private struct CrashedAppStore {
  let place: URL
  let copies: [CrashEvidence]

  /// What is wrong with it; nil where it is an old one or a new one.
  func problem() -> String? {
    let files = PersistentStoreFiles(place)
    guard files.exist else {
      return "there is no store: at its next start the app makes an empty one"
    }
    do {
      if try copies.contains(where: { try hasFiles(of: $0.old) }) { return nil }
      let found = try Facts(of: place)
      for copy in copies.flatMap({ [$0.old, $0.new].compactMap(\.self) }) {
        // What the app saves afterwards is its own business.
        let known = try Facts(of: copy)
        if known.version == found.version, found.count >= known.count { return nil }
      }
      return
        "a store with \(found.count.counted("object")), fewer than the old one had and the new one should have"
    } catch {
      return "a store that can't be read: \(error)"
    }
  }

  /// Whether the bytes are those of a copy.
  private func hasFiles(of copy: URL) throws -> Bool {
    let (here, there) = try (
      StoreDigest.files(of: PersistentStoreFiles(place)),
      StoreDigest.files(of: PersistentStoreFiles(copy))
    )
    return here.values.sorted() == there.values.sorted()
  }

  private struct Facts {
    let version: [String: Data]
    let count: Int

    init(of url: URL) throws {
      let opened = try ComparedStore(url.path, models: [])
      defer { opened.store.closeUnchanged() }
      version = opened.store.metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
      count = try ContentSnapshot(of: opened.store, provenance: Provenance()).objects.count
    }
  }
}

extension FileFault {
  fileprivate var isDeath: Bool { self == .death || self == .deathHalfway }

  fileprivate var isHalfway: Bool {
    if case .failureHalfway = self { return true }
    return self == .deathHalfway
  }
}

extension [String] {
  /// What there is more and less than in another list.
  fileprivate func difference(fromSorted other: [String]) -> (more: [String], less: [String]) {
    var (more, less) = ([String](), [String]())
    for change in difference(from: other) {
      switch change {
      case .insert(_, let name, _): more.append(name)
      case .remove(_, let name, _): less.append(name)
      }
    }
    return (more, less)
  }
}
