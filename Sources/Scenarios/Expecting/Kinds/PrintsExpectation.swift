/// `prints: { "no such tag": 1 }`.
struct PrintsExpectation: RunExpectation, RunCheck {
  /// How often the app's code must have printed a text.
  struct Item: Sendable {
    let text: Located<String>
    let count: Located<Int>
  }
  let items: [Item]

  static let form = ExpectationForm(
    keyword: "prints", example: #"prints: { "no such tag": 1 }"#,
    meaning:
      "the app's code printed the text this many times, by `print`, `NSLog` or to either output; `0`: never",
    schema: """
      {"type": "object", "additionalProperties": {"$ref": "#/$defs/number"},
       "description": "How often the app's code printed a text."}
      """, countsObjects: true)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    guard let entries = written.map else { return nil }
    return PrintsExpectation(
      items: entries.compactMap { entry in
        if entry.key.value.isEmpty {
          reader.collector.report(
            "'prints' needs a text, as in '{ \"no tags\": 1 }'", at: entry.key.place)
          return nil
        }
        return reader.collector.count(entry.value, of: entry.key.value).map {
          Item(text: entry.key, count: $0)
        }
      })
  }

  var isEmpty: Bool { items.isEmpty }

  /// Where no code of the app runs, whatever is counted is never there.
  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    let hasPolicies = !checker.scenario.policies.isEmpty
    if hasPolicies, checker.mayRunAppCode { return self }
    checker.collector.report(
      hasPolicies
        ? "no step calls the app's code, so it prints nothing: name a policy in a step's mapping, or remove this"
        : "the scenario has no policies, so no app code prints anything: add 'policies', or remove this",
      at: place)
    return nil
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    try items.compactMap { try mismatch($0, of: run) }
  }

  private func mismatch(_ item: Item, of run: RunFacts) throws -> Failure? {
    let subject = "printed \"\(item.text.value)\""
    guard let printed = run.printed else {
      return Failure(
        at: item.text.place, subject, expected: "\(item.count.value)", found: "nobody knows",
        notes: ["what is printed can be counted only if runs have their own processes"])
    }
    let found = try printed.count(of: item.text.value)
    if found == item.count.value { return nil }
    return Failure(
      at: item.text.place, subject, expected: "\(item.count.value)", found: "\(found)",
      notes: run.notesOnInference, repairs: [Repair(of: item.count.place, .number(found))]
    ).showing(.callsOfPolicy)
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { true }
}
