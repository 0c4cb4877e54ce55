/// A child process's whole work: plays one run and leaves the answer in a file.
public enum PlaySession {
  /// - Parameter text: The request, as JSON.
  /// - Throws: When the request can't be read, or the answer not be written.
  public static func run(_ text: String) async throws {
    let request = try JSONDecoder().decode(PlayRequest.self, from: Data(text.utf8))
    printLineByLine()
    FlightRecorder.current = try FlightRecorder(file: request.recorderFile)
    let played = await play(request)
    let contents = try played.snapshots.map { try StoredContent(stage: $0.stage, $0.content) }
    try PlayAnswer(result: played.result, contents: contents).write(to: request.answerFile)
  }

  /// What a policy prints must be in the file when the process dies.
  private static func printLineByLine() {
    // Swift's checks of concurrency don't let the variable be named.
    let output = dlsym(nil, "stdout")?.assumingMemoryBound(to: UnsafeMutablePointer<FILE>?.self)
    if let output { setvbuf(output.pointee, nil, _IOLBF, 0) }
  }

  private static func play(_ request: PlayRequest) async -> PlayedRun {
    do {
      let scenario = try CheckedScenario.load(
        contentsOf: URL(fileURLWithPath: request.scenario), shownAs: request.shownPath)
      let loader = PolicyLoader(PolicyCompiler(), for: scenario)
      let policies = try await loader.load(scenario.scenario.policies)
      let folder = URL(fileURLWithPath: request.folder, isDirectory: true)
      return try RunPlayer(scenario: scenario, policies: policies).play(
        RunID(scenario, request.start, request.backend), in: folder,
        log: { try? $0.write(to: request.logFile) })
    } catch {
      // The parent has read and checked the same file, and compiled the same policies.
      let id = RunID(
        path: request.shownPath, title: request.shownPath, start: request.start,
        backend: request.backend, hasSeveralStarts: false)
      return PlayedRun(failed: id, error, at: nil)
    }
  }
}
