import Synchronization

/// One call of `heavyweight migrate`: loads what it is given, migrates and reports.
struct MigrateSession {
  /// Where models, mapping models and policies come from.
  package enum Origin: Codable, Sendable {
    case files(
      MigrationFiles, target: String?, path: ModelRouteFinder.Path,
      allowsUnusedMappings: Bool = false)
    /// A scenario file.
    case scenario(String)
  }

  let job: MigrateJob
  /// Where the reports go.
  let outputs: CommandOutputs
  /// What policies may take, in a process of their own.
  let limits: RunLimits
  /// Whether the migration reaches nothing but its folders and the files that it is given.
  let isConfined: Bool

  private var place: URL { URL(fileURLWithPath: job.output) }

  /// Does everything, and prints the report.
  /// - Throws: What is wrong with what it was given.
  func run() async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    PrivateFolder.becomeUsual()
    if isConfined {
      try Sandbox.check()
      // The compiler would read what isn't to be read, and tell of it.
      _ = try job.filesForSandbox()
    }
    if case .files(let files, let target, _, _) = job.origin, !files.stubs.isEmpty {
      try files.stubs.requirePolicies(ModelRouteFinder.policies(of: files, to: target).sources)
    }
    if job.isInMemory || job.isExplained { return try await migrate() }
    // Before policies are compiled, which takes seconds.
    let reserved = try StoreMigration.reservePlace(of: place)
    defer { reserved.giveBackPlace() }
    return try await migrate()
  }

  private func migrate() async throws -> ExitStatus {
    let progress = ProgressLine()
    let show: @Sendable (JobProgress) -> Void = {
      progress.show($0.step, done: $0.done, total: $0.total)
    }
    let (answer, callsCode) = try await perform(show)
    let difference = await difference(from: answer, callsCode)
    progress.clear()
    answer.remarks.forEach(Console.complain)
    guard let text = answer.text else { return answer.status }
    return try outputs.publish(
      text: { text + Data((difference.map { $0 + "\n" } ?? "").utf8) },
      json: { try (answer.report ?? Data()).adding(difference) },
      findings: ToldFindings(
        command: "migrate", file: job.store, findings: answer.findings,
        isFailure: answer.status != .passed, sections: answer.sections), answer.status)
  }

  private func perform(
    _ show: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> (answer: MigrateJob.Answer, callsCode: Bool) {
    let sources = try await job.preparePolicies()
    let answer =
      if let sources {
        try await performApart(sources, show)
      } else if isConfined {
        try await performApart([], show)
      } else {
        await job.perform(tell: show)
      }
    return (answer, sources != nil)
  }

  /// What the way that wasn't taken comes to, where that differs.
  private func difference(from answer: MigrateJob.Answer, _ callsCode: Bool) async -> String? {
    // The migration is done: what keeps this from being known is no reason to fail.
    guard let outcome = answer.outcome, let folder = try? TemporaryFiles.makeFolder() else {
      return nil
    }
    defer { TemporaryFiles.removeFolder(folder) }
    guard let other = job.onOtherWay(after: outcome, to: folder.appending(path: "other.sqlite")),
      let found = try? await MigrateSession(
        job: other, outputs: CommandOutputs(), limits: limits, isConfined: isConfined
      ).perform({ _ in }).answer.outcome
    else { return nil }
    return job.difference(outcome, from: found, by: other, callsCode: callsCode)
  }

  /// Has the job done in a process of its own, where policies may do what they like.
  private func performApart(
    _ sources: Set<String>, _ show: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> MigrateJob.Answer {
    guard isConfined else {
      return try await performApart(job, compiling: sources, within: nil, showing: show)
    }
    let files = try job.filesForSandbox()
    // Beside the result's place, for it may be too large for any other.
    let folder = try TemporaryFiles.makeFolder(in: place.deletingLastPathComponent())
    defer { TemporaryFiles.removeFolder(folder) }
    var job = job
    let made = PersistentStoreFiles(folder.appending(path: place.lastPathComponent))
    job.workplace = made.url.path
    let answer = try await performApart(
      job, compiling: sources, within: (files, [folder]), showing: show)
    if made.exist { try put(made) }
    return answer
  }

  /// Puts a result that was made elsewhere in its place, whole or not at all.
  private func put(_ made: PersistentStoreFiles) throws {
    let neighbour = try PersistentStoreFiles(place).makeTemporaryNeighbour()
    do {
      try made.move(to: neighbour)
      try PersistentStoreFiles(place).replace(by: neighbour, onlyIfFree: true)
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? neighbour.remove()
      throw error
    }
  }

  private func performApart(
    _ job: MigrateJob, compiling sources: Set<String>,
    within confinement: (files: SandboxFiles, changed: [URL])?,
    showing show: @escaping @Sendable (JobProgress) -> Void
  ) async throws -> MigrateJob.Answer {
    let place = job.isInMemory ? nil : PersistentStoreFiles(place)
    let isolation = JobIsolation(
      limits: limits, policySources: sources, confinement: confinement
    ) { place?.removeLeftovers() }
    let last = Mutex<JobProgress?>(nil)
    let (outcome, printed) = try await isolation.perform(job, as: CommandJob.migrate(job)) {
      progress in
      last.withLock { $0 = progress }
      show(progress)
    }
    if !job.isTrial { Console.tell(printed) }
    switch outcome {
    case .answered(let answer): return answer
    case .died(let death): return try answer(death, after: last.withLock(\.self))
    }
  }

  /// The report on a migration whose process ended on the way.
  private func answer(
    _ death: PolicyDeath, after progress: JobProgress?
  ) throws -> MigrateJob.Answer {
    var report = StoreMigrationReport(
      store: URL(fileURLWithPath: job.store).relativePath,
      output: job.isInMemory ? "memory" : place.relativePath)
    report.route = progress?.route ?? report.route
    var failed = CoreDataError.Place()
    failed.step = progress?.step
    failed.entityMapping = death.entityMapping
    failed.object = death.object
    report.failure = ChainFailure(error: death, place: failed)
    // A confined process makes it elsewhere.
    report.isResultThere = !job.isInMemory && !isConfined && PersistentStoreFiles(place).exist
    return try job.answer(report)
  }
}

extension Data {
  /// A report for machines with what both ways through the versions come to.
  fileprivate func adding(_ difference: String?) throws -> Data {
    guard let difference, first == UInt8(ascii: "{") else { return self }
    let added = try (["otherWay": difference] as JSONObject).machineReport()
    // `otherWay` as the last key: the object that was there goes on where the new one ends.
    let rest = String(decoding: added, as: UTF8.self).split(separator: "\n").dropFirst()
    let text = String(decoding: self, as: UTF8.self).split(separator: "\n").dropLast()
    return Data((text.joined(separator: "\n") + ",\n" + rest.joined(separator: "\n") + "\n").utf8)
  }
}
