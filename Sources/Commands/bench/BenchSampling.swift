/// Takes one sample: a fresh migration of a store, in a process and a folder of its own.
struct BenchSampling {
  let contender: BenchContender
  let source: URL
  let backend: Backend
  /// Made for the sample and removed after it; nothing else is in it.
  let folder: URL
  let timeLimit: Double
  /// Resident bytes that a sample may take; nil for as many as there are.
  var memoryLimit: Int?
  var isConfined = false

  /// - Throws: ``BenchError`` when the migration fails; `MachineFault` where the machine does.
  func measure() async throws -> BenchSample {
    let temporary = folder.appending(path: "temporary", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    let text = folder.appendingPathExtension("json")
    let errors = folder.appendingPathExtension("errors")
    // What stays goes with the folder of all samples.
    defer { for url in [folder, text, errors] { try? FileManager.default.removeItem(at: url) } }
    let output = folder.appending(path: "result.sqlite")
    let pace = MachinePace.seconds()
    let process = MeasuredProcess(
      executable: contender.tool, arguments: arguments(output),
      workingFolder: contender.workingFolder, temporaryFolder: temporary, output: text,
      errors: errors, secondsAllowed: timeLimit, bytesAllowed: memoryLimit)
    let watch = Task { await DiskUse(of: folder).largest() }
    defer { watch.cancel() }
    let ending = try await process.run()
    watch.cancel()
    let seenBytes = await watch.value
    if ending == .tookTooLong { throw BenchError.tooLong(contender.shownFile, seconds: timeLimit) }
    if ending == .tookTooMuchMemory, let memoryLimit {
      throw BenchError.tooMuchMemory(contender.shownFile, bytes: memoryLimit)
    }
    let report = try report(
      try Data(contentsOf: text), ending, errors: PrintedText.of(errors))
    var sample = report.sample(resultBytes: PersistentStoreFiles(output).size)
    sample.diskBytes = max(seenBytes, report.usage.diskBytes ?? 0)
    sample.paceSeconds = pace
    return sample
  }

  private func arguments(_ output: URL) -> [String] {
    let common = [
      "migrate", source.path, "--scenario", contender.file, "-o", output.path, "--json", "--usage",
    ]
    return common + limits + (isConfined ? Sandbox.options : [])
      + (backend == .memory ? ["--in-memory"] : [])
  }

  /// A sample may take as long as it is given, and what there is; another build may not know the options.
  private var limits: [String] {
    if !contender.isOwnTool { return [] }
    let bytes = memoryLimit.map(UInt64.init) ?? ProcessInfo.processInfo.physicalMemory
    return ["--timeout", "\(timeLimit)s", "--memory", "\(bytes)"]
  }

  private func report(
    _ said: Data, _ ending: MeasuredProcess.Ending, errors: String
  ) throws -> Report {
    // Whatever isn't such a report is shown as it is.
    if ending == .succeeded, let report = try? JSONDecoder().decode(Report.self, from: said) {
      return report
    }
    let failure = try? JSONDecoder().decode(FailedReport.self, from: said).failure
    let text = failure?.text ?? PrintedText.plain(said) + errors
    if ending == .notJudged { throw MachineFault(.disk, "\(contender.shownFile): \(text)") }
    throw BenchError.failed(contender.shownFile, said: text.isEmpty ? contender.silence : text)
  }

  /// The parts of a migration's report that are measured.
  private struct Report: Decodable {
    let seconds: Double
    let usage: MigrationUsage

    func sample(resultBytes: Int64) -> BenchSample {
      BenchSample(
        seconds: seconds, cpuSeconds: usage.process.cpuSeconds,
        peakBytes: usage.process.peakBytes, writtenBytes: usage.process.writtenBytes,
        resultBytes: resultBytes, steps: usage.steps, counters: usage.counters)
    }
  }

  private struct FailedReport: Decodable {
    struct Failure: Decodable { let text: String }
    let failure: Failure
  }
}
