/// What a command has another process do, since it runs an app's policies.
protocol IsolatedJob: Codable, Sendable {
  associatedtype Answer: Codable

  /// Does it, in whatever process this is.
  /// - Parameter tell: Called with what the job is about to do.
  func perform(tell: (JobProgress) -> Void) async -> Answer
}

/// How far a job is.
struct JobProgress: Codable, Sendable {
  /// The step that begins, how many are done, and of how many.
  var step: String
  var done: Int
  var total: Int
  /// What is known of the store by then.
  var route: StoreMigrationReport.Route?
}

/// The jobs that a process may be asked to do.
enum CommandJob: Codable, Sendable {
  case migrate(MigrateJob)
  case draft(DraftJob)
  case crash(CrashJob)

  /// Does the job and leaves its answer in a file.
  func perform(answering file: URL, tell: (JobProgress) -> Void) async throws {
    switch self {
    case .migrate(let job): try Self.write(await job.perform(tell: tell), to: file)
    case .draft(let job): try Self.write(await job.perform(tell: tell), to: file)
    case .crash(let job): try Self.write(await job.perform(tell: tell), to: file)
    }
  }

  private static func write(_ answer: some Encodable, to file: URL) throws {
    try PropertyListEncoder().encode(answer).write(to: file, options: .atomic)
  }

  func write(to file: URL) throws { try Self.write(self, to: file) }

  static func read(_ file: URL) throws -> CommandJob {
    try PropertyListDecoder().decode(CommandJob.self, from: Data(contentsOf: file))
  }
}

/// Has a job done in a process of its own: whatever a policy does there, the command goes on, and tells
/// what it was.
struct JobIsolation: Sendable {
  let limits: RunLimits
  /// The folders of the policies' sources.
  let policySources: Set<String>
  /// The files that the process is confined to and the folders that it may change; nil to let it do what
  /// any program may.
  var confinement: (files: SandboxFiles, changed: [URL])?
  /// Removes what a process that died left behind.
  let removesLeftovers: @Sendable () -> Void

  enum Outcome<Answer> {
    case answered(Answer)
    case died(PolicyDeath)
  }

  /// - Parameter hear: Called on another thread with what the process is about to do.
  /// - Returns: The answer, and what the process printed.
  /// - Throws: When no process can be started, or its answer not be read.
  func perform<Job: IsolatedJob>(
    _ job: Job, as command: CommandJob, hear: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> (Outcome<Job.Answer>, printed: String) {
    try await TemporaryFiles.removingToo(removesLeftovers) {
      try await withWorkFolder { files in
        try command.write(to: files.request)
        let ending = try await WorkerPool().perform(
          .command(files), .playing, alone: true, within: limits, sandbox: sandbox(files)
        ) { message in
          // What isn't understood is only not shown.
          if let progress = try? JSONDecoder().decode(JobProgress.self, from: message) {
            hear(progress)
          }
        }
        guard ending == .answered else {
          removesLeftovers()
          let death = DeadProcess(files: files, sources: policySources, limits: limits)
          return (.died(PolicyDeath(death, ending)), death.lastLines)
        }
        let answer = try PropertyListDecoder().decode(
          Job.Answer.self, from: Data(contentsOf: files.answer))
        return (.answered(answer), files.printed)
      }
    }
  }

  private func sandbox(_ files: ExchangeFiles) throws -> Sandbox? {
    try confinement.map {
      try Sandbox(
        $0.files, exchange: files, changing: $0.changed, hasLargeFiles: true, cache: nil)
    }
  }
}
