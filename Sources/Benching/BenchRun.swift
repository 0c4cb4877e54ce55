/// Measures one scenario at several sizes.
struct BenchRun {
  let scenario: CheckedScenario
  /// The scenario's address, as the measured processes are told it.
  let file: String
  let options: BenchOptions
  /// The builds of the tool to be measured by turns.
  let tools: [URL]
  let folder: URL
  /// Told what is about to be measured.
  var willMeasure: (_ objects: Int, _ sample: Int) -> Void = { _, _ in }

  /// - Returns: For each tool the results on each backend.
  /// - Throws: ``Diagnostics``; `CoreDataError` for rows that can't be seeded or repeated;
  ///   ``BenchError`` when a migration fails.
  func measure() async throws -> [[BenchResult]] {
    let start = try self.start()
    let source = try source(start)
    if source.isEmpty { throw BenchError.nothingToMeasure(file) }
    var measured: [[[BenchResult.Size]]] = []
    for objects in options.sizes.sorted() { measured.append(try await measure(objects, source)) }
    try source.close()
    return tools.indices.map { tool in
      options.backends.indices.map { backend in
        BenchResult(
          scenario: scenario.scenario.title.value, file: file, backend: options.backends[backend],
          sizes: measured.map { $0[tool][backend] })
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

  /// By tool and backend.
  private typealias Samples = [[[BenchSample]]]

  private func measure(_ objects: Int, _ seed: BenchSource) async throws -> [[BenchResult.Size]] {
    let source = folder.appending(path: "source-\(objects).sqlite")
    // What stays goes with the folder of all samples.
    defer { try? PersistentStoreFiles(source).remove() }
    let count = try seed.write(objects, to: source)
    let none = options.backends.map { _ in [BenchSample]() }
    var samples: Samples = tools.map { _ in none }
    for number in 0..<options.warmups + options.samples {
      willMeasure(count, number - options.warmups + 1)
      try await measure(source, objects, number) { tool, backend, sample in
        if number >= options.warmups { samples[tool][backend].append(sample) }
      }
    }
    return samples.map { $0.map { BenchResult.Size(objects: count, samples: $0) } }
  }

  /// One sample of each tool on each backend. The tools take turns in going first, so that what gets
  /// slower or faster meanwhile does so for both.
  private func measure(
    _ source: URL, _ objects: Int, _ number: Int,
    _ didMeasure: (_ tool: Int, _ backend: Int, BenchSample) -> Void
  ) async throws {
    for backend in options.backends.indices {
      let order = number.isMultiple(of: 2) ? Array(tools.indices) : tools.indices.reversed()
      for tool in order {
        let sample = BenchSampling(
          tool: tools[tool], isOwnTool: tool == 0, file: file, source: source,
          backend: options.backends[backend],
          folder: folder.appending(path: "sample"), timeLimit: options.timeLimit,
          memoryLimit: options.memoryLimit, isConfined: options.isConfined)
        do {
          didMeasure(tool, backend, try await sample.measure())
        } catch BenchError.failed(let file, let said) {
          let text = tool == 0 ? try await failed(options.backends[backend], objects) : nil
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
      isConfined: options.isConfined,
      limits: RunLimits(
        seconds: options.timeLimit, bytes: options.memoryLimit ?? RunLimits.defaultBytes)
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
    case .unreadable(let file, let reason):
      "\(file): error: can't read the benchmark's result: \(reason)"
    }
  }
}
