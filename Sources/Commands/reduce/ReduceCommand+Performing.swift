extension ReduceCommand {
  private var address: ScenarioAddress { ScenarioAddress(scenario) }
  private var path: String { address.path }
  /// The file to write, in the scenario's folder.
  private var place: String { output ?? Self.outputName(address) }

  private static func outputName(_ address: ScenarioAddress) -> String {
    let path = address.path
    let suffix = ScenarioFinder.suffixes.first { path.hasSuffix($0) } ?? ".yaml"
    let stem = path.hasSuffix(suffix) ? String(path.dropLast(suffix.count)) : path
    let number = address.number.map { "-\($0)" } ?? ""
    return stem + number + ".reduced" + ScenarioFinder.suffixes[0]
  }

  func perform() async throws -> ExitStatus { try reports.outputs.publish(await reduced()) }

  /// Does everything.
  func reduced() async throws -> ReductionReport {
    let began = ContinuousClock.now
    Interruption.removesTemporaryFiles()
    if confinement.sandbox { try Sandbox.check() }
    let before = try preparePlace()
    let folder = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(folder) }
    let report = try await reduce(try load(in: folder), in: folder, over: before, since: began)
    Interruption.sayAtTheEnd(nil)
    return report
  }

  /// The scenario; one of several of its file as a file of its own.
  private func load(in folder: URL) throws -> CheckedScenario {
    let scenario = try CheckedScenario.load(
      contentsOf: URL(fileURLWithPath: path), shownAs: path, number: address.number)
    guard scenario.scenario.number != nil else { return scenario }
    let file = folder.appending(path: "alone\(ScenarioFinder.suffixes[0])")
    try Data(try StandaloneScenario(scenario.scenario).text().utf8).write(to: file)
    return try CheckedScenario.load(
      contentsOf: file, shownAs: "\(address)", pathsIn: scenario.scenario.folder)
  }

  private static let mark = "# Reduced by `heavyweight reduce` from "

  /// - Returns: What is there.
  private func preparePlace() throws -> Data {
    let (file, own) = (URL(fileURLWithPath: place), URL(fileURLWithPath: path))
    guard
      file.deletingLastPathComponent().standardizedFileURL.path
        == own.deletingLastPathComponent().standardizedFileURL.path
    else {
      throw problem(
        "the result belongs in the scenario's folder, to which its paths are relative")
    }
    guard ScenarioFinder.suffixes.contains(where: { place.hasSuffix($0) }) else {
      throw problem("the names of scenarios end with \(ScenarioFinder.suffixes[0])")
    }
    do { try ReportFile.prepare(place) } catch {
      // No report, but the result itself: nothing was done.
      if let fault = MachineFault(error) { throw fault }
      throw CommandProblem(description: "\(error)")
    }
    guard FileManager.default.fileExists(atPath: place) else { return Data() }
    // An earlier call's may be replaced.
    guard let old = try? Data(contentsOf: file), old.starts(with: Data(Self.mark.utf8)) else {
      throw problem("this already exists, and nothing is overwritten; name another file with -o")
    }
    return old
  }

  private func problem(_ text: String) -> Diagnostics {
    Diagnostics(file: place, text)
  }

  // MARK: Reducing

  private func reduce(
    _ scenario: CheckedScenario, in folder: URL, over before: Data,
    since began: ContinuousClock.Instant
  ) async throws -> ReductionReport {
    let progress = ProgressLine()
    defer { progress.clear() }
    Interruption.sayAtTheEnd {
      Console.complain("interrupted before a smaller scenario was found: nothing was written")
    }
    progress.show("\(address) as it is", done: 0, total: 1)
    let (failed, failure) = try await firstFailure(of: scenario)
    let deadline = time.map { began + .seconds($0.seconds) }
    let start = failed.id.start
    let backends: [Backend] =
      failure.kind == .backendsDiffer ? [.memory, .sqlite] : [failed.id.backend]
    let memory = try ReductionMemory(
      for: scenario, start: start, backends: backends, in: Self.memoryFolder())
    let failing = scenario.expectationPlace(of: failure)
    func trial(of reducible: ReducibleScenario) -> ReductionTrial {
      ReductionTrial(
        failure, among: failed.whatFailed, expectationsStay: !reducible.hasExpectationItems,
        countsRows: failing.map(reducible.expectsAllRows) ?? false,
        of: scenario, start: start, backends: backends, deadline: deadline,
        limits: limits.limits, jobs: processes.count, isConfined: confinement.sandbox,
        folder: folder,
        memory: memory)
    }
    let reducible: ReducibleScenario
    do {
      reducible = try await rows(of: scenario, start, failure, failing: trial)
    } catch is TimeIsOver {
      throw problem(
        "time is up before the seed's objects were tried as rows: nothing was written; allow more with --time"
      )
    }
    let trial = trial(of: reducible)
    let reduction = Reduction(
      reducible, trial, failing: failing.map { [$0] } ?? [], target: failure.target,
      title: (address.description as NSString).lastPathComponent, mark: Self.mark)
    var hasWritten = false
    trial.didPlay = {
      progress.show("\(address): \(reduction.left)", done: $0, total: $0 + 1)
      if hasWritten { tellAtTheEnd() }
    }
    func report(_ end: ReductionReport.End) -> ReductionReport {
      ReductionReport(
        scenario: address.description, output: place, parts: reduction.parts,
        hasModels: reducible.models != nil, failure: trial.signature,
        playedCount: trial.playedCount, seconds: (ContinuousClock.now - began).seconds, end: end)
    }
    // Whoever interrupts is told of the smallest so far, which is on disk.
    func tellAtTheEnd() {
      let report = report(.interrupted)
      reports.outputs.tellAtTheEnd { report }
    }
    let mode = scenario.scenario.rightsOfContent
    var written = before
    reduction.write = {
      let text = Data($0.utf8)
      do {
        try WholeFile.write(
          text, to: URL(fileURLWithPath: place), if: .unchanged(since: written), mode: mode)
      } catch { throw problem("can't write the scenario: \(error.plainText)") }
      written = text
      hasWritten = true
      tellAtTheEnd()
    }
    let isFinished = try await reduction.run()
    if isFinished { memory.forget() }
    return report(isFinished ? .finished : .late)
  }

  /// The scenario with rows that fail as it does. Those of a store, and those made by rule, may be what no app can
  /// save: then they go past validation.
  private func rows(
    of scenario: CheckedScenario, _ start: String, _ failure: Failure,
    failing trial: (ReducibleScenario) -> ReductionTrial
  ) async throws -> ReducibleScenario {
    var refusal: Diagnostics?
    var signature: FailureSignature?
    for validates in [true, false] {
      do {
        let rows = try SeedRows(original: scenario, start: start, validates: validates).scenario()
        let reducible = try ReducibleScenario(
          rows.scenario, start: start, failing: scenario.expectationPlace(of: failure),
          failure.counts)
        let trial = trial(reducible)
        let text = rows.scenario.scenario.file.text
        if !rows.isConverted { return reducible }
        if try await trial.fails(text) { return reducible }
        signature = trial.signature
      } catch let problem as Diagnostics {
        refusal = refusal ?? problem
      }
    }
    if signature == nil, let refusal { throw refusal }
    throw problem(
      "as rows of a seed, which are saved again, the store or the objects made by rule don't fail in the same way: "
        + (signature?.text ?? ""))
  }

  private func firstFailure(of scenario: CheckedScenario) async throws -> (RunResult, Failure) {
    var suite = ScenarioSuite()
    suite.limits = limits.limits
    suite.jobs = processes.count
    suite.isConfined = confinement.sandbox
    suite.starts = [start].compactMap(\.self)
    let report = await suite.run([scenario])
    TemporaryFiles.waitIfOver()
    if let problem = report.problems.first {
      if let fault = problem.fault { throw fault }
      throw CommandProblem(description: problem.text)
    }
    for result in report.results {
      if let fault = result.machineFault { throw fault }
      if let failure = result.failures.first { return (result, failure) }
    }
    for result in report.results {
      if let error = result.expectedError { return (result, error) }
    }
    let what = report.results.isEmpty ? "none of it is run" : "it passes"
    throw Diagnostics(file: "\(address)", "\(what), so there is no failure to preserve")
  }

  /// - Returns: Nil where nothing can be kept: an interrupted call begins anew then.
  private static func memoryFolder() -> URL? {
    let variables = ProcessInfo.processInfo.environment
    let caches =
      variables["XDG_CACHE_HOME"].map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: ".cache")
    let folder = caches.appending(path: "heavyweight/reduce", directoryHint: .isDirectory)
    return (try? PrivateFolder.make(folder)).map { folder }
  }
}

/// A scenario whose seed is rows that can be left out one by one.
struct SeedRows {
  let original: CheckedScenario
  let start: String
  /// Whether what becomes rows is saved as an app saves it.
  let validates: Bool

  /// The scenario; with rows written out instead of a store, or of objects made by rule.
  /// - Throws: ``Diagnostics`` for a value that scenario files have no notation for.
  func scenario() throws -> (scenario: CheckedScenario, isConverted: Bool) {
    guard let seed = original.scenario.seed(for: start) else { return (original, false) }
    switch seed.content {
    case .rows where seed.generators.isEmpty: return (original, false)
    case .rows:
      let store = InMemoryStore(model: try original.model(start))
      var provenance = Provenance()
      try original.withSurroundings {
        provenance = try original.fill(store, from: start, recordsGenerated: true)
      }
      return (try converted(ContentSnapshot(of: store, provenance: provenance), provenance), true)
    case .store(let path):
      let url = original.scenario.folder.resolving(path.value)
      let store = try SQLiteStore.openReadOnly(at: url, model: original.model(start))
      defer { store.closeUnchanged() }
      return (try converted(ContentSnapshot(of: store, provenance: Provenance()), nil), true)
    }
  }

  private func converted(
    _ content: ContentSnapshot, _ provenance: Provenance?
  ) throws -> CheckedScenario {
    let names = content.objects.map { object in
      provenance.flatMap { known in object.origins.first.flatMap { known.origins[$0].name } }
    }
    let rows = try CapturedRows(content, names: names)
    let reducible = try ReducibleScenario(original, start: start)
    let text = reducible.text(reducible.everything, rows: rows.rows, validates: validates)
    let source = SourceFile(path: original.scenario.file.path, text: text)
    return try CheckedScenario.check(ScenarioReader.read(source, in: original.scenario.folder))
  }
}

extension Scenario {
  /// Who may read and write what the scenario and its stores hold, so that a file with their rows is for nobody else.
  fileprivate var rightsOfContent: mode_t {
    var stores: [URL] = []
    for case .store(let path) in seeds.map(\.content) {
      stores.append(folder.resolving(path.value))
    }
    return ([fileURL] + stores).reduce(0o666) { rights, file in
      var facts = stat()
      return stat(file.path, &facts) == 0 ? rights & facts.st_mode : rights
    }
  }
}
