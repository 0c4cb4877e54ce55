/// Plays one start of a scenario with faults.
struct CrashSweep: Sendable {
  let scenario: CheckedScenario
  let start: String
  let command: CrashCommand
  let workers: WorkerPool
  /// Told of each play that begins: its number, and how many there are.
  let willPlay: @Sendable (Int, Int) -> Void

  /// - Throws: ``Diagnostics`` for a migration that fails without any fault.
  func run() async throws -> CrashSweepResult {
    let folder = try TemporaryFiles.makeFolder(in: RunFolder.temporaryParent)
    defer { TemporaryFiles.removeFolder(folder) }
    let base = CrashFolder(root: folder.appending(path: "base"))
    try base.make()
    let crew = CrashCrew(
      scenario: scenario, start: start, workers: workers, limits: command.limits.limits,
      isConfined: command.confinement.sandbox)
    try await crew.performUnharmed(.prepare, in: base)
    let unharmed = try await UnharmedMigration(of: base, by: crew)
    var result = CrashSweepResult(
      scenario: "\(scenario.scenario.address)", start: start,
      hasSeveralStarts: scenario.starts.count > 1,
      destination: scenario.scenario.destination?.value, points: unharmed.points,
      undetermined: unharmed.undetermined.map(\.name),
      hasPolicies: !scenario.scenario.policies.isEmpty,
      runsStageHandlers: scenario.scenario.chain.contains { $0.stages?.hasHandlers == true },
      goneStores: unharmed.goneStores)
    let numbers = command.wantedPoints.numbers(of: unharmed.points.count)
    if numbers.isEmpty, !unharmed.points.isEmpty {
      throw problem("there are only \(unharmed.points.count.counted("point")) from \(start)")
    }
    let wanted = numbers.filter { command.wantedCallers.contains(unharmed.points[$0 - 1].caller) }
    let orders = wanted.flatMap { number in
      command.wantedFaults.flatMap { fault in
        fault.orders(at: unharmed.points[number - 1]).map { (number, fault, $0) }
      }
    }
    result.plays = try await play(orders, after: unharmed, by: crew, in: folder)
    return result
  }

  private func problem(_ text: String) -> Diagnostics {
    Diagnostics(file: scenario.scenario.file.path, text)
  }

  private typealias Order = (point: Int, fault: CrashFault, order: FileFault)

  /// Plays several at a time, and gives them back in their order.
  private func play(
    _ orders: [Order], after unharmed: UnharmedMigration, by crew: CrashCrew, in folder: URL
  ) async throws -> [CrashPlay] {
    var plays: [CrashPlay] = []
    try await Array(orders.enumerated()).work(jobs: command.processes.count) { index, order in
      let own = CrashFolder(root: folder.appending(path: "\(index)"))
      defer { try? FileManager.default.removeItem(at: own.root) }
      return try await CrashTrial(
        unharmed: unharmed, crew: crew, folder: own, point: order.point, fault: order.fault,
        order: order.order
      ).play()
    } hear: {
      plays.append($1)
    } willBegin: {
      willPlay($0, orders.count)
    }
    return plays
  }
}

/// Has the processes do their part.
struct CrashCrew: Sendable {
  let scenario: CheckedScenario
  let start: String
  let workers: WorkerPool
  let limits: RunLimits
  var isConfined = false

  /// - Returns: How the process ended, and its answer if it had one.
  func perform(
    _ task: CrashJob.Task, in folder: CrashFolder
  ) async throws -> (ending: Worker.Ending, answer: CrashJob.Answer?) {
    let job = CrashJob(
      scenario: RequestedScenario(scenario.scenario), start: start, folder: folder, task: task,
      policyFolder: nil)
    // The next start is another process: nothing that only memory knows helps it.
    let purpose: WorkerPool.Purpose = if case .retry = task { .opening } else { .playing }
    return try await withWorkFolder { files in
      try CommandJob.crash(job).write(to: files.request)
      let ending = try await workers.perform(
        .command(files), purpose, alone: !scenario.scenario.policies.isEmpty || task.isHarm,
        within: limits, sandbox: try sandbox(files, folder))
      guard ending == .answered else { return (ending, nil) }
      let answer: CrashJob.Answer = try ProcessAnswer.read(files.answer, within: limits)
      if let problem = answer.problem {
        let file = scenario.scenario.file.path
        // The other process may have named the file already.
        let place = "\(file): error: "
        let text = problem.hasPrefix(place) ? String(problem.dropFirst(place.count)) : problem
        throw Diagnostics(file: file, text)
      }
      return (ending, answer)
    }
  }

  private func sandbox(_ files: ExchangeFiles, _ folder: CrashFolder) throws -> Sandbox? {
    guard isConfined else { return nil }
    return try Sandbox(
      scenario.filesForSandbox(), exchange: files, changing: [folder.root], cache: nil)
  }

  /// Has something done that must come to its end.
  /// - Throws: ``Diagnostics`` where it doesn't.
  @discardableResult
  func performUnharmed(
    _ task: CrashJob.Task, in folder: CrashFolder
  ) async throws -> CrashJob.Answer {
    let (ending, answer) = try await perform(task, in: folder)
    guard let answer else {
      throw Diagnostics(
        file: scenario.scenario.file.path,
        "the migration fails without any fault: \(Self.text(of: ending, within: limits))")
    }
    if let failure = answer.failure {
      throw Diagnostics(
        file: scenario.scenario.file.path,
        "the migration from \(start) fails without any fault, so that there is nothing to compare with\n"
          + failure.text)
    }
    return answer
  }

  private static func text(of ending: Worker.Ending, within limits: RunLimits) -> String {
    switch ending {
    case .answered: "its process returned no answer"
    case .exited(let code): "its process ended with status \(code)"
    case .signalled(let signal): "its process was ended by signal \(signal)"
    case .tookTooLong: "it took longer than \(TimeText.text(limits.seconds)) (--timeout)"
    case .tookTooMuchMemory:
      "it took more memory than \(ByteText.text(Int64(limits.bytes))) (--memory)"
    }
  }
}
