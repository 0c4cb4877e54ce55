// Findings that a scenario accepts and that don't occur.

extension ScenarioRun {
  /// What is accepted needlessly would hide such a finding when there is one.
  func noteUnusedAcceptances() {
    // Memory has fewer findings, and another start may have what this one hasn't.
    guard result.id.backend == .sqlite, scenario.starts.count == 1, result.failures.isEmpty else {
      return
    }
    for accepted in scenario.scenario.accepted where !occurred(accepted.kind) {
      let name = AcceptedFinding.Kind.byName.first { $0.kind == accepted.kind }?.name ?? ""
      result.notes.append("'\(name)' is accepted and didn't occur: leave it out of 'accept'")
    }
  }

  private func occurred(_ kind: AcceptedFinding.Kind) -> Bool {
    switch kind {
    case .sqlDiffers: result.executedSteps.contains { !$0.sqlDifferences.isEmpty }
    case .unknownOnDevice:
      !sourceUnknowns.isEmpty || result.executedSteps.contains { !$0.unknowns.isEmpty }
    case .damage(let kind): acceptedDamage.contains(kind)
    }
  }
}
