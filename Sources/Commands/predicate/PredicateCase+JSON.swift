// The form of cases in files: `predicate`, and where they are needed `arguments`, `variables`,
// `object` and `expected`; `sql`, a text, where a fetch from a store may give something else. Other
// fields are notes, unless their names are almost one of these.

extension PredicateCase {
  /// Why JSON isn't a case.
  struct Problem: Error { let text: String }

  private static let keys = ["predicate", "arguments", "variables", "object", "expected", "sql"]

  init(json: Any) throws(Problem) {
    guard let fields = json as? [String: Any] else { throw Problem(text: "a case is an object") }
    for key in fields.keys.sorted() where !Self.keys.contains(key) {
      guard let meant = Spelling.closest(to: key, among: Self.keys) else { continue }
      throw Problem(text: "unknown key '\(key)'; did you mean '\(meant)'?")
    }
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

extension PredicateCase {
  /// The line that is printed for it.
  func line(_ outcome: PredicateCaseOutcome) -> JSONObject {
    [
      "predicate": format, "result": outcome.result.json, "expected": expected?.json,
      "message": outcome.result.message, "sql": outcome.fetched?.json,
      "sqlMessage": outcome.fetched?.message,
    ]
  }
}

extension PredicateResult {
  var json: any Encodable {
    switch self {
    case .answer(let answer): answer
    case .failure: "error"
    }
  }

  var message: String? {
    switch self {
    case .answer: nil
    case .failure(let text): text
    }
  }
}
