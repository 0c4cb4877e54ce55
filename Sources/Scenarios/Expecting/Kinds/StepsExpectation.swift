/// `steps: [v1 -> v2: custom, v2 -> v3: inferred]`.
struct StepsExpectation: RunExpectation, RunCheck {
  /// A step that must have been executed.
  struct Item: Sendable {
    let ends: Located<StepEnds>
    var mapping: Located<MappingUse>?
  }
  let steps: [Item]

  static let form = ExpectationForm(
    keyword: "steps", example: "steps: [v1 -> v2: custom, v2 -> v3: inferred]",
    meaning:
      "exactly these steps were executed, in this order; the mapping may be omitted; `[]`: nothing was migrated",
    schema: ##"""
      {"type": "array", "items": {"anyOf": [
        {"$ref": "#/$defs/stepEnds"},
        {"type": "object", "minProperties": 1, "maxProperties": 1,
         "propertyNames": {"$ref": "#/$defs/stepEnds"},
         "additionalProperties": {"enum": ["custom", "inferred"]}}]}}
      """##, countsObjects: false, formerKeyword: "hops")

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    guard let list = written.list else { return nil }
    return StepsExpectation(steps: list.compactMap { item($0, reader.collector) })
  }

  private static func item(_ item: SourceNode, _ collector: DiagnosticCollector) -> Item? {
    if let text = item.text {
      return collector.stepEnds(Located(text, at: item.place)).map { Item(ends: $0) }
    }
    guard let entry = item.map?.first, item.map?.count == 1 else {
      collector.report("a step must look like '- v1 -> v2: custom'", at: item.place)
      return nil
    }
    guard let ends = collector.stepEnds(entry.key),
      let mapping: Located<MappingUse> = collector.choice(entry.value, of: entry.key.value)
    else { return nil }
    return Item(ends: ends, mapping: mapping)
  }

  var isEmpty: Bool { false }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    for item in steps { _ = checker.models(of: item.ends) }
    return self
  }

  /// A step that no mapping was found for wasn't executed.
  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    let executed = run.executedSteps.filter { $0.mapping != nil }
    let matches =
      steps.count == executed.count
      && zip(steps, executed).allSatisfy { wanted, found in
        wanted.ends.value.description == found.name
          && (wanted.mapping == nil || wanted.mapping?.value == found.mapping)
      }
    if matches { return [] }
    let wanted = steps.map { step in
      step.ends.value.description + (step.mapping.map { ": \($0.value.rawValue)" } ?? "")
    }
    let found = executed.map { "\($0.name): \($0.mapping?.rawValue ?? "none")" }
    return [
      Failure(
        at: place, "steps executed", expected: "[\(wanted.joined(separator: ", "))]",
        found: "[\(found.joined(separator: ", "))]",
        repairs: [Repair(ofKey: place, .list(notations(of: executed)))])
    ]
  }

  /// The steps that were executed; with their mappings, unless the scenario leaves those out.
  private func notations(
    of executed: [ExecutedStep]
  ) -> [Notation] {
    let namesMappings = steps.isEmpty || steps.contains { $0.mapping != nil }
    return executed.map { step in
      guard namesMappings, let mapping = step.mapping else { return .text(step.name) }
      return .entry(step.name, .text(mapping.rawValue))
    }
  }

  var decidesSteps: Bool { true }
  var dependsOnOutput: Bool { false }
}
