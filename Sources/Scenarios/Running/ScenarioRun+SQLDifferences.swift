// Predicates that SQL answers otherwise than memory.

extension ScenarioRun {
  /// A device asks in SQL. Who wrote `country != "Sweden"` rarely knows that rows without a country are left
  /// out, and tests with a store in memory don't show it: so it is told, unless the scenario has accepted it.
  func reportSQLDifferences() {
    // Of all starts of the app: what a later one did says nothing of the first.
    for step in result.executedSteps {
      for difference in step.sqlDifferences where !accepts(difference) {
        result.failures.append(failure(difference, step.name))
      }
    }
  }

  /// Whether nobody is to be told: it is accepted, or only SQLite was asked for, which answers as a device does where
  /// that is known.
  private func accepts(_ difference: SQLDifference) -> Bool {
    let isSQLOnly = scenario.scenario.backends == [.sqlite]
    return scenario.scenario.accepts(.sqlDiffers)
      || isSQLOnly && ![.types, .untranslated].contains(difference.reason)
  }

  private func failure(_ difference: SQLDifference, _ step: String) -> Failure {
    Failure(
      .sqlDiffers, at: scenario.steps(from: start).place(of: step), step: step,
      difference.place ?? "a fetch",
      expected: "\(difference.predicate) to mean the same in SQL, as on a device, and in memory",
      found: difference.found,
      notes: [difference.advice, difference.acceptance])
  }
}

extension SQLDifference {
  fileprivate var acceptance: String {
    switch reason {
    case .null, .noneOfSeveral, .danglingKeys:
      "If SQL's result is intended: accept: [{ finding: sql-differs, because: … }], or backends: [sqlite]."
    case .types, .untranslated:
      "If that is intended: accept: [{ finding: sql-differs, because: … }]."
    }
  }

  fileprivate var found: String {
    switch reason {
    case .null, .noneOfSeveral, .untranslated:
      "\(objectText) where they \(reason == .untranslated ? "may " : "")differ: a comparison with nil is neither true nor "
        + "false in SQL"
    case .danglingKeys:
      "\(objectText) where they differ: a key that leads to no row is nil in memory, and isn't NULL in SQL"
    case .types:
      "\(objectText) where they may differ: values of different types meet, which never match in memory, and which "
        + "SQL may convert; what a device does isn't known"
    }
  }
}
