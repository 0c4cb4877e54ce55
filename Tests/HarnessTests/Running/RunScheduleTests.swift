import Testing

@testable import Scenarios

/// In which order a suite's runs are started, with two processes at a time.
@Suite struct RunScheduleTests {
  private func schedule(_ titles: [String], failsFast: Bool = false) throws -> RunSchedule {
    RunSchedule(
      try titles.map { title in
        let scenario = try checked(
          """
          scenario: \(title)
          models: { v1: { Tag: { name: string } } }
          expect: [count: { Tag: 0 }]
          """)
        return (scenario, Backend.allCases.map { RunID(scenario, start: "v1", backend: $0) })
      }, failsFast)
  }

  private func name(_ next: (RunSchedule.Place, CheckedScenario, RunID)?) -> String? {
    next.map { "\($0.1.scenario.title.value) \($0.2.backend)" }
  }

  @Test func theRunsOfAScenarioFollowEachOther() throws {
    var schedule = try schedule(["a", "b", "c"])
    let first = schedule.nextRun()
    let second = schedule.nextRun()
    #expect(name(first) == "a memory")
    #expect(name(second) == "b memory")
    let third = schedule.nextRun(after: second?.0)
    #expect(name(third) == "b sqlite")
    #expect(name(schedule.nextRun(after: third?.0)) == "c memory")
    let last = schedule.nextRun(after: first?.0)
    #expect(name(last) == "a sqlite")
    // Nothing is left to begin: whoever is free helps out.
    #expect(name(schedule.nextRun(after: last?.0)) == "c sqlite")
    #expect(name(schedule.nextRun(after: last?.0)) == nil)
    #expect(schedule.startedCount == 6)
    #expect(schedule.unplayedCount == 0)
  }

  @Test func aSingleScenarioIsPlayedOnBothBackendsAtOnce() throws {
    var schedule = try schedule(["a"])
    #expect(name(schedule.nextRun()) == "a memory")
    #expect(name(schedule.nextRun()) == "a sqlite")
    #expect(name(schedule.nextRun()) == nil)
  }

  @Test func afterAFailureOnlyWhatWasBegunIsFinished() throws {
    var schedule = try schedule(["a", "b", "c"], failsFast: true)
    let (begun, other) = (schedule.nextRun(), schedule.nextRun())
    let (first, second) = (try #require(begun), try #require(other))
    var failed = PlayedRun(result: RunResult(id: first.2), isComplete: false)
    failed.result.failures = [
      Failure(.timeout, at: nil, "the run", expected: "an end", found: "none")
    ]
    schedule.didPlay(failed, at: first.0)
    #expect(name(schedule.nextRun(after: first.0)) == "a sqlite")
    #expect(name(schedule.nextRun(after: second.0)) == "b sqlite")
    #expect(name(schedule.nextRun(after: second.0)) == nil)
    #expect(schedule.unplayedCount == 1)
  }
}
