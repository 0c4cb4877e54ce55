// What is written, and no run would ever come to.

extension ScenarioChecker {
  /// Reports steps that no start leads through, and expectations that no run looks at.
  func checkReach(from starts: [String]) {
    // What is wrong with versions was said already, and a store that no version fits goes nowhere.
    guard collector.all.isEmpty, !scenario.chain.isEmpty, !expectsMissingModel else { return }
    let paths = starts.map { (start: $0, versions: versions(from: $0)) }
    // Where a store's version says where to start, the chain may be the app's whole.
    for step in scenario.chain
    where foundStore == nil && !starts.contains(where: { executes(step, from: $0) }) {
      collector.report(
        "no run executes this step; add '\(step.ends.value.source)' to 'start', or leave it out",
        at: step.ends.place)
    }
    for expectation in scenario.expectations { checkReach(of: expectation, paths) }
    for action in scenario.then {
      for expectation in action.expectations { checkStarts(of: expectation, starts) }
    }
  }

  private func versions(from start: String) -> [String] {
    scenario.steps(from: start).reduce([start]) { $0 + $1.passedVersions }
  }

  private func executes(_ step: ChainStep, from start: String) -> Bool {
    // All steps of a route are written in one place.
    if scenario.route != nil {
      return scenario.steps(from: start).contains { $0.ends.value == step.ends.value }
    }
    return scenario.steps(from: start).contains {
      ($0.ends.place.line, $0.ends.place.column) == (step.ends.place.line, step.ends.place.column)
    }
  }

  private func checkReach(
    of expectation: Expectation, _ paths: [(start: String, versions: [String])]
  ) {
    guard checkStarts(of: expectation, paths.map(\.start)), let version = expectation.version
    else { return }
    let isReached = paths.contains { path in
      expectation.isWanted(from: path.start) && path.versions.contains(version.value)
    }
    if isReached { return }
    let start = expectation.starts.first.map { " from '\($0.value)'" } ?? ""
    collector.report(
      "no run\(start) passes '\(version.value)', so this is never checked", at: version.place)
  }

  /// - Returns: Whether a run has one of the expectation's starts.
  @discardableResult
  private func checkStarts(of expectation: Expectation, _ starts: [String]) -> Bool {
    if starts.contains(where: expectation.isWanted) { return true }
    for start in expectation.starts {
      collector.report(
        "no run starts at '\(start.value)', so this is never checked", at: start.place)
    }
    if expectation.starts.isEmpty, let except = expectation.exceptStarts.first {
      collector.report(
        "no run starts at another version, so this is never checked; starts: "
          + starts.joined(separator: ", "), at: except.place)
    }
    return false
  }

  // MARK: Expectations that can't fail

  /// Reports an expectation with an empty list or map, which nothing can contradict.
  func checkIsNotEmpty(_ expectation: Expectation) {
    guard expectation.check.isEmpty else { return }
    collector.report(
      "'\(expectation.check.keyword)' lists nothing, so it can't fail", at: expectation.place)
  }
}

extension Expectation {
  /// Whether it holds for runs from a start.
  package func isWanted(from start: String) -> Bool {
    let isNamed = starts.isEmpty || starts.contains { $0.value == start }
    return isNamed && !exceptStarts.contains { $0.value == start }
  }
}

extension Scenario {
  /// The steps that lead from a start to the end of the chain.
  package func steps(from start: String) -> [ChainStep] {
    if route?.value == .direct { return chain.filter { $0.ends.value.source == start } }
    guard let first = chain.firstIndex(where: { $0.sources.contains(start) }) else { return [] }
    return [chain[first].starting(at: start)] + chain[(first + 1)...]
  }
}
