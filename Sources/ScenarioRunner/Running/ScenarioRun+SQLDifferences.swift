// Predicates that SQL answers otherwise than memory.

extension ScenarioRun {
  /// A device asks in SQL. Who wrote `country != "Sweden"` rarely knows that rows without a country are left
  /// out, and tests with a store in memory don't show it: so it is told, unless the scenario has accepted it.
  func reportSQLDifferences() {
    if scenario.scenario.acceptsSQLDifferences { return }
    // Of all starts of the app: what a later one did says nothing of the first.
    for hop in result.hops {
      for difference in hop.sqlDifferences {
        result.failures.append(failure(difference, hop.hop))
      }
    }
  }

  private func failure(_ difference: SQLDifference, _ hop: String) -> Failure {
    Failure(
      .sqlDiffers, at: scenario.steps(from: start).place(of: hop), step: hop,
      difference.place ?? "a fetch",
      expected: "\(difference.predicate) to mean the same in SQL, as on a device, and in memory",
      found:
        "\(difference.objectText) where they differ: a comparison with nil is neither true nor "
        + "false in SQL",
      notes: [
        difference.advice,
        "If SQL's result is intended: accept: [{ finding: sql-differs, because: … }], or backends: [sqlite].",
      ])
  }
}
