/// `hops: [v1 -> v2: custom, v2 -> v3: inferred]`.
struct HopsExpectation: RunExpectation, RunCheck {
  /// A hop that must have been executed.
  struct Item: Sendable {
    let hop: Located<Hop>
    var mapping: Located<MappingUse>?
  }
  let hops: [Item]

  static let forms = [
    ExpectationForm(
      "hops", "hops: [v1 -> v2: custom, v2 -> v3: inferred]",
      "exactly these steps were executed, in this order; the mapping may be omitted; `[]`: nothing was migrated",
      schema: ##"""
        {"type": "array", "items": {"anyOf": [
          {"$ref": "#/$defs/hop"},
          {"type": "object", "minProperties": 1, "maxProperties": 1,
           "propertyNames": {"$ref": "#/$defs/hop"},
           "additionalProperties": {"enum": ["custom", "inferred"]}}]}}
        """##)
  ]

  static func read(
    _ keyword: Located<String>, _ node: SourceNode, _ fields: Fields, by reader: ScenarioReader
  ) -> Self? {
    guard let list = reader.collector.list(node, of: keyword.value) else { return nil }
    return HopsExpectation(hops: list.compactMap { item($0, reader.collector) })
  }

  private static func item(_ item: SourceNode, _ collector: DiagnosticCollector) -> Item? {
    if let text = item.text {
      return collector.hop(Located(text, at: item.place)).map { Item(hop: $0) }
    }
    guard let entry = item.map?.first, item.map?.count == 1 else {
      collector.report("a step must look like '- v1 -> v2: custom'", at: item.place)
      return nil
    }
    guard let hop = collector.hop(entry.key),
      let mapping: Located<MappingUse> = collector.choice(entry.value, of: entry.key.value)
    else { return nil }
    return Item(hop: hop, mapping: mapping)
  }

  var isEmpty: Bool { false }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    for item in hops { _ = checker.models(of: item.hop) }
    return self
  }

  /// A step that no mapping was found for wasn't executed.
  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Mismatch] {
    let executed = run.hops.filter { $0.mapping != nil }
    let matches =
      hops.count == executed.count
      && zip(hops, executed).allSatisfy { wanted, found in
        wanted.hop.value.description == found.hop
          && (wanted.mapping == nil || wanted.mapping?.value == found.mapping)
      }
    if matches { return [] }
    let wanted = hops.map { hop in
      hop.hop.value.description + (hop.mapping.map { ": \($0.value.rawValue)" } ?? "")
    }
    let found = executed.map { "\($0.hop): \($0.mapping?.rawValue ?? "none")" }
    return [
      Mismatch(
        at: place, "steps executed", expected: "[\(wanted.joined(separator: ", "))]",
        found: "[\(found.joined(separator: ", "))]",
        repairs: [Repair(ofKey: place, .list(notations(of: executed)))])
    ]
  }

  /// The steps that were executed; with their mappings, unless the scenario leaves those out.
  private func notations(
    of executed: [HopReport]
  ) -> [Notation] {
    let namesMappings = hops.isEmpty || hops.contains { $0.mapping != nil }
    return executed.map { hop in
      guard namesMappings, let mapping = hop.mapping else { return .text(hop.hop) }
      return .entry(hop.hop, .text(mapping.rawValue))
    }
  }

  var decidesSteps: Bool { true }
  var dependsOnOutput: Bool { false }
}
