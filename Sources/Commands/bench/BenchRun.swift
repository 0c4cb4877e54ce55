/// Measures one scenario at several sizes.
struct BenchRun {
  let scenario: CheckedScenario
  /// The scenario's address, as the measured processes are told it.
  let file: String
  let command: BenchCommand
  /// This build with this scenario, and what it is compared with by turns.
  let contenders: [BenchContender]
  let folder: URL
  /// Told what is about to be measured, and of how many samples.
  var willMeasure: (_ objects: Int, _ sample: Int, _ count: Int) -> Void = { _, _, _ in }

  /// - Returns: For each contender the results on each backend.
  /// - Throws: ``Diagnostics``; `CoreDataError` for rows that can't be seeded or repeated;
  ///   ``BenchError`` when a migration fails.
  func measure() async throws -> [[BenchResult]] {
    let start = try self.start()
    let source = try source(start)
    if source.isEmpty { throw BenchError.nothingToMeasure(file) }
    var measured: [[[BenchResult.Size]]] = []
    for objects in command.sizes.sorted() { measured.append(try await measure(objects, source)) }
    try source.close()
    return contenders.indices.map { contender in
      command.backends.indices.map { backend in
        BenchResult(
          scenario: scenario.scenario.title.value, file: file, backend: command.backends[backend],
          sizes: measured.map { $0[contender][backend] })
      }
    }
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
    let models = try scenario.models.names.map(scenario.model)
    return .repeated(try RepeatedStore(of: template, through: models), of: template)
  }

  /// The scenario's rows, or its store, once.
  private func template(_ start: String) throws -> PersistentStore {
    let model = try scenario.model(start)
    let seed = scenario.seed(for: start)
    switch seed?.content {
    case .store(let path):
      return try SQLiteStore.openReadOnly(
        at: scenario.scenario.folder.resolving(path.value), model: model)
    case .rows(let rows, _):
      let store = InMemoryStore(model: model)
      _ = try Seeder.seed(
        rows, into: ManagedObjectContext(readingFrom: store), seed?.validation ?? .whole)
      return store
    case nil: throw BenchError.nothingToMeasure(file)
    }
  }

  /// By contender and backend.
  private typealias Samples = [[[BenchSample]]]

  private func measure(_ objects: Int, _ seed: BenchSource) async throws -> [[BenchResult.Size]] {
    let source = folder.appending(path: "source-\(objects).sqlite")
    // What stays goes with the folder of all samples.
    defer { try? PersistentStoreFiles(source).remove() }
    let count = try seed.write(objects, to: source)
    let none = command.backends.map { _ in [BenchSample]() }
    var samples: Samples = contenders.map { _ in none }
    for number in 0..<command.warmup {
      willMeasure(count, number - command.warmup + 1, command.samples)
      try await measure(source, objects: objects, sample: number) { _, _, _ in }
    }
    let start = ContinuousClock.now
    var number = 0
    repeat {
      for _ in 0..<command.samples {
        number += 1
        willMeasure(count, number, command.samples)
        try await measure(source, objects: objects, sample: number) { contender, backend, sample in
          samples[contender][backend].append(sample)
        }
      }
    } while needsMore(samples, after: ContinuousClock.now - start)
    return samples.map { $0.map { BenchResult.Size(objects: count, samples: $0) } }
  }

  /// Whether a comparison by turns is undecided that some more samples, which take little time, could decide.
  private func needsMore(_ samples: Samples, after time: Duration) -> Bool {
    guard contenders.count == 2, command.samples >= Self.fewestToDecide,
      let count = samples[0].first?.count, count < command.samples * Self.mostRounds,
      count < Self.mostPairs, time < Self.timeForMore
    else { return false }
    return zip(samples[0], samples[1]).contains { new, old in
      BenchRatio(new.map(\.seconds), besides: old.map(\.seconds)).verdict == .inconclusive
    }
  }

  /// With fewer pairs ranks can't tell a difference; who asks for so few wants to see numbers only.
  private static let fewestToDecide = 11
  /// On a busy machine fifteen samples don't show a third more; eight times as many do.
  private static let mostRounds = 8
  private static let mostPairs = 1000
  private static let timeForMore = Duration.seconds(60)

  /// One sample of each contender on each backend. They take turns in going first, so that what gets
  /// slower or faster meanwhile does so for both.
  private func measure(
    _ source: URL, objects: Int, sample number: Int,
    telling didMeasure: (_ contender: Int, _ backend: Int, BenchSample) -> Void
  ) async throws {
    for backend in command.backends.indices {
      let all = contenders.indices
      for contender in number.isMultiple(of: 2) ? Array(all) : all.reversed() {
        let sample = BenchSampling(
          contender: contenders[contender], source: source,
          backend: command.backends[backend],
          folder: folder.appending(path: "sample"), timeLimit: command.timeLimit,
          memoryLimit: command.memory?.bytes, isConfined: command.isConfined)
        do {
          didMeasure(contender, backend, try await sample.measure())
        } catch BenchError.failed(let file, let said) {
          let text = contender == 0 ? try await failed(command.backends[backend], objects) : nil
          throw BenchError.failed(file, said: text ?? FailedSample.shortened(said))
        }
      }
    }
  }
}

extension BenchRun {
  /// How `run` tells the failure.
  private func failed(_ backend: Backend, _ objects: Int) async throws -> String? {
    try await FailedSample(
      scenario: scenario, start: try start(), backend: backend, objects: objects,
      isConfined: command.isConfined,
      limits: RunLimits(
        seconds: command.timeLimit, bytes: command.memory?.bytes ?? RunLimits.defaultBytes)
    ).text()
  }
}

/// Why nothing could be measured.
enum BenchError: Error, CustomStringConvertible {
  case nothingToMeasure(String)
  case failed(String, said: String)
  case tooLong(String, seconds: Double)
  case tooMuchMemory(String, bytes: Int)
  case otherMachine(String)
  case noTool(String)
  /// What `--baseline-folder` names is no folder.
  case noFolder(String)
  /// The scenario isn't in the other checkout.
  case notThere(String, folder: String)
  /// The scenario has no counterpart in another checkout, by its path.
  case notBelow(String, folder: String)
  case unreadable(String, reason: String)

  var description: String {
    switch self {
    case .nothingToMeasure(let file):
      "\(file): nothing to measure: it has no rows or no step; give it a seed and a chain"
    case .failed(let file, let said): "\(file): the migration fails:\n\(said)"
    case .tooLong(let file, let seconds):
      "\(file): a migration took longer than \(TimeText.text(seconds)), and was ended; "
        + "give it more with --timeout, or measure fewer --objects"
    case .tooMuchMemory(let file, let bytes):
      "\(file): a migration took more memory than \(ByteText.text(Int64(bytes))), and was ended; "
        + "give it more with --memory, or measure fewer --objects"
    case .otherMachine(let refusal): "\(refusal); leave out --max-ratio to compare counters"
    case .noTool(let path):
      "\(path): no program that can be run; --baseline-tool takes another build"
    case .noFolder(let path):
      "\(path): no folder; --baseline-folder takes another checkout, as of this folder"
    case .notThere(let file, let folder):
      "\(file) isn't in \(folder): nothing to compare it with; measure the scenarios that are in both"
    case .notBelow(let file, let folder):
      "\(file): --baseline-folder \(folder) needs scenarios by paths below this folder"
    case .unreadable(let file, let reason):
      "\(file): error: can't read the benchmark's result: \(reason)"
    }
  }
}
