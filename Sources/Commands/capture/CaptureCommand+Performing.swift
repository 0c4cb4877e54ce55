import ArgumentParser

extension CaptureCommand {
  /// Does everything and prints it: what was written on standard output, all else on standard error.
  func perform(_ job: CaptureJob) async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    PrivateFolder.becomeUsual()
    if confinement.sandbox {
      try Sandbox.check()
      _ = try job.filesForSandbox()
    }
    let (captured, reduction) = try await capture(job)
    captured.remarks.forEach(Console.complain)
    let report = CaptureReport(
      store: store, output: path, captured: captured, reduction: reduction)
    return try reports.outputs.publish(report)
  }

  private var path: String {
    output.hasSuffix("/") ? String(output.dropLast()) : output
  }
  private var place: URL { URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL }

  private func capture(
    _ job: CaptureJob
  ) async throws -> (CaptureJob.Captured, ReductionReport?) {
    try preparePlace()
    // Compiling takes seconds; what is wrong with the files is told before anything is made.
    var job = job
    let sources = try await job.preparePolicies()
    let folder = try makeWorkplace()
    defer { TemporaryFiles.removeFolder(folder) }
    job.workplace = folder.path
    let progress = ProgressLine()
    defer { progress.clear() }
    let show: @Sendable (JobProgress) -> Void = {
      progress.show($0.step, done: $0.done, total: $0.total)
    }
    let answer =
      sources != nil || confinement.sandbox
      ? try await performApart(job, compiling: sources ?? [], in: folder, showing: show)
      : try await MachineFaultWatch.judging { await job.perform(tell: show) }
    switch answer {
    case .failed(let text): throw CommandProblem(description: text)
    case .captured(var captured):
      var reduction: ReductionReport?
      if reduce, captured.endsWithError {
        progress.clear()
        reduction = try await reduced(in: folder)
      } else if reduce {
        captured.remarks.append(
          "--reduce: the migration ends without an error, so all rows are kept; say in an expectation what is wrong, "
            + "and call heavyweight reduce")
      }
      try put(folder)
      return (captured, reduction)
    }
  }

  /// Leaves of the captured scenario what its error needs.
  private func reduced(in folder: URL) async throws -> ReductionReport {
    let whole = folder.appending(path: CapturedScenario.fileName)
    let small = folder.appending(path: "Reduced" + ScenarioFinder.suffixes[0])
    var command = try ReduceCommand.parse([whole.path, "-o", small.path])
    (command.limits, command.confinement) = (limits, confinement)
    let report = try await command.reduced()
    guard rename(small.path, whole.path) == 0 else {
      throw problem("can't be written: \(String(cString: strerror(errno)))")
    }
    return report
  }

  private func performApart(
    _ job: CaptureJob, compiling sources: Set<String>, in folder: URL,
    showing show: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> CaptureJob.Answer {
    let isolation = JobIsolation(
      limits: limits.limits, policySources: sources,
      confinement: confinement.sandbox ? (try job.filesForSandbox(), [folder]) : nil)
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
    Diagnostics(file: path, text)
  }
}

/// What a call of `heavyweight capture` came to.
private struct CaptureReport: CommandReport {
  let store: String
  let output: String
  let captured: CaptureJob.Captured
  let reduction: ReductionReport?

  var json: JSONObject {
    [
      "format": 1, "store": store, "output": "\(output)/\(CapturedScenario.fileName)",
      "versions": captured.versions, "rowCount": captured.rowCount,
      "expectationCount": captured.expectationCount, "outcome": captured.outcome,
      "proof": captured.proof, "reduced": reduction?.parts.json, "remarks": captured.remarks,
    ]
  }

  func text(style: TextStyle) -> String {
    let lines =
      ["wrote \(output)/\(CapturedScenario.fileName)", "  " + captured.summary]
      + [captured.proof.map { "  " + $0.text }].compactMap(\.self)
      + [reduction.map { "  reduced to \($0.parts.text); it still fails: \($0.failure.text)" }]
      .compactMap(\.self)
      + ["next: heavyweight run \(output)"]
    return lines.map { $0 + "\n" }.joined()
  }
}
