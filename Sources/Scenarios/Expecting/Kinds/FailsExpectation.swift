/// `fails: { code: 1570 }`.
struct FailsExpectation: RunExpectation, RunCheck {
  let failure: FailureExpectation

  static let form = ExpectationForm(
    keyword: "fails", example: "fails: { … }", meaning: "the run ends with this error",
    schema: ##"{"$ref": "#/$defs/failure"}"##, countsObjects: false)

  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self? {
    reader.failure(written.node).map { FailsExpectation(failure: $0) }
  }

  var isEmpty: Bool { false }
  var expectedFailure: FailureExpectation? { failure }

  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Self? {
    checker.check(failure)
    return self
  }

  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure] {
    FailureMatcher(expectation: failure).mismatches(run.failure)
  }

  var decidesSteps: Bool { true }
  var dependsOnOutput: Bool { false }
}
