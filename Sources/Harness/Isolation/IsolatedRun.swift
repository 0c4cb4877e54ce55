/// Plays one run in a process of its own, so that whatever a policy does, only this run fails.
struct IsolatedRun: Sendable {
  let scenario: CheckedScenario
  let id: RunID
  let limits: RunLimits
  let keepFolder: URL?

  /// Never throws: what goes wrong is the run's failure.
  func play() async -> PlayedRun {
    do {
      let work = try WorkFolder()
      defer { work.remove() }
      let folder = try RunFolder(for: id, keptIn: id.backend == .sqlite ? keepFolder : nil)
      defer { folder.removeUnlessKept() }
      var played = try await play(in: folder.url, work.url)
      if keepFolder != nil, id.backend == .sqlite { played.result.folder = folder.url.path }
      return played
    } catch {
      return PlayedRun(failed: id, error, at: scenario.scenario.title.place)
    }
  }

  private func play(in folder: URL, _ work: URL) async throws -> PlayedRun {
    let request = PlayRequest(
      scenario: scenario.scenario.folder
        .appending(path: (id.path as NSString).lastPathComponent).path, shownPath: id.path,
      start: id.start,
      backend: id.backend, folder: folder.path, workFolder: work.path)
    let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
    let child = ChildProcess(
      executable: try Self.executable(), arguments: ["play", text], output: request.outputFile,
      limits: limits)
    let began = ContinuousClock.now
    let ending = try await child.run()
    let hasAnswered = FileManager.default.fileExists(atPath: request.answerFile.path)
    if ending == .exited(0), hasAnswered { return try finished(request) }
    var result = RunResult(id: id)
    result.seconds = (ContinuousClock.now - began).seconds
    result.failures = [
      DeadRun(request: request, scenario: scenario, limits: limits).failure(ending)
    ]
    return PlayedRun(result: result, isComplete: false)
  }

  private func finished(_ request: PlayRequest) throws -> PlayedRun {
    let answer = try PlayAnswer.read(request.answerFile, for: scenario)
    let last = scenario.finalVersion(from: id.start)
    let snapshots = try answer.contents.map { content in
      let model = try scenario.models[content.stage] ?? scenario.model(last)
      return (stage: content.stage, content: try content.snapshot(model: model))
    }
    var result = answer.result
    result.output = Self.text(of: request.outputFile)
    return PlayedRun(result: result, snapshots: snapshots)
  }

  private static func text(of file: URL) -> String {
    (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// This tool itself.
  private static func executable() throws -> URL {
    if let chosen = ProcessInfo.processInfo.environment["HEAVYWEIGHT_EXECUTABLE"] {
      return URL(fileURLWithPath: chosen)
    }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  }
}

/// The folder of what a process and its child tell each other.
private struct WorkFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "heavyweight-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }
}
