/// A run that was played, with what its store held at each version.
struct PlayedRun {
  var result: RunResult
  /// Empty for a run that didn't get as far as a store.
  var snapshots: [(stage: String, content: ContentSnapshot)] = []
  /// The store that a run on files ended with.
  var ending: StoreEnding?
  /// Whether the run came to its end, be it a failure.
  var isComplete = true
}

// Both backends must end with the same content.

extension PlayedRun {
  private static let mostDifferences = 10

  /// What isn't the same in the run of another backend, version by version.
  ///
  /// Where one of the runs stopped early there is nothing to compare: that is its own failure.
  func differences(from other: PlayedRun, in scenario: CheckedScenario) -> [Failure] {
    for (stage, content) in snapshots {
      guard let match = other.snapshots.first(where: { $0.stage == stage }) else { return [] }
      let differences = content.differences(from: match.content)
      if !differences.isEmpty { return failures(differences, stage, other, scenario) }
    }
    return []
  }

  private func failures(
    _ differences: [ContentDifference], _ stage: String, _ other: PlayedRun,
    _ scenario: CheckedScenario
  ) -> [Failure] {
    let more = differences.count - Self.mostDifferences
    return differences.prefix(Self.mostDifferences).enumerated().map { index, difference in
      let isLast = index == Self.mostDifferences - 1
      return Failure(
        .backendsDiffer, at: scenario.scenario.title.place, step: stage,
        difference.subject, expected: "\(difference.first) (\(result.id.backend.rawValue))",
        found: "\(difference.second) (\(other.result.id.backend.rawValue))",
        notes: isLast && more > 0 ? ["and \(more) more differences"] : [])
    }
  }
}
