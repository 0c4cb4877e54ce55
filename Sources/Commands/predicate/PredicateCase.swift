/// A predicate with all it is evaluated with, and perhaps the result it must have.
struct PredicateCase {
  let format: String
  /// What `%@` and the other specifiers stand for, left to right.
  var arguments: [Value] = []
  /// What `$name` stands for, by name without `$`.
  var variables: [String: Value] = [:]
  var object: Value = .null
  /// nil when any result is fine.
  var expected: PredicateResult?
  /// Whether a fetch from a store may give another result.
  var differsInStore = false

  /// - Throws: ``PredicateFormatError``.
  func predicate() throws -> Predicate {
    try Predicate.parse(format, arguments: arguments.map { $0 as Any? })
  }

  /// The predicate's answer; a format that can't be parsed is an error like one in evaluation.
  func result() -> PredicateResult {
    do {
      return .answer(try predicate().evaluate(object, variables: variables))
    } catch {
      return .failure("\(error)")
    }
  }
}

/// What came of a case.
struct PredicateCaseOutcome {
  /// The answer in memory.
  let result: PredicateResult
  /// The answer of a fetch from an SQLite store; nil when it wasn't asked for.
  let fetched: PredicateFetchResult?
  let isAsExpected: Bool

  init(_ entry: PredicateCase, fetching: Bool) {
    let result = entry.result()
    let fetched = fetching ? PredicateFetch(entry).result() : nil
    let agrees = entry.expected.map { result.agrees(with: $0) } ?? true
    let fetchAgrees = entry.differsInStore || fetched?.agrees(with: result) ?? true
    self.result = result
    self.fetched = fetched
    isAsExpected = agrees && fetchAgrees
  }
}

/// What came of evaluating a predicate.
enum PredicateResult {
  case answer(Bool)
  case failure(String)

  /// Whether both are the same answer, or both are errors whatever these say.
  func agrees(with other: PredicateResult) -> Bool {
    switch (self, other) {
    case (.answer(let a), .answer(let b)): a == b
    case (.failure, .failure): true
    default: false
    }
  }
}
