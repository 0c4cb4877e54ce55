/// Which scenarios are wanted.
package struct ScenarioSelection {
  /// What the path or the title must match.
  package var filter: ScenarioFilter?
  /// Any of these tags, or of these numbers of what a scenario covers; empty for all scenarios.
  package var tags: [String]
  /// Any of these starts; empty for all scenarios.
  package var starts: [String]
  /// The part of those that is this machine's; nil for all.
  package var shard: Shard?

  package init(
    filter: ScenarioFilter? = nil, tags: [String] = [], starts: [String] = [], shard: Shard? = nil
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
    if let shard { add(shard.option, wanted.count - selected.count) }
    return (selected, counts.map { SuiteReport.LeftOut(option: $0.option, count: $0.count) })
  }

  /// The options that no scenario meets: where others are met, nothing else tells of a mistyped one.
  package func unmetOptions(of scenarios: [CheckedScenario]) -> [String] {
    let words = Set(scenarios.flatMap { $0.scenario.tags + $0.scenario.covers })
    let known = Set(scenarios.flatMap(\.starts))
    return tags.filter { !words.contains($0) }.map { Self.option("--tag", [$0]) }
      + starts.filter { !known.contains($0) }.map { Self.option("--start", [$0]) }
  }

  /// Whether the scenarios that are wanted are all in other parts, and one of them is to be played there.
  package func isEmptyShard(of scenarios: [CheckedScenario]) -> Bool {
    guard let shard else { return false }
    let wanted = scenarios.filter { optionAgainst($0) == nil }
    return shard.part(of: wanted).isEmpty && wanted.contains { $0.scenario.skip == nil }
  }

  /// The first option that a scenario doesn't meet; nil for one that is wanted.
  private func optionAgainst(_ scenario: CheckedScenario) -> String? {
    if let filter, !filter.matches(scenario) { return "--filter \(filter.text.shellQuoted)" }
    let words = scenario.scenario.tags + scenario.scenario.covers
    if !tags.isEmpty, Set(tags).isDisjoint(with: words) { return Self.option("--tag", tags) }
    if !starts.isEmpty, Set(starts).isDisjoint(with: scenario.starts) {
      return Self.option("--start", starts)
    }
    return nil
  }

  private static func option(_ name: String, _ values: [String]) -> String {
    values.map { "\(name) \($0.shellQuoted)" }.joined(separator: " ")
  }
}

/// What `--filter` looks for in paths and titles: a text, or a regular expression between slashes, in
/// either case of letters.
package struct ScenarioFilter {
  /// As it was given.
  package let text: String
  /// Nil for a text.
  private let expression: Regex<AnyRegexOutput>?

  /// - Throws: When a regular expression can't be read.
  package init(_ text: String) throws {
    self.text = text
    let isExpression = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
    expression =
      isExpression ? try Regex(String(text.dropFirst().dropLast())).ignoresCase() : nil
  }

  func matches(_ scenario: CheckedScenario) -> Bool {
    matches(any: [scenario.scenario.file.path, scenario.scenario.title.value])
  }

  package func matches(any texts: [String]) -> Bool {
    texts.contains { place in
      if let expression { return place.firstMatch(of: expression) != nil }
      return place.localizedCaseInsensitiveContains(text)
    }
  }
}
