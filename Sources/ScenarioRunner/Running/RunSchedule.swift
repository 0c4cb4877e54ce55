/// Which runs of a suite are next, which have ended, and which scenarios are complete.
///
/// Scenarios are told in the order given, each as soon as it and those before it are complete.
struct RunSchedule {
  /// Which run of which scenario.
  struct Place: Sendable {
    fileprivate let scenario: Int
    fileprivate let run: Int
  }

  private struct Entry {
    let scenario: CheckedScenario
    let runs: [RunID]
    var played: [PlayedRun?]
    var isBegun = false
  }

  private var entries: [Entry]
  private let failsFast: Bool
  private var hasFailed = false
  /// The run to start next.
  private var next = Place(scenario: 0, run: 0)
  /// The scenario to tell next.
  private var nextToTell = 0
  /// How many runs there are, and have been started.
  let count: Int
  private(set) var startedCount = 0

  /// - Parameter failsFast: Whether no scenario is begun once one has failed.
  init(_ scenarios: [(scenario: CheckedScenario, runs: [RunID])], _ failsFast: Bool) {
    entries = scenarios.map {
      Entry(
        scenario: $0.scenario, runs: $0.runs,
        played: [PlayedRun?](repeating: nil, count: $0.runs.count))
    }
    self.failsFast = failsFast
    count = scenarios.reduce(0) { $0 + $1.runs.count }
  }

  /// The run to start now; nil when all are started, or no more are to be.
  mutating func nextRun() -> (Place, CheckedScenario, RunID)? {
    while next.scenario < entries.count, next.run == entries[next.scenario].runs.count {
      next = Place(scenario: next.scenario + 1, run: 0)
    }
    guard next.scenario < entries.count else { return nil }
    // The runs of one scenario belong together: a backend alone would be compared with nothing.
    if hasFailed, failsFast, !entries[next.scenario].isBegun { return nil }
    let place = next
    entries[place.scenario].isBegun = true
    next = Place(scenario: place.scenario, run: place.run + 1)
    startedCount += 1
    return (place, entries[place.scenario].scenario, entries[place.scenario].runs[place.run])
  }

  mutating func didPlay(_ run: PlayedRun, at place: Place) {
    entries[place.scenario].played[place.run] = run
    if !run.result.isPassed { hasFailed = true }
  }

  /// The next scenario to tell, if all its runs have ended.
  mutating func nextComplete() -> (CheckedScenario, [PlayedRun])? {
    guard nextToTell < entries.count else { return nil }
    let played = entries[nextToTell].played.compactMap(\.self)
    guard played.count == entries[nextToTell].runs.count else { return nil }
    defer {
      // What the run held isn't needed any more.
      entries[nextToTell].played = entries[nextToTell].played.map { _ in nil }
      nextToTell += 1
    }
    return (entries[nextToTell].scenario, played)
  }

  /// Notes what came of comparing a scenario's runs, too.
  mutating func note(_ results: [RunResult]) {
    if !results.allSatisfy(\.isPassed) { hasFailed = true }
  }

  /// How many scenarios were never begun.
  var unplayedCount: Int { entries.filter { !$0.isBegun && !$0.runs.isEmpty }.count }
}
