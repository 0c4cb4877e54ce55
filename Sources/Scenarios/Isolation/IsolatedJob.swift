/// What a command has another process do, since it runs an app's policies.
package protocol IsolatedJob: Codable, Sendable {
  associatedtype Answer: Codable

  /// Does it, in whatever process this is.
  /// - Parameter tell: Called with what the job is about to do.
  func perform(tell: (JobProgress) -> Void) async -> Answer

  /// Looks at what another process answered: it may have run code that answers in the job's place.
  /// - Throws: What can't be the job's answer.
  func check(_ answer: Answer) throws
}

extension IsolatedJob {
  package func check(_ answer: Answer) throws {}
}

/// How far a job is.
package struct JobProgress: Codable, Sendable {
  /// The step that begins, how many are done, and of how many.
  package var step: String
  package var done: Int
  package var total: Int
  /// What is known of the store by then.
  package var route: StoreRoute?

  package init(step: String, done: Int, total: Int, route: StoreRoute? = nil) {
    self.step = step
    self.done = done
    self.total = total
    self.route = route
  }
}

/// What is known of a store and of its way.
package struct StoreRoute: Codable, Sendable {
  package var versions: [String] = []
  package var configuration: String?
  package var target: String?
  /// Whether it leads from the model that the store keeps of itself, since none of the versions fits.
  package var isFromStoreModel = false

  package init(
    versions: [String] = [], configuration: String? = nil, target: String? = nil,
    isFromStoreModel: Bool = false
  ) {
    self.isFromStoreModel = isFromStoreModel
    self.versions = versions
    self.configuration = configuration
    self.target = target
  }
}

/// The jobs that a process may be asked to do: one of them, as a file has it.
package protocol JobRequest: Codable, Sendable {
  /// Whether its answer says something of an app's files, and nothing where the machine failed meanwhile.
  var isJudgement: Bool { get }

  /// Does the job and leaves its answer in a file.
  func perform(answering file: URL, tell: (JobProgress) -> Void) async throws
}

extension JobRequest {
  package func write(to file: URL) throws {
    try PropertyListEncoder().encode(self).write(to: file, options: .atomic)
  }

  static func read(_ file: URL) throws -> Self {
    try PropertyListDecoder().decode(Self.self, from: Data(contentsOf: file))
  }
}

/// Has a job done in a process of its own: whatever a policy does there, the command goes on, and tells
/// what it was.
package struct JobIsolation: Sendable {
  let limits: RunLimits
  /// The folders of the policies' sources.
  let policySources: Set<String>
  /// The files that the process is confined to and the folders that it may change; nil to let it do what
  /// any program may.
  var confinement: (files: SandboxFiles, changed: [URL])?
  /// Removes what a process that died left behind, beside its temporary folders.
  let removesOthers: @Sendable () -> Void

  package enum Outcome<Answer: Sendable>: Sendable {
    case answered(Answer)
    case died(PolicyDeath)
  }

  /// - Parameter hear: Called on another thread with what the process is about to do.
  /// - Returns: The answer, and what the process printed.
  /// - Throws: When no process can be started, or its answer not be read.
  package func perform<Job: IsolatedJob>(
    _ job: Job, as command: some JobRequest, hear: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> (Outcome<Job.Answer>, printed: String) {
    try await TemporaryFiles.removingToo(removeLeftovers) {
      try await withWorkFolder { files in
        try command.write(to: files.request)
        let ending = try await self.ending(files, hear)
        guard ending == .answered else {
          // At the process's end it is removed there, and both at once would each leave what the other has locked.
          TemporaryFiles.placing { removeLeftovers() }
          let death = DeadProcess(files: files, sources: policySources, limits: limits)
          return (.died(PolicyDeath(death, ending)), death.lastLines)
        }
        let answer: Job.Answer = try ProcessAnswer.read(files.answer, within: limits)
        try job.check(answer)
        return (.answered(answer), files.printed)
      }
    }
  }

  /// How the process ended. A process that is about to end itself ends those that it started first, and has
  /// nothing to tell of that.
  private func ending(
    _ files: ExchangeFiles, _ hear: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> Worker.Ending {
    let sandbox = try sandbox(files)
    let temporaryFolder = sandbox == nil ? try TemporaryFiles.makeFolder() : nil
    defer {
      // It may lie in a folder that is put in its place.
      sandbox?.removeTemporaryFolder()
      temporaryFolder.map(TemporaryFiles.removeFolder)
    }
    let ending: Worker.Ending
    do {
      ending = try await WorkerPool().perform(
        .command(files), .playing, alone: true, within: limits, sandbox: sandbox,
        temporaryFolder: temporaryFolder
      ) { message in
        // What isn't understood is only not shown.
        if let progress: JobProgress = try? ProcessAnswer.decode(message) { hear(progress) }
      }
    } catch {
      TemporaryFiles.waitIfOver()
      throw error
    }
    TemporaryFiles.waitIfOver()
    return ending
  }

  private func removeLeftovers() {
    removesOthers()
    TemporaryFiles.removeDeadFolders()
  }

  private func sandbox(_ files: ExchangeFiles) throws -> Sandbox? {
    try confinement.map {
      try Sandbox(
        $0.files, exchange: files, changing: $0.changed, hasLargeFiles: true, cache: nil)
    }
  }

  package init(
    limits: RunLimits, policySources: Set<String>,
    confinement: (files: SandboxFiles, changed: [URL])? = nil,
    removesOthers: @escaping @Sendable () -> Void = {}
  ) {
    self.limits = limits
    self.policySources = policySources
    self.confinement = confinement
    self.removesOthers = removesOthers
  }
}
