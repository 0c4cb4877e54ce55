/// An expectation that doesn't hold: what was expected and what was found.
package struct Mismatch: Sendable {
  package let place: SourcePlace
  /// What was looked at.
  package let subject: String
  package let expected: String
  package let found: String
  /// Examples, or where to look.
  package let notes: [String]
  /// Whether nothing is wrong but that there was nothing to look at.
  package var isVacuous = false
  /// What would have to be written for the expectation to hold; empty for a rule, which isn't a value.
  var repairs: [Repair]
  /// Every value that was expected, where there may be several.
  var expectedItems: [String] = []
  /// What of the store it is about.
  var target: Failure.Target?
  /// What is wrong, where that alone suggests a cause.
  var symptom: Failure.Symptom?
  /// The numbers, where it is about how many there are.
  var counts: Failure.Counts?
  /// What to look up in earlier stores.
  var question: HistoryQuestion?

  package init(
    at place: SourcePlace, _ subject: String, expected: String, found: String, notes: [String] = [],
    repairs: [Repair] = []
  ) {
    self.place = place
    self.subject = subject
    self.expected = expected
    self.found = found
    self.notes = notes
    self.repairs = repairs
  }

  /// The same, and a symptom of something.
  func showing(_ symptom: Failure.Symptom?) -> Mismatch {
    var mismatch = self
    mismatch.symptom = symptom
    return mismatch
  }
}
