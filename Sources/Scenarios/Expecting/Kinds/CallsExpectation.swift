/// `calls: { Songbook.SongPolicy.createDestinationInstances: 3 }`.
struct CallsExpectation: RunExpectation, RunCheck {
  /// How often a policy's hook must have been called.
  struct Item: Sendable {
    /// The policy class as the mapping names it, or the name of an entity mapping.
    let target: Located<String>
    /// The hook, by the base name of its method.
    let hook: Located<String>
    let count: Located<Int>
  }
  let items: [Item]

  static let form = ExpectationForm(
    keyword: "calls", example: "calls: { Songbook.SongPolicy.createDestinationInstances: 3 }",
    meaning:
      "the hook was called this many times, over all steps; a policy class or an entity mapping, then the hook",
    schema: """
      {"type": "object", "additionalProperties": {"$ref": "#/$defs/number"}}
      """, countsObjects: true)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    guard let entries = written.map else { return nil }
    return CallsExpectation(items: entries.compactMap { item($0, reader) })
  }

  private static func item(_ entry: SourceNode.Entry, _ reader: ScenarioReader) -> Item? {
    guard let dot = entry.key.value.lastIndex(of: ".") else {
      reader.collector.report(
        "'\(entry.key.value)' must be a policy or entity mapping and a hook, as in "
          + "'EventToEvent.createDestinationInstances'", at: entry.key.place)
      return nil
    }
    let text = entry.key.value
    let target = entry.key.part(text.startIndex..<dot)
    let hook = entry.key.part(text.index(after: dot)..<text.endIndex)
    guard ScenarioReader.hooks.contains(hook.value) else {
      reader.collector.report(
        "there is no hook", unknown: hook, among: ScenarioReader.hooks, called: "hooks")
      return nil
    }
    return reader.collector.count(entry.value, of: text).map {
      Item(target: target, hook: hook, count: $0)
    }
  }

  var isEmpty: Bool { items.isEmpty }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    for item in items { checker.checkRuns(item.target, hook: item.hook) }
    return self
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    items.compactMap { mismatch($0, of: run) }
  }

  private func mismatch(_ item: Item, of run: RunFacts) -> Failure? {
    let found = run.executedSteps.reduce(0) {
      $0 + $1.calls(of: item.hook.value, for: item.target.value)
    }
    if found == item.count.value { return nil }
    return Failure(
      at: item.target.place, "calls of \(item.target.value).\(item.hook.value)",
      expected: "\(item.count.value)", found: "\(found)",
      notes: run.notesOnInference, repairs: [Repair(of: item.count.place, .number(found))]
    ).showing(.callsOfPolicy)
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { false }
}
