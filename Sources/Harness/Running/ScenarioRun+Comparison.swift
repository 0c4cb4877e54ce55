// Both backends must end with the same content.

extension ScenarioRun {
  private static let mostDifferences = 10

  /// What isn't the same in the run of another backend, version by version.
  ///
  /// Where one of the runs stopped early there is nothing to compare: that is its own failure.
  func differences(from other: ScenarioRun) -> [Failure] {
    for (stage, content) in snapshots {
      guard let match = other.snapshots.first(where: { $0.stage == stage }) else { return [] }
      let differences = content.differences(from: match.content)
      if !differences.isEmpty { return failures(differences, stage, other) }
    }
    return []
  }

  private func failures(
    _ differences: [ContentDifference], _ stage: String, _ other: ScenarioRun
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
