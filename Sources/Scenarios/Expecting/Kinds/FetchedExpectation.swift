/// `fetched: { Songbook.SongPolicy: 200 }`.
struct FetchedExpectation: RunExpectation, RunCheck {
  /// How many objects a policy's code may have fetched.
  struct Item: Sendable {
    /// The policy class as the mapping names it, or the name of an entity mapping.
    let target: Located<String>
    let count: Located<Int>
  }
  let items: [Item]

  static let form = ExpectationForm(
    keyword: "fetched", example: "fetched: { Songbook.SongPolicy: 200 }",
    meaning:
      "the code of a policy class, or of an entity mapping's policy, fetched at most this number of objects",
    schema: """
      {"type": "object", "additionalProperties": {"$ref": "#/$defs/number"}}
      """, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    guard let entries = written.map else { return nil }
    return FetchedExpectation(
      items: entries.compactMap { entry in
        reader.collector.count(entry.value, of: entry.key.value).map {
          Item(target: entry.key, count: $0)
        }
      })
  }

  var isEmpty: Bool { items.isEmpty }

  /// Where no code of the app runs, nothing is ever fetched.
  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    if checker.scenario.policies.isEmpty {
      checker.collector.report(
        "the scenario has no policies, so no app code fetches anything", at: place)
    }
    for item in items { checker.checkRuns(item.target) }
    return self
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    items.compactMap { mismatch($0, of: run) }
  }

  private func mismatch(_ item: Item, of run: RunFacts) -> Failure? {
    let target = item.target.value
    let mappings = run.executedSteps.flatMap(\.entityMappings).filter {
      ($0.name == target || $0.policyClassName == target) && $0.fetchedCount != nil
    }
    if mappings.isEmpty {
      return Failure(
        at: item.target.place, "fetched by \(target)", expected: "\(item.count.value) at most",
        found: "no such policy ran", notes: run.notesOnInference)
    }
    let found = mappings.compactMap(\.fetchedCount).reduce(0, +)
    if found == 0, mappings.allSatisfy({ $0.sourceEntity != nil && $0.sourceCount == 0 }) {
      return Failure(
        .nothingLookedAt, at: item.target.place, "fetched by \(target)",
        expected: "source objects to be called for", found: "none",
        notes: [
          "seed objects of \(Set(mappings.compactMap(\.sourceEntity)).sorted().joined(separator: ", "))"
        ])
    }
    if found <= item.count.value { return nil }
    return Failure(
      at: item.target.place, "fetched by \(target)", expected: "\(item.count.value) at most",
      found: "\(found)", repairs: [Repair(of: item.count.place, .number(found))]
    ).showing(.fetches)
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { false }
}
