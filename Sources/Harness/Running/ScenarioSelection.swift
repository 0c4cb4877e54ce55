/// Which scenarios are wanted.
public struct ScenarioSelection: Sendable {
  /// Text in the path or the title, whatever its case.
  public var filter: String?
  /// Any of these tags, or of these numbers of what a scenario covers; empty for all scenarios.
  public var tags: [String]
  /// Any of these starts; empty for all scenarios.
  public var starts: [String]
  /// The part of those that is this machine's; nil for all.
  public var shard: Shard?

  public init(
    filter: String? = nil, tags: [String] = [], starts: [String] = [], shard: Shard? = nil
  ) {
    self.filter = filter
    self.tags = tags
    self.starts = starts
    self.shard = shard
  }

  /// The scenarios that are wanted, in the order given.
  public func selected(from scenarios: [CheckedScenario]) -> [CheckedScenario] {
    let wanted = scenarios.filter(contains)
    return shard?.part(of: wanted) ?? wanted
  }

  public func contains(_ scenario: CheckedScenario) -> Bool {
    let texts = [scenario.scenario.file.path, scenario.scenario.title.value]
    let isFound = filter.map { wanted in
      texts.contains { $0.localizedCaseInsensitiveContains(wanted) }
    }
    let words = scenario.scenario.tags + scenario.scenario.covers
    return isFound ?? true
      && (tags.isEmpty || !Set(tags).isDisjoint(with: words))
      && (starts.isEmpty || !Set(starts).isDisjoint(with: scenario.starts))
  }
}
