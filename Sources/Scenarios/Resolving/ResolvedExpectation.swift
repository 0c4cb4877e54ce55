/// What an expectation comes to at one version: all that comparing takes, with nothing left to read.
protocol ExpectationCheck: Sendable {
  var subject: ExpectationSubject { get }
}

/// An expectation by what it is about.
enum ExpectationSubject: Sendable {
  case objects(any ObjectsCheck)
  case run(any RunCheck)
}

/// An expectation whose names were found in the models.
package struct ResolvedExpectation: Sendable {
  /// The expectation as the scenario writes it.
  package let written: Expectation
  /// By version that it may be looked at.
  private let subjects: [String: ExpectationSubject]

  init(_ written: Expectation, _ checks: [String: any ExpectationCheck]) {
    self.written = written
    subjects = checks.mapValues(\.subject)
  }

  package var place: SourcePlace { written.place }
  package var keyword: String { written.check.keyword }
  package var isFailure: Bool { written.check.isFailure }

  /// What it comes to at a version that runs look at it.
  func subject(at version: String) -> ExpectationSubject {
    guard let subject = subjects[version] else {
      preconditionFailure("'\(keyword)' at \(place) wasn't resolved for \(version)")
    }
    return subject
  }

  /// What it comes to wherever runs look at it.
  var allSubjects: some Collection<ExpectationSubject> { subjects.values }
}
