// The form of cases in files: `predicate`, and where they are needed `arguments`, `variables`,
// `object` and `expected`; `sql`, a text, where a fetch from a store may give something else. Other
// fields are notes.

extension PredicateCase {
  /// Why JSON isn't a case.
  struct Problem: Error { let text: String }

  init(json: Any) throws(Problem) {
    guard let fields = json as? [String: Any] else { throw Problem(text: "a case is an object") }
    guard let format = fields["predicate"] as? String else {
      throw Problem(text: "a case needs 'predicate', a text")
    }
    self.init(format: format)
    if let arguments = fields["arguments"], !(arguments is NSNull) {
      guard let list = arguments as? [Any] else {
        throw Problem(text: "'arguments' must be an array")
      }
      self.arguments = list.map(JSONText.value(of:))
    }
    if let variables = fields["variables"], !(variables is NSNull) {
      guard let byName = variables as? [String: Any] else {
        throw Problem(text: "'variables' must be an object")
      }
      self.variables = byName.mapValues(JSONText.value(of:))
    }
    object = fields["object"].map(JSONText.value(of:)) ?? .null
    expected = try fields["expected"].map(Self.expectation)
    differsInStore = fields["sql"] is String
  }

  private static func expectation(_ json: Any) throws(Problem) -> PredicateResult {
    if let word = json as? String, word == "error" { return .failure(word) }
    guard let answer = json as? Bool else {
      throw Problem(text: "'expected' must be true, false or \"error\"")
    }
    return .answer(answer)
  }
}

/// The line that is printed for a case.
struct PredicateCaseLine: Encodable {
  private let predicate: String
  private let result: PredicateResult
  private let expected: PredicateResult?
  private let fetched: PredicateFetchResult?

  init(_ entry: PredicateCase, _ outcome: PredicateCaseOutcome) {
    predicate = entry.format
    expected = entry.expected
    result = outcome.result
    fetched = outcome.fetched
  }

  private enum CodingKeys: CodingKey {
    case predicate, result, expected, message, sql, sqlMessage
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(predicate, forKey: .predicate)
    try container.encode(result, forKey: .result)
    try container.encodeIfPresent(expected, forKey: .expected)
    if case .failure(let message) = result { try container.encode(message, forKey: .message) }
    try container.encodeIfPresent(fetched?.word, forKey: .sql)
    try container.encodeIfPresent(fetched?.message, forKey: .sqlMessage)
  }
}

extension PredicateResult: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .answer(let answer): try container.encode(answer)
    case .failure: try container.encode("error")
    }
  }
}
