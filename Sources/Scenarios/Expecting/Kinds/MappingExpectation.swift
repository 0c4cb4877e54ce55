/// `mapping: custom`.
struct MappingExpectation: RunExpectation, RunCheck {
  let choice: Located<MappingUse>

  static let form = ExpectationForm(
    keyword: "mapping", example: "mapping: custom",
    meaning: "every step used a mapping model of the app's (`inferred`: none did)",
    schema: #"{"enum": ["custom", "inferred"]}"#, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    reader.collector.choice(written.node, of: written.key.value).map {
      MappingExpectation(choice: $0)
    }
  }

  var isEmpty: Bool { false }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    self
  }

  /// The kind of mapping that all steps used; nil where they differ.
  private func sharedMapping(_ run: RunFacts) -> MappingUse? {
    let uses = Set(run.executedSteps.map(\.mapping))
    return uses.count == 1 ? uses.first ?? nil : nil
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    let others = run.executedSteps.filter { $0.mapping != choice.value }
    if !run.executedSteps.isEmpty, others.isEmpty { return [] }
    return [
      Failure(
        at: place, "mapping", expected: choice.value.rawValue,
        found: run.executedSteps.isEmpty
          ? "no step was executed"
          : others.map { "\($0.name): \($0.mapping?.rawValue ?? "none")" }.joined(separator: ", "),
        repairs: sharedMapping(run).map { [Repair(of: choice.place, .text($0.rawValue))] } ?? [])
    ]
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { false }
}
