/// Compares what a start of a scenario came to on two backends.
///
/// Where the contents differ the run is played again on both, since a value that isn't the same in two
/// plays of one backend says nothing about the backends: see ``UndeterminedValues``. Everything else
/// must be the same: the number of objects, links, and all other values.
struct BackendComparison {
  /// What one play on each of the two backends held.
  private typealias Pair = (first: PlayedRun, second: PlayedRun)

  private let scenario: CheckedScenario
  private var pairs: [Pair]
  private(set) var differences: [Failure] = []
  private(set) var undetermined: [UndeterminedProperty] = []

  /// So often a run is played again: a value with few possibilities may well be the same twice.
  private static let mostPlays = 6
  /// As often, where no play has shown any value to be undetermined.
  private static let mostFruitlessPlays = 3

  init(_ first: PlayedRun, _ second: PlayedRun, of scenario: CheckedScenario) {
    self.scenario = scenario
    pairs = [(first, second)]
    compare()
  }

  /// Whether another play could show that a difference isn't one between the backends.
  var wantsAnotherPlay: Bool {
    let most = undetermined.isEmpty ? Self.mostFruitlessPlays : Self.mostPlays
    return !differences.isEmpty && pairs.count < most
  }

  /// - Returns: False where a play came to no end, so that it tells nothing.
  mutating func add(_ first: PlayedRun, _ second: PlayedRun) -> Bool {
    guard first.isComplete, second.isComplete else { return false }
    pairs.append((first, second))
    compare()
    return true
  }

  /// Compares version by version. Where one of the runs stopped early there is nothing to compare:
  /// that is its own failure.
  private mutating func compare() {
    differences = []
    var properties: [UndeterminedProperty] = []
    for (place, stage) in pairs[0].first.snapshots.map(\.stage).enumerated() {
      guard let contents = contents(at: place, stage) else { break }
      let values = UndeterminedValues(contents)
      properties += values.properties(at: stage)
      let first = values.determinedContent(ofPlay: 0, on: 0)
      let found = first.differences(from: values.determinedContent(ofPlay: 0, on: 1))
      if found.isEmpty { continue }
      let isUnsteady = contents.indices.contains { backend in
        contents[backend].indices.dropFirst().contains { play in
          !values.determinedContent(ofPlay: 0, on: backend)
            .isEqual(to: values.determinedContent(ofPlay: play, on: backend))
        }
      }
      differences = failures(found, stage, isUnsteady: isUnsteady)
      break
    }
    var seen: Set<String> = []
    undetermined = properties.filter { seen.insert($0.name).inserted }
  }

  /// By backend, what each play held at a moment; nil where the first play of one didn't come so far.
  private func contents(at place: Int, _ stage: String) -> [[ContentSnapshot]]? {
    func content(_ run: PlayedRun) -> ContentSnapshot? {
      guard run.snapshots.indices.contains(place), run.snapshots[place].stage == stage else {
        return nil
      }
      return run.snapshots[place].content
    }
    let complete = pairs.compactMap { pair in
      content(pair.first).flatMap { first in content(pair.second).map { (first, $0) } }
    }
    guard complete.count == pairs.count else { return nil }
    return [complete.map(\.0), complete.map(\.1)]
  }

  /// Says with the differences what is wrong with the store that the scenario was given.
  mutating func explainByDamage() {
    guard !differences.isEmpty else { return }
    differences[0].notes += SourceDamage.notes(
      on: scenario, start: pairs[0].first.result.id.start)
  }

  private func failures(
    _ found: [ContentDifference], _ stage: String, isUnsteady: Bool
  ) -> [Failure] {
    let names = [pairs[0].first, pairs[0].second].map(\.result.id.backend.rawValue)
    var failures = found.failures { difference in
      Failure(
        .backendsDiffer, at: scenario.scenario.title.place, step: stage, difference.subject,
        expected: "\(difference.first) (\(names[0]))",
        found: "\(difference.second) (\(names[1]))")
    }
    failures[0].notes +=
      [pairs[0].first, pairs[0].second].flatMap(\.result.executedSteps).orderNotes
    if isUnsteady {
      failures[0].notes.insert(
        "repeated runs on one backend differ here, too: the source doesn't determine how many objects "
          + "there are, how they are linked, or which is which; only values can be left out of the "
          + "comparison", at: 0)
    }
    return failures
  }
}
