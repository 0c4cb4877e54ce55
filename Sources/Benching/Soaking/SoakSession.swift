/// Plays random runs one after the other in one process, and sees to it that its memory doesn't grow.
///
/// A process that plays runs for others plays many, and an engine that keeps a little of each would be seen
/// after days only.
package struct SoakSession {
  /// Scenario files, and folders of them.
  private let paths: [String]
  private let options: SoakOptions

  package init(_ paths: [String], options: SoakOptions) {
    self.paths = paths
    self.options = options
  }

  /// Plays, and prints a line for each part.
  package func run() async -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      let parts = try await candidates()
      guard !parts.isEmpty else { return .nothingFound }
      return try soak(parts)
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  // MARK: What is played

  /// A run that passes however often one process plays it.
  private struct Candidate {
    let scenario: CheckedScenario
    let policies: any PolicyProvider
    let start: String
    let backend: Backend

    func passes() -> Bool {
      var suite = ScenarioSuite()
      suite.backends = [backend]
      return suite.run(scenario, start, policies).allSatisfy(\.isPassed)
    }

    var name: String { "\(scenario.scenario.address) from \(start) on \(backend.rawValue)" }
  }

  /// Plays each run twice. One that passes only once has policies that keep something for the next,
  /// which `run` gives a process of its own each.
  private func candidates() async throws -> [Candidate] {
    var found: [Candidate] = []
    let scenarios = try ScenarioFinder.addresses(at: paths).flatMap {
      try CheckedScenario.loadAll(at: $0)
    }
    for scenario in scenarios {
      if scenario.scenario.skip != nil { continue }
      let policies = try await PolicyLoader(PolicyCompiler(), for: scenario)
        .load(scenario.scenario.policies)
      for start in scenario.starts {
        for backend in scenario.backends {
          let candidate = Candidate(
            scenario: scenario, policies: policies, start: start, backend: backend)
          if candidate.passes(), candidate.passes() {
            found.append(candidate)
          } else {
            Console.complain("\(candidate.name): left out, it doesn't pass twice in one process")
          }
        }
      }
    }
    return found
  }

  // MARK: Playing

  private func soak(_ candidates: [Candidate]) throws -> ExitStatus {
    var chance = Chance(state: options.seed)
    let began = ContinuousClock.now
    var marks: [SoakMark] = []
    try ReportFile.writeToOutput(
      Data("\(candidates.count) runs to choose from, seed \(options.seed)\n".utf8))
    while marks.count < options.fewestMarks
      || (ContinuousClock.now - began).seconds < options.seconds
    {
      ProcessUse.forgetPeak()
      for _ in 0..<options.runsPerMark {
        let candidate = candidates[Int(chance.next() % UInt64(candidates.count))]
        guard candidate.passes() else {
          Console.complain(
            "\(candidate.name) failed after \(marks.count * options.runsPerMark) runs")
          return .failed
        }
      }
      let mark = SoakMark(
        runs: (marks.count + 1) * options.runsPerMark,
        seconds: (ContinuousClock.now - began).seconds, peakBytes: ProcessUse.peakBytes,
        openFiles: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
      marks.append(mark)
      try ReportFile.writeToOutput(Data("\(mark)\n".utf8))
    }
    return try verdict(marks)
  }

  private func verdict(_ marks: [SoakMark]) throws -> ExitStatus {
    // The first part fills what is kept on purpose: models, statements, the allocator's pools.
    let growth = marks[marks.count - 1].peakBytes - marks[1].peakBytes
    let files = marks[marks.count - 1].openFiles - marks[1].openFiles
    let isFlat = growth <= options.mostGrowth && files <= 0
    try ReportFile.writeToOutput(
      Data(
        ("peak memory grew by \(ByteText.text(max(0, growth))) from run \(marks[1].runs) to "
          + "\(marks[marks.count - 1].runs), \(ByteText.text(options.mostGrowth)) are allowed; "
          + "\(max(0, files)) more open files: \(isFlat ? "flat" : "a leak")\n").utf8))
    return isFlat ? .passed : .failed
  }
}

/// How long is played, and what is allowed.
package struct SoakOptions: Sendable {
  /// At least so long.
  package var seconds: Double
  /// After so many runs memory is looked at.
  package var runsPerMark = 1000
  /// At least so often, and three times.
  package var fewestMarks = 10
  /// What all chance comes from.
  package var seed: UInt64
  /// Most that the peak of the last part may be above that of the second one, in bytes.
  package var mostGrowth: Int64 = 4 << 20

  package init(seconds: Double, seed: UInt64, runs: Int) {
    self.seconds = seconds
    self.seed = seed
    fewestMarks = max(3, runs / runsPerMark)
    if runs < 3 * runsPerMark { runsPerMark = max(1, runs / 3) }
  }
}

/// What a process holds after a number of runs.
private struct SoakMark: CustomStringConvertible {
  let runs: Int
  let seconds: Double
  /// The largest resident size since the mark before.
  let peakBytes: Int64
  let openFiles: Int

  var description: String {
    "\(runs) runs: at most \(ByteText.text(peakBytes)), \(openFiles) open files, after \(TimeText.text(seconds))"
  }
}
