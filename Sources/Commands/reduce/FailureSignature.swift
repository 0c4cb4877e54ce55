/// What makes one failure the same as another in a smaller scenario: its kind, its place in the migration, its code, and
/// what it is about. Not the numbers and names of objects, which change with what is left out.
///
/// Failures are compared by these facts, never by their texts.
struct FailureSignature: Encodable {
  let kind: Failure.Kind
  let step: String?
  let pass: String?
  let entity: String?
  let property: String?
  /// The line of a policy, as `SongPolicy.swift:12`.
  let code: String?
  /// What was expected and found, in words for people.
  let subject: String
  let expected: String
  let found: String
  /// The keyword of the expectation, where it is one.
  let keyword: String?
  private let facts: Facts

  /// What else two failures must have in common.
  private struct Facts: Equatable {
    /// The place of the expectation in the list, where that stays whole.
    let expectation: Int?
    let symptom: Failure.Symptom?
    let error: Failure.ErrorCode?
    /// How many there are more than there should be; only whether more or fewer where they are lowered with the rows.
    let difference: Int?
  }

  private enum CodingKeys: String, CodingKey {
    case kind, step, pass, entity, property, code, subject, expected, found, keyword
  }

  /// - Parameters:
  ///   - keyword: Of the expectation that the failure is about.
  ///   - expectation: Its place in the list; nil where others are left out before it.
  ///   - countsRows: Whether it expects as many as there are rows.
  init(_ failure: Failure, keyword: String?, expectation: Int?, countsRows: Bool) {
    kind = failure.kind
    step = failure.step
    pass = failure.pass
    entity = failure.target?.entity
    property = failure.target?.property
    code = failure.code.map { code in
      let name = (code.file as NSString).lastPathComponent
      return code.line.map { "\(name):\($0)" } ?? name
    }
    self.keyword = keyword
    (subject, expected, found) = (failure.subject, failure.expected, failure.found)
    facts = Facts(
      expectation: expectation, symptom: failure.symptom, error: failure.error,
      difference: (failure.counts?.difference).map { countsRows ? $0.signum() : $0 })
  }

  func isSame(as other: FailureSignature) -> Bool {
    (kind, step, pass, entity, property, code) == (
      other.kind, other.step, other.pass, other.entity, other.property, other.code
    ) && keyword == other.keyword && facts == other.facts
  }

  /// Whether it is of an expectation that the other is of, too.
  func isOfSameExpectation(as other: FailureSignature) -> Bool {
    kind == .expectation && other.kind == kind && keyword == other.keyword
      && facts.expectation == other.facts.expectation
  }

  /// The failure in one line.
  var text: String {
    let place = [entity, property].compactMap(\.self).joined(separator: ".")
    let parts = [
      step, pass, place.isEmpty ? nil : place, code,
      "\(subject): expected \(expected), found \(found)",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
