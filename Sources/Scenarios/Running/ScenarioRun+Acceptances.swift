// Findings that a scenario accepts and that don't occur.

extension ScenarioRun {
  /// What is accepted needlessly would hide such a finding when there is one.
  func noteUnusedAcceptances() {
    // Memory has fewer findings, and another start may have what this one hasn't.
    guard result.id.backend == .sqlite, scenario.starts.count == 1, result.failures.isEmpty else {
      return
    }
    for accepted in scenario.scenario.accepted where !occurred(accepted) {
      let name = AcceptedFinding.Kind.byName.first { $0.kind == accepted.kind }?.name ?? ""
      let subject = [accepted.entity, accepted.property].compactMap(\.self).joined(separator: ".")
      let whole = "'\(name)'" + (subject.isEmpty ? "" : " of \(subject)")
      result.notes.append("\(whole) is accepted and didn't occur: leave it out of 'accept'")
    }
  }

  private func occurred(_ accepted: AcceptedFinding) -> Bool {
    switch accepted.kind {
    case .sqlDiffers: result.executedSteps.contains { !$0.sqlDifferences.isEmpty }
    case .unknownOnDevice:
      (sourceUnknowns + result.executedSteps.flatMap(\.unknowns)).contains {
        accepted.isMeant(.unknownOnDevice, entity: $0.entity, property: $0.property)
      }
    case .damage:
      acceptedDamage.contains {
        accepted.isMeant(.damage($0.kind), entity: $0.entity, property: $0.property)
      }
    }
  }
}
