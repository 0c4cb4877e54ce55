/// One call of `heavyweight capture`: writes a scenario of what a store holds and what its migration comes to.
struct CaptureSession {
  var job: CaptureJob
  /// What policies may take, in a process of their own.
  let limits: RunLimits
  /// Whether what is played reaches nothing but its folder and the files that it is given.
  let isConfined: Bool
  /// Where the report goes.
  let outputs: CommandOutputs

  /// Does everything and prints it: what was written on standard output, all else on standard error.
  func run() async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    PrivateFolder.becomeUsual()
    if isConfined {
      try Sandbox.check()
      _ = try job.filesForSandbox()
    }
    let captured = try await capture()
    captured.remarks.forEach(Console.complain)
    let report = CaptureReport(store: job.store, output: path, captured: captured)
    return try outputs.publish(
      text: { report.text }, json: report.json.machineReport, .passed)
  }

  private var path: String {
    job.output.hasSuffix("/") ? String(job.output.dropLast()) : job.output
  }
  private var place: URL { URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL }

  private func capture() async throws -> CaptureJob.Captured {
    try preparePlace()
    // Compiling takes seconds; what is wrong with the files is told before anything is made.
    var job = job
    let sources = try await job.preparePolicies()
    let folder = try makeWorkplace()
    defer { TemporaryFiles.removeFolder(folder) }
    job.workplace = folder.path
    let progress = ProgressLine()
    defer { progress.clear() }
    let show: @Sendable (JobProgress) -> Void = { progress.show($0.step, $0.done, $0.total) }
    let answer =
      sources != nil || isConfined
      ? try await performApart(job, sources ?? [], folder, show)
      : try await MachineFaultWatch.judging { await job.perform(tell: show) }
    switch answer {
    case .failed(let text): throw CommandProblem(description: text)
    case .captured(let captured):
      try put(folder)
      return captured
    }
  }

  private func performApart(
    _ job: CaptureJob, _ sources: Set<String>, _ folder: URL,
    _ show: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> CaptureJob.Answer {
    let isolation = JobIsolation(
      limits: limits, policySources: sources,
      confinement: isConfined ? (try job.filesForSandbox(), [folder]) : nil)
    let (outcome, printed) = try await isolation.perform(
      job, as: CommandJob.capture(job), hear: show)
    // What policies print may be anybody's data.
    if !job.isAnonymized { Console.tell(printed) }
    switch outcome {
    case .answered(let answer): return answer
    case .died(let death):
      throw CommandProblem(description: "\(death)\nnothing was written")
    }
  }

  // MARK: The place

  private func preparePlace() throws {
    let manager = FileManager.default
    let parent = place.deletingLastPathComponent()
    if !parent.isFolder { throw problem("there is no folder \(parent.relativePath)") }
    guard manager.fileExists(atPath: place.path) else { return }
    // An unreadable folder isn't known to be empty.
    let content = try? manager.contentsOfDirectory(atPath: place.path)
    if content?.isEmpty != true {
      throw problem(
        "this already exists, and nothing is overwritten; name a folder that doesn't exist")
    }
  }

  private func makeWorkplace() throws -> URL {
    do { return try TemporaryFiles.makeFolder(in: place.deletingLastPathComponent()) } catch {
      throw problem("can't write here: \(error.plainText)")
    }
  }

  /// Puts the folder in its place, whole.
  private func put(_ folder: URL) throws {
    if rename(folder.path, place.path) != 0 {
      throw problem("can't be put here: \(String(cString: strerror(errno)))")
    }
  }

  private func problem(_ text: String) -> Diagnostics {
    Diagnostics([Diagnostic(file: path, text)])
  }
}

/// What a call of `heavyweight capture` came to.
private struct CaptureReport {
  let store: String
  let output: String
  let captured: CaptureJob.Captured

  var json: JSONObject {
    [
      "format": 1, "store": store, "output": "\(output)/\(CapturedScenario.fileName)",
      "versions": captured.versions, "rowCount": captured.rowCount,
      "expectationCount": captured.expectationCount, "outcome": captured.outcome,
      "proof": captured.proof, "remarks": captured.remarks,
    ]
  }

  var text: String {
    let lines =
      ["wrote \(output)/\(CapturedScenario.fileName)", "  " + captured.summary]
      + [captured.proof.map { "  " + $0.text }].compactMap(\.self)
      + ["next: heavyweight run \(output)"]
    return lines.map { $0 + "\n" }.joined()
  }
}
