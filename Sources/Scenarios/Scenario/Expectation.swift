/// Something a scenario says must be true.
package struct Expectation: Sendable {
  package var place: SourcePlace
  /// The version whose store is looked at; nil for the chain's last.
  package var version: Located<String>?
  /// The starts it holds for; empty for all.
  package var starts: [Located<String>] = []
  /// The starts it doesn't hold for.
  package var exceptStarts: [Located<String>] = []
  var check: any ExpectationKind

  package var keyword: String { check.keyword }
  package var isFailure: Bool { check.isFailure }
  package var countsObjects: Bool { check.countsObjects }
}

/// A kind of expectation: how it is written, read and resolved in the models.
///
/// Each kind is one type in one file, with the check that compares it with what came out (see `ObjectsCheck`
/// and `RunCheck`). What a verdict depends on has no default here: a kind that forgot it would
/// always pass.
protocol ExpectationKind: Sendable {
  /// What it comes to at a version.
  associatedtype Check: ExpectationCheck

  /// How it is written.
  static var form: ExpectationForm { get }
  /// How it is written with each keyword, where it has several.
  static var forms: [ExpectationForm] { get }
  /// Keys that may stand beside its keyword, with their parts of the schema, as JSON.
  static var modifiers: [String: String] { get }

  /// - Returns: Nil when what is wrong with it was reported.
  static func read(_ written: WrittenKeyword, by reader: ScenarioReader) -> Self?

  /// The keyword it was written with.
  var keyword: String { get }
  /// Whether it lists nothing, so that nothing could contradict it. An empty list of steps, lost objects or
  /// events says a lot.
  var isEmpty: Bool { get }
  /// The error that it expects the run to end with.
  var expectedFailure: FailureExpectation? { get }

  /// Finds its names in the models and reads its values.
  /// - Returns: What is compared with what came out; nil after a report of what is wrong.
  func resolve(by checker: ScenarioChecker, _ scope: ModelScope, at place: SourcePlace) -> Check?

  /// Checks that a run could come out otherwise.
  /// - Parameter starts: Those that it holds for.
  func checkReach(by checker: ScenarioChecker, from starts: [String], at place: SourcePlace)
}

extension ExpectationKind {
  static var forms: [ExpectationForm] { [form] }
  static var modifiers: [String: String] { [:] }
  var keyword: String { Self.form.keyword }
  var expectedFailure: FailureExpectation? { nil }

  func checkReach(
    by checker: ScenarioChecker, from starts: [String], at place: SourcePlace
  ) {}

  var isFailure: Bool { expectedFailure != nil }

  var countsObjects: Bool {
    Self.forms.contains { $0.keyword == keyword && $0.countsObjects }
  }
}

/// One keyword of expectations, as the documentation and the schema have it.
struct ExpectationForm: Sendable {
  let keyword: String
  /// An example, and what makes it hold: a line of the table in Scenarios/README.md.
  let example: String
  let meaning: String
  /// What the keyword's value may be: a JSON schema.
  let schema: String
  /// Whether it says something of a number of objects, or of certain ones.
  let countsObjects: Bool
  /// What it was called before, which files may go on saying.
  var formerKeyword: String?

  /// All words for it, the one that is written today first.
  var keywords: [String] { [keyword] + [formerKeyword].compactMap(\.self) }
}

/// The error a run must end with. What is nil isn't looked at.
package struct FailureExpectation: Sendable {
  package var place: SourcePlace
  package var step: Located<StepEnds>?
  package var code: Located<Int>?
  /// The domain of the code; Core Data's unless said.
  package var domain: Located<String>?
  /// The code of the error behind it.
  package var underlying: Located<Int>?
  package var pass: Located<String>?
  /// The name of the entity mapping.
  package var mapping: Located<String>?
  package var entity: Located<String>?
  package var property: Located<String>?
  package var object: Located<String>?
  /// Text that the reason must contain.
  package var message: Located<String>?
  /// One for each single error of an error for several (1560).
  package var errors: [FailureExpectation] = []

  /// Whether it says where an error comes from at most, not which.
  var isVague: Bool { (code ?? underlying) == nil && (domain ?? message) == nil && errors.isEmpty }

  package init(place: SourcePlace) { self.place = place }
}

package enum MappingUse: String, Sendable, CaseIterable, Codable {
  case custom, inferred
}
