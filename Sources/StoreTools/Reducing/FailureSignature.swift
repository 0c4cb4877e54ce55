/// What makes one failure the same as another in a smaller scenario: its kind, its place in the migration, its code, and
/// what it is about. Not the numbers and names of objects, which change with what is left out.
struct FailureSignature: Codable, Equatable {
  let kind: Failure.Kind
  let step: String?
  let pass: String?
  let entity: String?
  let property: String?
  /// The line of a policy, as `SongPolicy.swift:12`.
  let code: String?
  let subject: String
  let expected: String
  let found: String
  /// The keyword of the expectation, where it is one.
  let keyword: String?
  /// The place of the expectation in the list, where that stays whole.
  let expectation: Int?

  /// - Parameters:
  ///   - keyword: Of the expectation that the failure is about.
  ///   - expectation: Its place in the list; nil where others are left out before it.
  ///   - countsRows: Whether that only counts the rows that are left.
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
    self.expectation = expectation
    // Of an expectation with values in it other values are another failure.
    if countsRows, let (wanted, there) = Self.numbers(of: failure) {
      subject = failure.subject
      expected = "as many as rows"
      found = there > wanted ? "more" : "fewer"
      return
    }
    let isExact = keyword.map { !Self.countingNothing.contains($0) } ?? false
    subject = isExact ? failure.subject : Self.withoutValues(failure.subject)
    expected = isExact ? failure.expected : Self.withoutValues(failure.expected)
    found = isExact ? failure.found : Self.withoutValues(failure.found)
  }

  private static func numbers(of failure: Failure) -> (wanted: Int, there: Int)? {
    guard let wanted = Int(failure.expected), let there = Int(failure.found) else { return nil }
    return (wanted, there)
  }

  /// Expectations that hold, or don't, whatever the number of objects is.
  private static let countingNothing: Set<String> = [
    "none", "all", "unique", "inverse", "required", "everySourceMigrated",
  ]

  /// A message without what is quoted in it, and with `#` for each number but codes of errors.
  private static func withoutValues(_ text: String) -> String {
    let head = text.prefixMatch(of: /[A-Za-z.]+ -?\d+/).map { String($0.0) } ?? ""
    let rest = text.dropFirst(head.count)
      .replacing(/"[^"]*"|'[^']*'|‘[^’]*’|“[^”]*”/, with: "…").replacing(/-?\d+(\.\d+)?/, with: "#")
    return head + rest
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
