// What a step did of which nobody knows whether a device does it.

extension ScenarioRun {
  /// A pass would say that a device does it, too: so the run fails, unless the scenario has accepted it.
  func reportUnknowns() {
    if scenario.scenario.accepts(.unknownOnDevice) { return }
    // Of all starts of the app: what a later one did says nothing of the first.
    for step in result.executedSteps {
      for unknown in step.unknowns { result.failures.append(failure(unknown, step.name)) }
    }
  }

  private func failure(_ unknown: ExecutedStep.UnknownOnDevice, _ step: String) -> Failure {
    Failure(
      .unknownOnDevice, at: scenario.steps(from: start).place(of: step), step: step,
      unknown.subject, expected: unknown.expected,
      found: "\(unknown): what a device does here isn't known",
      notes: [
        unknown.doubt,
        "\(unknown.remedy), or try it on a device and accept it: "
          + "accept: [{ finding: unknown-on-device, because: … }].",
      ])
  }
}
