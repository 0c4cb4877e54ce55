/// Which scenarios are wanted.
package struct ScenarioSelection: Sendable {
  /// Text in the path or the title, whatever its case.
  package var filter: String?
  /// Any of these tags, or of these numbers of what a scenario covers; empty for all scenarios.
  package var tags: [String]
  /// Any of these starts; empty for all scenarios.
  package var starts: [String]
  /// The part of those that is this machine's; nil for all.
  package var shard: Shard?

  package init(
    filter: String? = nil, tags: [String] = [], starts: [String] = [], shard: Shard? = nil
  ) {
    self.filter = filter
    self.tags = tags
    self.starts = starts
    self.shard = shard
  }

  /// The scenarios that are wanted, in the order given; and what left out the others, by option.
  package func select(
    from scenarios: [CheckedScenario]
  ) -> (selected: [CheckedScenario], leftOut: [SuiteReport.LeftOut]) {
    let options = scenarios.map(optionAgainst)
    let wanted = zip(scenarios, options).filter { $0.1 == nil }.map(\.0)
    let selected = shard?.part(of: wanted) ?? wanted
    var counts: [(option: String, count: Int)] = []
    func add(_ option: String, _ count: Int) {
      if let index = counts.firstIndex(where: { $0.option == option }) {
        counts[index].count += count
      } else if count > 0 {
        counts.append((option, count))
      }
    }
    for option in options { if let option { add(option, 1) } }
    if let shard { add("--shard \(shard)", wanted.count - selected.count) }
    return (selected, counts.map { SuiteReport.LeftOut(option: $0.option, count: $0.count) })
  }

  /// The first option that a scenario doesn't meet; nil for one that is wanted.
  private func optionAgainst(_ scenario: CheckedScenario) -> String? {
    if let filter, !isFound(filter, in: scenario) { return "--filter \(filter.shellQuoted)" }
    let words = scenario.scenario.tags + scenario.scenario.covers
    if !tags.isEmpty, Set(tags).isDisjoint(with: words) { return Self.option("--tag", tags) }
    if !starts.isEmpty, Set(starts).isDisjoint(with: scenario.starts) {
      return Self.option("--start", starts)
    }
    return nil
  }

  private func isFound(_ text: String, in scenario: CheckedScenario) -> Bool {
    [scenario.scenario.file.path, scenario.scenario.title.value].contains {
      $0.localizedCaseInsensitiveContains(text)
    }
  }

  private static func option(_ name: String, _ values: [String]) -> String {
    values.map { "\(name) \($0.shellQuoted)" }.joined(separator: " ")
  }
}
