/// An expectation that doesn't hold: what was expected and what was found.
public struct Mismatch: Sendable {
  public let place: SourcePlace
  /// What was looked at.
  public let subject: String
  public let expected: String
  public let found: String
  /// Examples, or where to look.
  public let notes: [String]
  /// Whether nothing is wrong but that there was nothing to look at.
  public var isVacuous = false

  init(
    at place: SourcePlace, _ subject: String, expected: String, found: String, notes: [String] = []
  ) {
    self.place = place
    self.subject = subject
    self.expected = expected
    self.found = found
    self.notes = notes
  }
}
