/// Compares a situation with what a scenario expects of it.
package struct ExpectationEvaluator {
  let situation: Situation
  private let vacuity: VacuityCheck

  /// - Parameter expectations: All that the scenario expects here.
  init(_ situation: Situation, expecting expectations: [ResolvedExpectation]) {
    self.situation = situation
    vacuity = VacuityCheck(situation, expecting: expectations)
  }

  /// - Returns: Everything that isn't as expected; empty when the expectation holds.
  func mismatches(_ expectation: ResolvedExpectation) -> [Failure] {
    do {
      return try ExceptionTrap.catching {
        switch expectation.subject(at: situation.version) {
        case .run(let check):
          return try check.mismatches(of: situation.run, at: expectation.place)
        case .objects(let check):
          let found = try check.mismatches(in: situation, at: expectation.place)
          return found.isEmpty ? try check.vacuities(vacuity, at: expectation.place) : found
        }
      }
    } catch {
      return [failed(expectation, "\(error)")]
    }
  }

  private func failed(_ expectation: ResolvedExpectation, _ problem: String) -> Failure {
    Failure(
      at: expectation.place, expectation.keyword, expected: "to be evaluated",
      found: problem)
  }
}
