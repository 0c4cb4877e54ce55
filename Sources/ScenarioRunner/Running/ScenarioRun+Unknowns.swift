// What a step did of which nobody knows whether a device does it.

extension ScenarioRun {
  /// A pass would say that a device does it, too: so the run fails, unless the scenario has accepted it.
  func reportUnknowns() {
    if scenario.scenario.accepts(.unknownOnDevice) { return }
    // Of all starts of the app: what a later one did says nothing of the first.
    for hop in result.hops where hop.errorText == nil {
      for joined in hop.joinedTables { result.failures.append(failure(joined, hop.hop)) }
    }
  }

  private func failure(_ joined: JoinedTables, _ hop: String) -> Failure {
    Failure(
      .unknownOnDevice, at: scenario.steps(from: start).place(of: hop), step: hop,
      "the inferred mapping",
      expected: "a change that a device is known to infer",
      found: "\(joined): nobody has seen what a device does",
      notes: [
        "It may end in 134190, \"Cannot merge multiple root entity source tables into one destination entity "
          + "root table\", as where both get a new parent.",
        "Write a mapping model for this step, or try it on a device and accept it: "
          + "accept: [{ finding: unknown-on-device, because: … }].",
      ])
  }
}
