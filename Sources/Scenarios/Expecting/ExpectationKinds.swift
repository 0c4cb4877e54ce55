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

  /// The objects that it looks at, and the fewest of them that it could be wrong about.
  var looked: [(objects: ResolvedQuery, least: Int)] { get }
  /// The entities that it expects to have no objects.
  var emptyEntities: [String] { get }
  /// The objects that it expects to lead nowhere, by the relationship's name.
  var unlinkedObjects: [String: [ResolvedReference]] { get }
  /// Those whose order it is about.
  var orderedRelationships: [RelationshipDescription] { get }
  /// The to-many paths that it expects to lead nowhere from any object, as `Entity.relationship`.
  var emptyPaths: [String] { get }
}

extension ObjectsCheck {
  var subject: ExpectationSubject { .objects(self) }

  var looked: [(objects: ResolvedQuery, least: Int)] { [] }
  // Who says nothing of these makes others fail as vacuous, and nothing pass.
  var emptyEntities: [String] { [] }
  var unlinkedObjects: [String: [ResolvedReference]] { [:] }
  var orderedRelationships: [RelationshipDescription] { [] }
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

extension RunCheck {
  var subject: ExpectationSubject { .run(self) }
}

/// A kind of expectation about the objects, or the model, at a version.
protocol ObjectsExpectation: ExpectationKind where Check: ObjectsCheck {}

/// A kind of expectation about what a run did.
protocol RunExpectation: ExpectationKind where Check: RunCheck {}

/// All kinds, in the order in which they are documented.
enum ExpectationKinds {
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
  static let all: [any ExpectationKind.Type] = aboutObjects + aboutRuns
}

extension ResolvedExpectation {
  /// Whether it says which steps are executed.
  var decidesSteps: Bool {
    allSubjects.contains { if case .run(let check) = $0 { check.decidesSteps } else { false } }
  }

  /// Whether it says that there are no objects of an entity.
  var saysEmpty: Bool {
    allSubjects.contains {
      if case .objects(let check) = $0 { !check.emptyEntities.isEmpty } else { false }
    }
  }

  /// Whether it compares with the time at which it is looked at, for which a store of an earlier call
  /// would be too old, or with what was printed on the way, which isn't kept.
  var asksForThisPlay: Bool {
    allSubjects.contains { subject in
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
