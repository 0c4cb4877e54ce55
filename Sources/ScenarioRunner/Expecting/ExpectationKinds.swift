/// A kind of expectation about the objects, or the model, at a version.
protocol ObjectsExpectation: ExpectationKind {
  /// - Returns: Everything that isn't as expected; empty when the expectation holds.
  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Mismatch]

  /// What there is nothing of, so that the expectation holds only because there is nothing it could be
  /// wrong about.
  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Mismatch]

  /// Whether it compares with the time at which it is looked at, for which the store of an earlier call
  /// would be too old.
  var dependsOnTime: Bool { get }

  /// The entities that it expects to have no objects.
  var emptyEntities: [String] { get }
  /// The objects that it expects to lead nowhere, by `Entity.relationship`.
  var unlinkedObjects: [String: Set<String>] { get }
}

extension ObjectsExpectation {
  // Who says nothing of these makes others fail as vacuous, and nothing pass.
  var emptyEntities: [String] { [] }
  var unlinkedObjects: [String: Set<String>] { [:] }
}

/// A kind of expectation about what a run did, rather than about the objects it made. It can be looked at
/// after an error, too.
protocol RunExpectation: ExpectationKind {
  /// - Returns: Everything that isn't as expected; empty when the expectation holds.
  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Mismatch]

  /// Whether it says which steps are executed.
  var decidesSteps: Bool { get }
  /// Whether it looks at what isn't kept of an earlier call.
  var dependsOnOutput: Bool { get }
}

/// All kinds, in the order in which they are documented.
package enum ExpectationKinds {
  static let aboutObjects: [any ObjectsExpectation.Type] = [
    CountExpectation.self, QuantityExpectation.self, UniqueExpectation.self,
    InverseExpectation.self, RequiredExpectation.self, ObjectExpectation.self,
    InstanceOfExpectation.self, DroppedExpectation.self, EverySourceMigratedExpectation.self,
    MadeExpectation.self, ModelExpectation.self,
  ]
  static let aboutRuns: [any RunExpectation.Type] = [
    MappingExpectation.self, HopsExpectation.self, CallsExpectation.self, PrintsExpectation.self,
    TraceExpectation.self, SourceExpectation.self, DestinationExpectation.self,
    StoreExpectation.self, FailsExpectation.self,
  ]
  package static let all: [any ExpectationKind.Type] = aboutObjects + aboutRuns
}

/// An expectation by what it is about.
enum ExpectationSubject {
  case objects(any ObjectsExpectation)
  case run(any RunExpectation)
}

extension Expectation {
  var subject: ExpectationSubject {
    if let check = check as? any ObjectsExpectation { return .objects(check) }
    if let check = check as? any RunExpectation { return .run(check) }
    // Only the kinds above are read; one that nothing compares would always pass.
    preconditionFailure("nothing compares expectations of the kind \(type(of: check))")
  }
}

extension Expectation {
  /// Whether it says which steps are executed.
  var decidesSteps: Bool {
    if case .run(let check) = subject { check.decidesSteps } else { false }
  }

  /// What is told where an error left nothing to look at.
  var unreached: Mismatch {
    Mismatch(
      at: place, check.keyword, expected: "to be checked", found: "the run ended before it could be"
    )
  }
}

extension CheckedScenario {
  /// Reads and checks a scenario file.
  /// - Parameter path: The path to show in messages; the file's own by default.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it.
  package static func load(contentsOf url: URL, shownAs path: String? = nil) throws -> Self {
    try load(contentsOf: url, shownAs: path, kinds: ExpectationKinds.all)
  }
}

extension ScenarioReader {
  /// - Throws: ``Diagnostics`` with everything wrong in the form of the file.
  package static func read(_ file: SourceFile, in folder: URL) throws -> Scenario {
    try read(file, in: folder, kinds: ExpectationKinds.all)
  }
}
