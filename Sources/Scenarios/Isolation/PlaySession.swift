/// A worker's whole life: does what it is asked over its standard input, until that is closed, and
/// leaves each answer in a file.
package struct PlaySession {
  private let channel: WorkerChannel
  private let jobs: any JobRequest.Type
  /// The scenario of the last request, for both backends ask for the same.
  ///
  /// It is read here once more, after the process that asks: what was resolved refers to models,
  /// descriptions and predicates, all of which would have to be written down and put together again.
  private var loaded: CheckedScenario?
  /// For the other backend, and other scenarios of the same models.
  private let inferences = InferredMappings()
  /// The file of the last request that has several scenarios, read and not yet resolved: a table may have
  /// hundreds of rows.
  private var file: (url: URL, shown: String, scenarios: [Scenario])?

  /// Confines this process as a file says, and starts it again.
  package static func enterSandbox(by file: String) -> Never { Sandbox.enter(by: file) }

  /// - Parameter jobs: What commands may have done here.
  /// - Throws: When standard input isn't the channel that ``Worker`` makes.
  package init(jobs: any JobRequest.Type) throws {
    self.jobs = jobs
    channel = try WorkerChannel.takingStandardInput()
    channel.endProcessWhenAbandoned()
    PrivateFolder.becomeUsual()
    // Control-C at a terminal reaches every process there; whoever started this one ends it.
    for number in [SIGINT, SIGHUP] { signal(number, SIG_IGN) }
    Self.printLineByLine()
  }

  /// - Throws: When a request can't be read, or an answer not be written.
  package mutating func run() async throws {
    while let message = try channel.receive() {
      let request = try JSONDecoder().decode(WorkerRequest.self, from: message)
      let watch = MachineFaultWatch()
      watch.watchProcess()
      do {
        try Self.print(to: request.files.output)
        try await perform(request, watch)
        fflush(nil)
        try channel.send(.answered)
      } catch {
        guard let fault = MachineFault(error) else { throw error }
        try channel.send(.unjudged(fault))
      }
    }
  }

  /// - Throws: `MachineFault` also where the machine failed and all seems well.
  private mutating func perform(_ request: WorkerRequest, _ watch: MachineFaultWatch) async throws {
    switch request {
    case .play(let request): try await play(request, watch)
    case .open(let request):
      try open(request)
      if let fault = watch.fault { throw fault }
    case .command(let files):
      let isJudgement = try await perform(files)
      if isJudgement, let fault = watch.fault { throw fault }
    }
  }

  // MARK: Output

  /// What a policy prints must be in the file when the process dies.
  private static func printLineByLine() {
    // Swift's checks of concurrency don't let the variable be named.
    let output = dlsym(nil, "stdout")?.assumingMemoryBound(to: UnsafeMutablePointer<FILE>?.self)
    if let output { setvbuf(output.pointee, nil, _IOLBF, 0) }
  }

  /// Lets both outputs lead into a file.
  private static func print(to file: URL) throws {
    let descriptor = Foundation.open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    for output in [STDOUT_FILENO, STDERR_FILENO] { dup2(descriptor, output) }
  }

  /// What policies print while a step is played once more was printed before.
  private static func printNothing() {
    fflush(nil)
    // At worst it is printed twice.
    try? print(to: URL(fileURLWithPath: "/dev/null"))
  }

  // MARK: Requests

  private mutating func scenario(
    _ requested: RequestedScenario, _ mutation: Mutation?
  ) throws -> CheckedScenario {
    let scenario = try scenario(requested)
    return try mutation.map { try scenario.mutated(by: $0) } ?? scenario
  }

  private mutating func scenario(_ requested: RequestedScenario) throws -> CheckedScenario {
    if let loaded, loaded.scenario.address == requested.address { return loaded }
    let scenario = try written(requested).map(CheckedScenario.check) ?? requested.load()
    loaded = scenario
    return scenario
  }

  /// One of the scenarios of a file that has several; nil for a file's only one, and where another one of
  /// the file is wrong, which is no matter of this one's.
  private mutating func written(_ requested: RequestedScenario) -> Scenario? {
    guard let number = requested.number else { return nil }
    let (url, shown) = (requested.url, requested.shownPath)
    if file?.url != url || file?.shown != shown {
      file = nil
      guard let source = try? SourceFile(contentsOf: url, shownAs: shown),
        let scenarios = try? ScenarioReader.readAll(
          source, in: url.deletingLastPathComponent())
      else { return nil }
      file = (url, shown, scenarios)
    }
    return file?.scenarios.first { $0.number == number }
  }

  private mutating func open(_ request: OpenRequest) throws {
    let problem = Reopening(ending: request.ending, model: try model(for: request)).problem()
    try ProcessAnswer.write(OpenAnswer(problem: problem), to: request.files.answer)
  }

  /// The model that a store is opened with. Of a scenario as it is nothing else is resolved for that.
  private mutating func model(for request: OpenRequest) throws -> ManagedObjectModel {
    let version = request.ending.version
    if request.mutation == nil,
      let written = try written(request.scenario) ?? onlyScenario(of: request.scenario),
      let model = try written.loadModels()[version]
    {
      return model
    }
    return try scenario(request.scenario, request.mutation).model(version)
  }

  /// Nil where the file has several.
  private func onlyScenario(of requested: RequestedScenario) throws -> Scenario? {
    if requested.number != nil { return nil }
    return try ScenarioReader.read(
      SourceFile(contentsOf: requested.url, shownAs: requested.shownPath),
      in: requested.pathsFolder ?? requested.url.deletingLastPathComponent())
  }

  /// Has it noted what the process does, for whoever finds out how it died.
  private func watch(_ files: ExchangeFiles) throws {
    try FlightRecorder(file: files.recorder).recordProcess()
    ErrorWatch.begin()
    ErrorWatch.writeRaised(to: files.raised)
    ErrorWatch.writeAborted(to: files.aborted)
  }

  /// - Returns: Whether it is a judgement, which a fault of the machine makes worthless.
  private func perform(_ files: ExchangeFiles) async throws -> Bool {
    try watch(files)
    let channel = channel
    let job = try jobs.read(files.request)
    try await job.perform(answering: files.answer) { progress in
      // Nobody hears it any more once the other process is gone, and this one ends soon.
      if let message = try? JSONEncoder().encode(progress) {
        try? channel.send(.remark(message))
      }
    }
    return job.isJudgement
  }

  private mutating func play(_ request: PlayRequest, _ watch: MachineFaultWatch) async throws {
    try self.watch(request.files)
    try Self.answer(request, await played(request, watch))
  }

  private static func answer(
    _ request: PlayRequest, _ played: PlayedRun, isReplaying: Bool = false
  ) throws {
    try PlayAnswer(played, withContents: request.wantsContents, isReplaying: isReplaying)
      .write(to: request.files.answer)
  }

  private func policies(
    of scenario: CheckedScenario, in folder: URL?
  ) async throws -> any PolicyProvider {
    // To ask for the compiler takes longer than parts of a small run.
    if scenario.scenario.policies.isEmpty { return PolicyLoader.none }
    return try await PolicyLoader(PolicyCompiler(cacheDirectory: folder), for: scenario)
      .load(scenario.scenario.policies)
  }

  private mutating func played(
    _ request: PlayRequest, _ watch: MachineFaultWatch
  ) async -> PlayedRun {
    do {
      EngineModules.take(request.engineDigests)
      let written = try self.scenario(request.scenario, request.mutation)
      let scenario = try request.objects.map { try written.scaled(to: $0) } ?? written
      let policies = try await policies(of: scenario, in: request.policyFolder)
      let folder = URL(fileURLWithPath: request.folder, isDirectory: true)
      return try RunPlayer(
        scenario: scenario, policies: policies, stores: request.stores,
        scratch: request.files.scratch, output: request.files.output,
        // Policies may change what they are given.
        inferences: scenario.scenario.policies.isEmpty ? inferences : nil,
        explainsSteps: request.explainsSteps
      ).play(
        RunID(scenario, start: request.start, backend: request.backend), in: folder,
        // Without the log, the report on a process that died says less.
        log: { try? $0.write(to: request.files.log) },
        // Where a value went wrong is no question where the fault is known.
        willReplay: request.mutation != nil
          ? nil
          : { played in
            try Self.answer(request, played, isReplaying: true)
            Self.printNothing()
          })
    } catch {
      // The parent has read and checked the same file, and compiled the same policies.
      let id = RunID(
        path: request.scenario.shownPath, number: request.scenario.number,
        title: request.scenario.shownPath, start: request.start, backend: request.backend,
        hasSeveralStarts: false)
      return PlayedRun(failed: id, watch.fault ?? error, at: nil)
    }
  }
}
