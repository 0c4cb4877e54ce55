/// `source: untouched`.
struct SourceExpectation: RunExpectation, RunCheck {
  static let form = ExpectationForm(
    keyword: "source", example: "source: untouched",
    meaning: "the store from which the chain started is unchanged, byte for byte",
    schema: #"{"const": "untouched"}"#, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    reader.word("untouched", written.node, of: written.key.value) ? SourceExpectation() : nil
  }

  var isEmpty: Bool { false }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    self
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    if try run.isSourceUntouched() { return [] }
    return [Failure(at: place, "source store", expected: "untouched", found: "changed")]
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { false }
}

/// `destination: absent`.
struct DestinationExpectation: RunExpectation, RunCheck {
  static let form = ExpectationForm(
    keyword: "destination", example: "destination: absent",
    meaning:
      "there is no destination store; only where the scenario names one with `destination:` and has steps",
    schema: #"{"const": "absent"}"#, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    reader.word("absent", written.node, of: written.key.value) ? DestinationExpectation() : nil
  }

  var isEmpty: Bool { false }

  /// Reports `destination: absent` where the result takes the source's place.
  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    guard checker.scenario.destination == nil else { return self }
    checker.collector.report(
      "the result replaces the source, so there is never a destination, and this can't "
        + "fail; name one, as in 'destination: new.sqlite', or expect 'source: untouched'",
      at: place)
    return nil
  }

  /// Reports `destination: absent` where no run has a step to execute.
  func checkReach(by checker: ScenarioChecker, from starts: [String], at place: SourcePlace) {
    guard checker.scenario.destination != nil, !starts.isEmpty,
      starts.allSatisfy({ checker.scenario.steps(from: $0).isEmpty })
    else { return }
    checker.collector.report(
      "no step is executed, so there is never a destination, and this can't fail", at: place)
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    if run.isDestinationAbsent() { return [] }
    return [Failure(at: place, "destination store", expected: "absent", found: "it is there")]
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { false }
}

/// `store: v2`.
struct StoreExpectation: RunExpectation, RunCheck {
  let version: Located<String>

  static let form = ExpectationForm(
    keyword: "store", example: "store: v2",
    meaning: "the store that exists now is of this version",
    schema: ##"{"$ref": "#/$defs/text"}"##, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    written.text.map { StoreExpectation(version: $0) }
  }

  var isEmpty: Bool { false }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    checker.model(version).map { _ in self }
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    let found = try run.storeVersions()
    if found.contains(version.value) { return [] }
    return [
      Failure(
        at: place, "version of the store", expected: version.value,
        found: found.isEmpty ? "none of the scenario's" : found.joined(separator: ", "),
        repairs: found.first.map { [Repair(of: version.place, .text($0))] } ?? [])
    ]
  }

  var decidesSteps: Bool { false }
  var dependsOnOutput: Bool { false }
}
