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
    var startedCount = 0
    /// Whether it was begun, and has runs that weren't.
    var hasMore: Bool { startedCount > 0 && startedCount < runs.count }
  }

  private var entries: [Entry]
  private let failsFast: Bool
  private var hasFailed = false
  /// The scenario to begin next.
  private var nextToBegin = 0
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
  ///
  /// The runs of one scenario follow each other, so that one process reads it once; those of several
  /// scenarios go on beside each other. When no scenario is left to begin, whoever is free takes any run.
  /// - Parameter last: The run that just ended, whose scenario is gone on with.
  mutating func nextRun(after last: Place? = nil) -> (Place, CheckedScenario, RunID)? {
    guard let index = nextScenario(after: last?.scenario) else { return nil }
    let place = Place(scenario: index, run: entries[index].startedCount)
    entries[index].startedCount += 1
    startedCount += 1
    return (place, entries[index].scenario, entries[index].runs[place.run])
  }

  private mutating func nextScenario(after last: Int?) -> Int? {
    if let last, entries[last].hasMore { return last }
    while nextToBegin < entries.count, entries[nextToBegin].runs.isEmpty { nextToBegin += 1 }
    // The runs of one scenario belong together: a backend alone would be compared with nothing.
    guard nextToBegin < entries.count, !(hasFailed && failsFast) else {
      return entries[..<nextToBegin].firstIndex(where: \.hasMore)
    }
    defer { nextToBegin += 1 }
    return nextToBegin
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
  var unplayedCount: Int { entries.filter { $0.startedCount == 0 && !$0.runs.isEmpty }.count }
}
