import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Random runs one after the other in one process, whose memory must not grow: a process that plays runs for others
/// plays many, and an engine that keeps a little of each would be found out after days only.
///
/// `./ci.sh soak MINUTES` starts it; the variables say how long, and what all chance comes from.
@Suite(.enabled(if: Wanted.minutes != nil, "HEAVYWEIGHT_SOAK says for how many minutes"))
struct SoakTests {
  /// After so many runs memory is looked at.
  private static let runsPerMark = 1000
  /// Most that the peak of the last part may be above that of the second one, in bytes: the first fills what is kept
  /// on purpose, such as models, statements and the allocator's pools.
  private static let mostGrowth: Int64 = 4 << 20

  private struct Candidate {
    let scenario: CheckedScenario
    let start: String
    let backend: Backend

    func passes() -> Bool {
      var suite = ScenarioSuite()
      suite.backends = [backend]
      return suite.run(scenario, from: start, with: PolicyRegistry()).allSatisfy(\.isPassed)
    }
  }

  /// What a process holds after a number of runs.
  private struct Mark: CustomStringConvertible {
    let runs: Int
    /// The largest resident size since the mark before.
    let peakBytes = ProcessUse.peakBytes
    let openFiles: Int

    init(runs: Int) throws {
      self.runs = runs
      openFiles = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    var description: String {
      "\(runs) runs: at most \(ByteText.text(peakBytes)), \(openFiles) open files"
    }
  }

  /// Those without policies that pass twice in one process. An app's code may keep what it likes, and `run` gives it
  /// a process of its own.
  private func candidates() throws -> [Candidate] {
    let scenarios = try ScenarioFinder.addresses(at: [DocumentationTests.scenarios.path]).flatMap {
      try CheckedScenario.loadAll(at: $0)
    }
    return scenarios.filter {
      $0.scenario.skip == nil && $0.scenario.policies.isEmpty
    }.flatMap { scenario in
      scenario.starts.flatMap { start in
        scenario.backends.map { Candidate(scenario: scenario, start: start, backend: $0) }
      }
    }.filter { $0.passes() && $0.passes() }
  }

  @Test func memoryStaysFlat() throws {
    let candidates = try candidates()
    print("\(candidates.count) runs to choose from, seed \(Wanted.seed)")
    try #require(candidates.count > 200)
    var random = RandomSource(seed: Wanted.seed)
    var marks: [Mark] = []
    let end = ContinuousClock.now + .seconds((Wanted.minutes ?? 0) * 60)
    while marks.count < max(3, Wanted.runs / Self.runsPerMark) || ContinuousClock.now < end {
      ProcessUse.forgetPeak()
      for _ in 0..<Self.runsPerMark {
        let candidate = try #require(candidates.randomElement(using: &random))
        try #require(
          candidate.passes(),
          "\(candidate.scenario.scenario.address) from \(candidate.start) on \(candidate.backend)")
      }
      marks.append(try Mark(runs: (marks.count + 1) * Self.runsPerMark))
      print(marks[marks.count - 1])
    }
    #expect(marks[marks.count - 1].peakBytes - marks[1].peakBytes <= Self.mostGrowth)
    #expect(marks[marks.count - 1].openFiles <= marks[1].openFiles)
  }
}

private enum Wanted {
  private static let environment = ProcessInfo.processInfo.environment
  static let minutes = environment["HEAVYWEIGHT_SOAK"].flatMap(Double.init)
  /// Least number of runs.
  static let runs = environment["HEAVYWEIGHT_SOAK_RUNS"].flatMap(Int.init) ?? 10_000
  static let seed = environment["SEED"].flatMap(UInt64.init) ?? 1
}
