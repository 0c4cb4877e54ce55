/// What an expectation comes to at one version: all that comparing takes, with nothing left to read.
///
/// Of which kinds there are, and how they compare, is for whoever plays scenarios to know.
package protocol ExpectationCheck: Sendable {}

/// An expectation whose names were found in the models.
package struct ResolvedExpectation: Sendable {
  /// The expectation as the scenario writes it.
  package let written: Expectation
  /// By version that it may be looked at.
  private let checks: [String: any ExpectationCheck]

  init(_ written: Expectation, _ checks: [String: any ExpectationCheck]) {
    self.written = written
    self.checks = checks
  }

  package var place: SourcePlace { written.place }
  package var keyword: String { written.check.keyword }
  package var isFailure: Bool { written.check.isFailure }

  /// What it comes to at a version that runs look at it.
  package func check(at version: String) -> any ExpectationCheck {
    guard let check = checks[version] else {
      preconditionFailure("'\(keyword)' at \(place) wasn't resolved for \(version)")
    }
    return check
  }

  /// What it comes to wherever runs look at it.
  package var allChecks: some Collection<any ExpectationCheck> { checks.values }
}
