/// What an expectation about the objects, or the model, at a version comes to there.
protocol ObjectsCheck: ExpectationCheck {
  /// - Returns: Everything that isn't as expected; empty when the expectation holds.
  func mismatches(in situation: Situation, at place: SourcePlace) throws -> [Failure]

  /// What there is nothing of, so that the expectation holds only because there is nothing it could be
  /// wrong about.
  func vacuities(_ check: VacuityCheck, at place: SourcePlace) throws -> [Failure]

  /// Whether it compares with the time at which it is looked at, for which the store of an earlier call
  /// would be too old.
  var dependsOnTime: Bool { get }

  /// The entities that it expects to have no objects.
  var emptyEntities: [String] { get }
  /// The objects that it expects to lead nowhere, by the relationship's name.
  var unlinkedObjects: [String: [ResolvedReference]] { get }
  /// The to-many paths that it expects to lead nowhere from any object, as `Entity.relationship`.
  var emptyPaths: [String] { get }
}

extension ObjectsCheck {
  // Who says nothing of these makes others fail as vacuous, and nothing pass.
  var emptyEntities: [String] { [] }
  var unlinkedObjects: [String: [ResolvedReference]] { [:] }
  var emptyPaths: [String] { [] }
}

/// What an expectation about what a run did comes to, rather than about the objects it made. It can be
/// looked at after an error, too.
protocol RunCheck: ExpectationCheck {
  /// - Returns: Everything that isn't as expected; empty when the expectation holds.
  func mismatches(of run: RunFacts, at place: SourcePlace) throws -> [Failure]

  /// Whether it says which steps are executed.
  var decidesSteps: Bool { get }
  /// Whether it looks at what isn't kept of an earlier call.
  var dependsOnOutput: Bool { get }
}

/// A kind of expectation about the objects, or the model, at a version.
protocol ObjectsExpectation: ExpectationKind where Check: ObjectsCheck {}

/// A kind of expectation about what a run did.
protocol RunExpectation: ExpectationKind where Check: RunCheck {}

/// All kinds, in the order in which they are documented.
package enum ExpectationKinds {
  static let aboutObjects: [any ObjectsExpectation.Type] = [
    CountExpectation.self, QuantityExpectation.self, UniqueExpectation.self,
    InverseExpectation.self, RequiredExpectation.self, ObjectExpectation.self,
    InstanceOfExpectation.self, DroppedExpectation.self, EverySourceMigratedExpectation.self,
    MadeExpectation.self, ModelExpectation.self,
  ]
  static let aboutRuns: [any RunExpectation.Type] = [
    MappingExpectation.self, StepsExpectation.self, CallsExpectation.self, FetchedExpectation.self,
    PrintsExpectation.self,
    TraceExpectation.self, SourceExpectation.self, DestinationExpectation.self,
    StoreExpectation.self, FailsExpectation.self,
  ]
  package static let all: [any ExpectationKind.Type] = aboutObjects + aboutRuns
}

/// An expectation by what it is about.
enum ExpectationSubject {
  case objects(any ObjectsCheck)
  case run(any RunCheck)

  init(_ check: any ExpectationCheck) {
    if let check = check as? any ObjectsCheck {
      self = .objects(check)
    } else if let check = check as? any RunCheck {
      self = .run(check)
    } else {
      // Only the kinds above are read; one that nothing compares would always pass.
      preconditionFailure("nothing compares expectations of the kind \(type(of: check))")
    }
  }
}

extension ResolvedExpectation {
  func subject(at version: String) -> ExpectationSubject { ExpectationSubject(check(at: version)) }

  private var subjects: [ExpectationSubject] { allChecks.map(ExpectationSubject.init) }

  /// Whether it says which steps are executed.
  var decidesSteps: Bool {
    subjects.contains { if case .run(let check) = $0 { check.decidesSteps } else { false } }
  }

  /// Whether it says that there are no objects of an entity.
  var saysEmpty: Bool {
    subjects.contains {
      if case .objects(let check) = $0 { !check.emptyEntities.isEmpty } else { false }
    }
  }

  /// Whether it compares with the time at which it is looked at, for which a store of an earlier call
  /// would be too old, or with what was printed on the way, which isn't kept.
  var asksForThisPlay: Bool {
    subjects.contains { subject in
      switch subject {
      case .objects(let check): check.dependsOnTime
      case .run(let check): check.dependsOnOutput
      }
    }
  }

  /// What is told where an error left nothing to look at.
  var unreached: Failure {
    Failure(
      at: place, keyword, expected: "to be checked", found: "the run ended before it could be"
    )
  }
}

extension CheckedScenario {
  /// Reads and checks the scenarios at an address: one, or all of a file.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it.
  package static func loadAll(at address: ScenarioAddress) throws -> [Self] {
    try loadAll(
      contentsOf: URL(fileURLWithPath: address.path), shownAs: address.path,
      number: address.number, kinds: ExpectationKinds.all)
  }

  /// Reads and checks the only scenario at an address.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it; also when
  ///   the file has several and the address names none.
  package static func load(at address: ScenarioAddress) throws -> Self {
    try load(
      contentsOf: URL(fileURLWithPath: address.path), shownAs: address.path,
      number: address.number)
  }

  /// Reads and checks a file's only scenario, or the one of a number.
  /// - Parameters:
  ///   - path: The path to show in messages; the file's own by default.
  ///   - folder: What paths in it are relative to; the file's own folder by default.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it.
  package static func load(
    contentsOf url: URL, shownAs path: String? = nil, number: Int? = nil, pathsIn folder: URL? = nil
  ) throws -> Self {
    try load(
      contentsOf: url, shownAs: path, number: number, pathsIn: folder, kinds: ExpectationKinds.all)
  }
}

extension ScenarioReader {
  /// - Throws: ``Diagnostics`` with everything wrong in the form of the file.
  package static func read(_ file: SourceFile, in folder: URL) throws -> Scenario {
    try read(file, in: folder, kinds: ExpectationKinds.all)
  }
}
