import Predicates
import TestSupport
import Testing

private let caseFile = Fixture.url("predicate-cases.json")

/// Cases with the results that the format's reference gives.
@Suite struct CaseFileTests {
  /// One case: a format with its input, and what evaluating it must give.
  struct Case {
    let format: String
    let arguments: [Any?]
    let variables: [String: Value]
    let object: Value
    /// nil for an error.
    let expected: Bool?
    let note: String

    init(_ fields: [String: Any]) throws {
      format = try #require(fields["predicate"] as? String)
      arguments = (fields["arguments"] as? [Any] ?? []).map(Self.decoded)
      let bound = fields["variables"] as? [String: Any] ?? [:]
      variables = bound.mapValues { Value(evaluating: Self.decoded($0)) }
      object = Value(evaluating: fields["object"].flatMap(Self.decoded))
      expected = (fields["expected"] as? String) == "error" ? nil : fields["expected"] as? Bool
      note = fields["note"] as? String ?? ""
    }

    /// JSON with dates as `{"$date": seconds}`.
    private static func decoded(_ json: Any) -> Any? {
      switch json {
      case is NSNull: nil
      case let dictionary as [String: Any]:
        if let seconds = dictionary["$date"] as? Double {
          Date(timeIntervalSinceReferenceDate: seconds)
        } else {
          dictionary.compactMapValues(decoded)
        }
      case let array as [Any]: array.map { decoded($0) ?? NSNull() }
      default: json
      }
    }
  }

  static func cases() throws -> [Case] {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: caseFile))
    let cases = try #require(json as? [[String: Any]]).map(Case.init)
    #expect(!cases.isEmpty)
    return cases
  }

  @Test func everyCaseGivesItsResult() throws {
    for entry in try Self.cases() {
      let result = Result {
        try Predicate.parse(entry.format, arguments: entry.arguments)
          .evaluate(entry.object, variables: entry.variables)
      }
      #expect((try? result.get()) == entry.expected, "\(entry.format): \(result) (\(entry.note))")
    }
  }

  @Test func everyCaseParsesAgainAsPrinted() throws {
    for entry in try Self.cases() {
      guard let tree = try? Predicate.parse(entry.format, arguments: entry.arguments) else {
        continue
      }
      #expect(try Predicate.parse(tree.predicateFormat) == tree, "\(entry.format)")
    }
  }
}
