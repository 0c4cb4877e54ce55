/// Takes one sample: a fresh migration of a store, in a process and a folder of its own.
struct BenchSampling {
  let tool: URL
  /// The scenario's file.
  let file: String
  let source: URL
  let backend: Backend
  /// Made for the sample and removed after it; nothing else is in it.
  let folder: URL
  let timeLimit: Double

  /// - Throws: ``BenchError`` when the migration fails.
  func measure() async throws -> BenchSample {
    let temporary = folder.appending(path: "temporary", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = folder.appendingPathExtension("json")
    defer { try? FileManager.default.removeItem(at: text) }
    let output = folder.appending(path: "result.sqlite")
    let pace = MachinePace.seconds()
    let process = MeasuredProcess(
      executable: tool, arguments: arguments(output), temporaryFolder: temporary, output: text,
      secondsAllowed: timeLimit)
    let watch = Task { await DiskUse(of: folder).largest() }
    defer { watch.cancel() }
    let succeeded = try await process.succeeds()
    watch.cancel()
    let seenBytes = await watch.value
    let report = try report(try Data(contentsOf: text), succeeded)
    var sample = report.sample(resultBytes: PersistentStoreFiles(output).size)
    sample.diskBytes = max(seenBytes, report.usage.diskBytes ?? 0)
    sample.paceSeconds = pace
    return sample
  }

  private func arguments(_ output: URL) -> [String] {
    let common = [
      "migrate", source.path, "--scenario", file, "-o", output.path, "--json", "--usage",
    ]
    return backend == .memory ? common + ["--in-memory"] : common
  }

  private func report(_ said: Data, _ succeeded: Bool) throws -> Report {
    if succeeded, let report = try? JSONDecoder().decode(Report.self, from: said) { return report }
    let failure = try? JSONDecoder().decode(FailedReport.self, from: said).failure
    throw BenchError.failed(file, said: failure?.text ?? String(decoding: said, as: UTF8.self))
  }

  /// The parts of a migration's report that are measured.
  private struct Report: Decodable {
    let seconds: Double
    let usage: MigrationUsage

    func sample(resultBytes: Int64) -> BenchSample {
      BenchSample(
        seconds: seconds, cpuSeconds: usage.process.cpuSeconds,
        peakBytes: usage.process.peakBytes, writtenBytes: usage.process.writtenBytes,
        resultBytes: resultBytes, hops: usage.hops, counters: usage.counters)
    }
  }

  private struct FailedReport: Decodable {
    struct Failure: Decodable { let text: String }
    let failure: Failure
  }
}
