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
  /// Only what failed there; nil for all.
  package var failed: EarlierRuns?
  /// How long runs took, by which they are dealt to shards; nil where all count alike.
  package var durations: EarlierRuns?

  package init(
    filter: ScenarioFilter? = nil, tags: [String] = [], starts: [String] = [], shard: Shard? = nil
  ) {
    self.filter = filter
    self.tags = tags
    self.starts = starts
    self.shard = shard
  }

  /// What is wanted of some scenarios.
  package struct Choice {
    /// Those with a run that is wanted, in the order given.
    package let scenarios: [CheckedScenario]
    /// From where each is played.
    package let starts: [ScenarioAddress: [String]]
    /// What left out the others, by option.
    package let leftOut: [SuiteReport.LeftOut]
    /// Which shard has which of all runs, in their order; empty without shards.
    package let dealt: [DealtRun]
    /// Whether there is something to play, and other shards have all of it.
    package let isEmptyShard: Bool
  }

  package func select(from scenarios: [CheckedScenario]) throws -> Choice {
    let options = scenarios.map(optionAgainst)
    let wanted = zip(scenarios, options).filter { $0.1 == nil }.map(\.0)
    let dealt = try shard.map { try deal(wanted, to: $0.total) } ?? []
    let starts = Dictionary(
      firstOf: wanted.map { scenario in
        let address = scenario.scenario.address
        let own = dealt.filter { $0.address == address && $0.shard == shard?.number }.map(\.start)
        return (address, shard == nil ? self.starts(of: scenario) : own)
      })
    let selected = wanted.filter { starts[$0.scenario.address] != [] }
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
    return Choice(
      scenarios: selected, starts: starts,
      leftOut: counts.map { SuiteReport.LeftOut(option: $0.option, count: $0.count) },
      dealt: dealt,
      isEmptyShard: selected.isEmpty && wanted.contains { $0.scenario.skip == nil })
  }

  private func starts(of scenario: CheckedScenario) -> [String] {
    let wanted = scenario.starts.filter { starts.isEmpty || starts.contains($0) }
    return failed.map { failed in wanted.filter { failed.hasFailed(scenario, from: $0) } } ?? wanted
  }

  /// Deals the runs of scenarios: all of a scenario to one shard, which compiles its policies once and compares; but
  /// one that takes longer than a shard's fair part start by start.
  private func deal(_ scenarios: [CheckedScenario], to total: Int) throws -> [DealtRun] {
    let runs = scenarios.map { scenario in
      let starts = starts(of: scenario)
      return (scenario, starts, starts.map { durations?.seconds(of: scenario, from: $0) })
    }
    let known = runs.flatMap(\.2).compactMap(\.self)
    let usual = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
    let weights = runs.map { run in run.2.map { run.0.scenario.skip == nil ? $0 ?? usual : 0 } }
    let share = weights.joined().reduce(0, +) / Double(total)
    let items = weights.map { $0.reduce(0, +) > share ? $0 : [$0.reduce(0, +)] }
    var numbers = Shard.deal(Array(items.joined()), to: total)[...]
    // Many scenarios have the same models and policies.
    var digests: [String: String] = [:]
    func digest(_ scenario: CheckedScenario) throws -> String {
      // A mere look at a store makes its index of the log.
      let read = try scenario.filesForSandbox(orBelow: URL(fileURLWithPath: "/")).read
        .filter { !$0.hasSuffix("-shm") }.sorted()
      for path in read where digests[path] == nil { digests[path] = CacheKey(ofFileAt: path).text }
      let texts = read.compactMap { digests[$0] }
      return "\(SHA2.hash(Data(texts.joined().utf8)).hexadecimal.prefix(16))"
    }
    return try zip(runs, items).flatMap { run, item in
      let own = numbers.prefix(item.count)
      numbers = numbers.dropFirst(item.count)
      let text = try digest(run.0)
      return run.1.enumerated().map { index, start in
        DealtRun(
          address: run.0.scenario.address, start: start,
          shard: own[own.startIndex + min(index, own.count - 1)],
          text: text)
      }
    }
  }

  /// The options that no scenario meets: where others are met, nothing else tells of a mistyped one.
  package func unmetOptions(of scenarios: [CheckedScenario]) -> [String] {
    let words = Set(scenarios.flatMap { $0.scenario.tags + $0.scenario.covers })
    let known = Set(scenarios.flatMap(\.starts))
    return tags.filter { !words.contains($0) }.map { Self.option("--tag", [$0]) }
      + starts.filter { !known.contains($0) }.map { Self.option("--start", [$0]) }
  }

  /// The first option that a scenario doesn't meet; nil for one that is wanted.
  private func optionAgainst(_ scenario: CheckedScenario) -> String? {
    if let filter, !filter.matches(scenario) { return "--filter \(filter.text.shellQuoted)" }
    let words = scenario.scenario.tags + scenario.scenario.covers
    if !tags.isEmpty, Set(tags).isDisjoint(with: words) { return Self.option("--tag", tags) }
    if !starts.isEmpty, Set(starts).isDisjoint(with: scenario.starts) {
      return Self.option("--start", starts)
    }
    if failed != nil, starts(of: scenario).isEmpty { return "--last-failed" }
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
