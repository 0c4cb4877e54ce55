/// Plays one run in a process of its own, so that whatever a policy does, only this run fails.
struct IsolatedRun: Sendable {
  let scenario: CheckedScenario
  let id: RunID
  let limits: RunLimits
  let keepFolder: URL?
  let workers: WorkerPool
  let cache: CacheChoice?
  /// Whether another run's contents are compared with this one's.
  let isCompared: Bool
  /// Whether the processes reach nothing but their folders and what the scenario names.
  var isConfined = false
  /// Whether the result has the steps' plans.
  var explainsSteps = false

  /// Never throws: what goes wrong is the run's failure.
  /// - Parameter isAgain: Whether it is played for what its stores hold, which aren't opened again.
  func play(isAgain: Bool = false) async -> PlayedRun {
    do {
      // A run in memory has no stores in files.
      let folder = id.backend == .sqlite ? try RunFolder(for: id, keptIn: keepFolder) : nil
      defer { folder?.removeUnlessKept() }
      return try await withWorkFolder { files in
        var played = try await play(in: folder, files)
        if let folder, let ending = played.ending, played.result.isPassed, !isAgain {
          let failures = try await open(ending, in: folder, files.forOpening)
          played.result.reopening = ReopeningOutcome(ending, failures)
          played.result.failures += failures
        }
        if keepFolder != nil { played.result.folder = folder.map { ShownPath.of($0.url) } }
        return played
      }
    } catch {
      return PlayedRun(failed: id, error, at: scenario.scenario.title.place)
    }
  }

  // MARK: Playing

  private func play(in runFolder: RunFolder?, _ files: ExchangeFiles) async throws -> PlayedRun {
    let folder = runFolder?.url ?? URL(fileURLWithPath: files.folder, isDirectory: true)
    let request = PlayRequest(
      scenario: RequestedScenario(scenario.scenario), start: id.start,
      backend: id.backend,
      folder: folder.path, policyFolder: cache?.folder,
      engineDigests: scenario.scenario.policies.isEmpty ? [:] : EngineModules.knownDigests,
      // What a confined process makes is for nobody else, and what comes of a deliberate fault is nobody's.
      stores: isConfined || scenario.mutation != nil ? nil : cache?.stores, files: files,
      objects: scenario.scenario.objects, wantsContents: isCompared, explainsSteps: explainsSteps,
      mutation: scenario.mutation)
    let began = ContinuousClock.now
    let ending = try await workers.perform(
      .play(request), .playing, alone: !scenario.scenario.policies.isEmpty, within: limits,
      sandbox: try sandbox(files, changing: folder))
    if let answer = try answer(files, ending) { return try finished(files, answer) }
    // What it was about to write is no result.
    for name in ["store.sqlite"] + [scenario.scenario.destination?.value].compactMap(\.self) {
      PersistentStoreFiles(folder.appending(path: name)).removeLeftovers()
    }
    var result = RunResult(id: id)
    result.seconds = (ContinuousClock.now - began).seconds
    result.failures = [deadRun(files).failure(ending)]
    return PlayedRun(result: result, isComplete: false)
  }

  private func sandbox(_ files: ExchangeFiles, changing folder: URL) throws -> Sandbox? {
    guard isConfined else { return nil }
    return try Sandbox(
      scenario.filesForSandbox(), exchange: files, changing: [folder], cache: cache?.folder)
  }

  private func deadRun(_ files: ExchangeFiles) -> DeadRun {
    DeadRun(id: id, files: files, scenario: scenario, limits: limits)
  }

  /// The answer of a worker that came to its end, or that had said all that matters.
  private func answer(_ files: ExchangeFiles, _ ending: Worker.Ending) throws -> PlayAnswer? {
    guard FileManager.default.fileExists(atPath: files.answer.path) else { return nil }
    let answer = try PlayAnswer.read(files.answer, for: scenario, within: limits)
    return ending == .answered || answer.isReplaying ? answer : nil
  }

  private func finished(_ files: ExchangeFiles, _ answer: PlayAnswer) throws -> PlayedRun {
    let last = scenario.versionAtEnd(from: id.start)
    let snapshots = try answer.contents.map { content in
      let model = try scenario.models[content.stage] ?? scenario.model(last)
      return (stage: content.stage, content: try content.snapshot(model: model))
    }
    var result = answer.result
    // Of these the other process knows no more than it was told.
    result.id = id
    result.folder = nil
    result.output = files.printed
    return PlayedRun(result: result, snapshots: snapshots, ending: answer.ending)
  }

  // MARK: Opening again

  /// Opens the run's store in a process that had no part in it.
  private func open(
    _ ending: StoreEnding, in folder: RunFolder, _ files: ExchangeFiles
  ) async throws -> [Failure] {
    let request = OpenRequest(
      scenario: RequestedScenario(scenario.scenario), ending: ending, files: files,
      mutation: scenario.mutation)
    let outcome = try await workers.perform(
      .open(request), .opening, alone: false, within: limits,
      sandbox: try sandbox(files, changing: folder.url))
    guard outcome == .answered else { return [deadRun(files).failure(outcome)] }
    let answer: OpenAnswer = try ProcessAnswer.read(files.answer, within: limits)
    return answer.problem.map { [$0.failure(of: scenario, ending)] } ?? []
  }
}

/// A folder for what a process and its worker tell each other, for as long as `body` takes.
package func withWorkFolder<Result>(
  _ body: (ExchangeFiles) async throws -> Result
) async throws -> Result {
  let url = try TemporaryFiles.makeFolder(in: RunFolder.temporaryParent)
  defer { TemporaryFiles.removeFolder(url) }
  let files = ExchangeFiles(folder: url.path)
  do { _ = try FlightRecorder(file: files.recorder) } catch {
    if let fault = MachineFault(error) { throw fault }
    throw Diagnostics(file: url.path, "no space for a run's files: \(error.plainText)")
  }
  return try await body(files)
}
