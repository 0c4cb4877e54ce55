/// Measures one scenario at several sizes.
struct BenchRun {
  let scenario: CheckedScenario
  /// The scenario's file, as the measured processes are told it.
  let file: String
  let options: BenchOptions
  let folder: URL
  /// Told what is about to be measured.
  var willMeasure: (_ objects: Int, _ sample: Int) -> Void = { _, _ in }

  /// - Throws: ``Diagnostics``; `CoreDataError` for rows that can't be seeded or repeated;
  ///   ``BenchError`` when a migration fails.
  func measure() async throws -> BenchResult {
    let start = try self.start()
    let source = try source(start)
    if source.isEmpty { throw BenchError.nothingToMeasure(file) }
    var sizes: [BenchResult.Size] = []
    for objects in options.sizes.sorted() {
      sizes.append(try await measure(objects, source))
    }
    try source.close()
    return BenchResult(scenario: scenario.scenario.title.value, file: file, sizes: sizes)
  }

  /// The version that most steps lead on from: the first start.
  private func start() throws -> String {
    guard let start = scenario.starts.first, !(scenario.steps(from: start).isEmpty) else {
      throw BenchError.nothingToMeasure(file)
    }
    return start
  }

  // MARK: Stores

  private func source(_ start: String) throws -> BenchSource {
    if scenario.isScalable(from: start) { return .generated(scenario, start: start) }
    let template = try template(start)
    return .repeated(try RepeatedStore(of: template), of: template)
  }

  /// The scenario's rows, or its store, once.
  private func template(_ start: String) throws -> PersistentStore {
    let model = try scenario.model(start)
    switch scenario.seed(for: start)?.content {
    case .store(let path):
      return try SQLiteStore.openReadOnly(
        at: scenario.scenario.folder.resolving(path.value), model: model)
    case .rows(let rows):
      let store = InMemoryStore(model: model)
      _ = try Seeder.seed(rows, version: start, into: ManagedObjectContext(readingFrom: store))
      return store
    default: throw BenchError.nothingToMeasure(file)
    }
  }

  private func measure(_ objects: Int, _ seed: BenchSource) async throws -> BenchResult.Size {
    let source = folder.appending(path: "source-\(objects).sqlite")
    defer { try? PersistentStoreFiles(source).remove() }
    let count = try seed.write(objects, to: source)
    var samples: [BenchSample] = []
    for number in 0..<options.warmups + options.samples {
      willMeasure(count, number - options.warmups + 1)
      let sample = try await self.sample(source)
      if number >= options.warmups { samples.append(sample) }
    }
    return BenchResult.Size(objects: count, samples: samples)
  }

  // MARK: One sample

  private func sample(_ source: URL) async throws -> BenchSample {
    let output = folder.appending(path: "result.sqlite")
    let text = folder.appending(path: "report.json")
    defer { try? PersistentStoreFiles(output).remove() }
    let process = MeasuredProcess(
      executable: try Worker.executable(),
      arguments: [
        "migrate", source.path, "--scenario", file, "-o", output.path, "--json", "--usage",
      ], output: text, secondsAllowed: options.timeLimit)
    let succeeded = try await process.succeeds()
    let said = try Data(contentsOf: text)
    guard succeeded, let report = try? JSONDecoder().decode(Report.self, from: said)
    else {
      let failure = try? JSONDecoder().decode(FailedReport.self, from: said).failure
      throw BenchError.failed(file, said: failure?.text ?? String(decoding: said, as: UTF8.self))
    }
    return report.sample(resultBytes: PersistentStoreFiles(output).size)
  }

  /// The parts of a migration's report that are measured.
  private struct Report: Decodable {
    let seconds: Double
    let usage: MigrationUsage

    func sample(resultBytes: Int64) -> BenchSample {
      BenchSample(
        seconds: seconds, cpuSeconds: usage.process.cpuSeconds,
        peakBytes: usage.process.peakBytes, writtenBytes: usage.process.writtenBytes,
        resultBytes: resultBytes, hops: usage.hops)
    }
  }
}

/// What a migration that failed says of it.
private struct FailedReport: Decodable {
  struct Failure: Decodable { let text: String }
  let failure: Failure
}

/// Why nothing could be measured.
enum BenchError: Error, CustomStringConvertible {
  case nothingToMeasure(String)
  case failed(String, said: String)
  case otherMachine(String, kept: String, here: String)
  case unreadable(String, reason: String)

  var description: String {
    switch self {
    case .nothingToMeasure(let file):
      "\(file): nothing to measure: it has no rows or no step; give it a seed and a chain"
    case .failed(let file, let said): "\(file): the migration fails:\n\(said)"
    case .otherMachine(let file, let kept, let here):
      "\(file) was measured on another machine (\(kept); this is \(here)): times can't be compared; "
        + "measure it again here with --save"
    case .unreadable(let file, let reason):
      "\(file) can't be read as a benchmark's result: \(reason)"
    }
  }
}
