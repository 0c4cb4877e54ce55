// What a step did of which nobody knows whether a device does it.

extension ScenarioRun {
  /// A pass would say that a device does it, too: so the run fails, unless the scenario has accepted it.
  func reportUnknowns() {
    if scenario.scenario.accepts(.unknownOnDevice) { return }
    // Of all starts of the app: what a later one did says nothing of the first.
    for hop in result.hops where hop.errorText == nil {
      for unknown in hop.unknowns { result.failures.append(failure(unknown, hop.hop)) }
    }
  }

  private func failure(_ unknown: HopReport.UnknownOnDevice, _ hop: String) -> Failure {
    Failure(
      .unknownOnDevice, at: scenario.steps(from: start).place(of: hop), step: hop,
      "the inferred mapping",
      expected: "a change that a device is known to infer a mapping for",
      found: "\(unknown): what a device does here isn't known",
      notes: [
        unknown.doubt,
        "Write a mapping model for this step, or try it on a device and accept it: "
          + "accept: [{ finding: unknown-on-device, because: … }].",
      ])
  }
}
