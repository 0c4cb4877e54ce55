/// A deliberate fault, and the scenarios that could notice it.
struct Mutant: Sendable {
  /// What is dropped or altered; the first are the most telling.
  enum Kind: String, CaseIterable, Codable, Sendable {
    case hook
    case policy
    case entityMapping = "entity-mapping"
    case mappingModel = "mapping-model"
    case step
    case sourcePredicate = "source-predicate"
    case condition
    case valueExpression = "value-expression"
    case call
    case assignment
    case `return`
    case propertyMapping = "property-mapping"
    case renamingIdentifier = "renaming-identifier"
    case `default`
    case inverse
    case deleteRule = "delete-rule"
  }

  /// A scenario, by its place among those of the call, and the fault as it is made there.
  struct Target: Sendable {
    let scenario: Int
    let mutation: Mutation
  }

  let kind: Kind
  let file: String
  /// Nil where the file has no lines.
  let line: Int?
  /// What is done; no other mutant of the file is called so.
  var title: String
  /// The change, as lines that go and lines that come.
  let removed: [String]
  let added: [String]
  var targets: [Target]

  var place: String { line.map { "\(file):\($0)" } ?? file }
}

/// What came of a mutant.
enum MutantVerdict: Codable, Sendable, Equatable {
  /// How a run showed that something is wrong.
  enum Way: String, Codable, Sendable {
    case expectation, error, crash, timeout, memory
  }

  struct Catch: Codable, Sendable, Equatable {
    let scenario: String
    let start: String
    let backend: String
    let way: Way
    /// What was looked at, and what was found.
    let what: String
  }

  case caught(Catch)
  /// Every scenario that could notice passed.
  case alive
  /// The compiler refuses it.
  case uncompilable(String)
  /// It couldn't be judged, for a reason that isn't the scenarios'.
  case unjudged(String)
  /// The machine failed while it was played.
  case faulted(MachineFault)
}

/// A mutant with what came of it; no verdict where it wasn't played.
struct JudgedMutant: Sendable {
  let mutant: Mutant
  var verdict: MutantVerdict?
  /// Why it may live.
  var accepted: AcceptedMutant?
  /// Whether an earlier call found it out.
  var isFromEarlier = false

  var isAlive: Bool { verdict == .alive }
  /// Whether it lives and nobody said why it may.
  var isUnexplained: Bool { isAlive && accepted == nil }
}
