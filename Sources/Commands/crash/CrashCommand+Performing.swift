import Synchronization

extension CrashCommand {
  func perform() async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    Self.makeOrderCertain()
    if confinement.sandbox { try Sandbox.check() }
    let report = try await play()
    return try reports.outputs.publish(report, findings: report.told(paths))
  }

  /// What the processes that are started take from here: what they do has the same order each time.
  private static func makeOrderCertain() {
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    setenv("HEAVYWEIGHT_SECOND_THREAD", "never", 1)
  }

  private func play() async throws -> CrashReport {
    let began = ContinuousClock.now
    let files = try ScenarioFinder.addresses(at: paths)
    guard !files.isEmpty else {
      throw Diagnostics(file: paths.joined(separator: ", "), "there is no *.scenario.yaml in it")
    }
    let scenarios = try files.flatMap { try CheckedScenario.loadAll(at: $0) }
    var report = CrashReport()
    let workers = WorkerPool()
    for scenario in scenarios {
      if let skip = scenario.scenario.skip {
        Console.complain("\(scenario.scenario.address): it is skipped: \(skip.value)")
        continue
      }
      do { report.sweeps += try await play(scenario, workers) } catch {
        if let fault = MachineFault(error) { throw fault }
        report.problems.append("\(error)")
      }
    }
    await workers.dismissAll()
    report.seconds = (ContinuousClock.now - began).seconds
    return report
  }

  private func play(
    _ scenario: CheckedScenario, _ workers: WorkerPool
  ) async throws -> [CrashSweepResult] {
    let starts = scenario.starts.filter {
      // Without a step there is nothing that a fault could come into.
      self.start == nil ? !scenario.steps(from: $0).isEmpty : $0 == self.start
    }
    let path = "\(scenario.scenario.address)"
    guard !starts.isEmpty else {
      throw Diagnostics(
        file: path,
        "it doesn't start from \(self.start ?? "any version"), but from "
          + scenario.starts.joined(separator: ", "))
    }
    if confinement.sandbox { _ = try scenario.filesForSandbox() }
    try await PolicyLoader(PolicyCompiler(), for: scenario).prepare(scenario.scenario.policies)
    let progress = ProgressLine()
    defer { progress.clear() }
    var results: [CrashSweepResult] = []
    for start in starts {
      results.append(
        try await CrashSweep(
          scenario: scenario, start: start, command: self, workers: workers
        ) { progress.show("\(path) from \(start)", done: $0, total: $1) }.run())
    }
    return results
  }
}
