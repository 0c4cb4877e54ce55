import Foundation

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Checks a scenario given as text.
func checked(_ text: String) throws -> CheckedScenario { try CheckedScenario.check(read(text)) }

/// Runs a scenario from all its starts, on both backends unless told otherwise.
func play(
  _ text: String, policies: PolicyRegistry = PolicyRegistry(),
  on backends: [Backend] = Backend.allCases
) throws -> [RunResult] {
  let scenario = try checked(text)
  var suite = ScenarioSuite()
  suite.backends = backends
  return scenario.starts.flatMap { suite.run(scenario, from: $0, with: policies) }
}

/// What is wrong with each run, one line per failure; empty for a run that passed.
func outcomes(
  _ text: String, policies: PolicyRegistry = PolicyRegistry(),
  on backends: [Backend] = Backend.allCases
) throws -> [[String]] {
  try play(text, policies: policies, on: backends).map { $0.failures.map(\.line) }
}

extension Failure {
  /// `expectation 12: count of Tag: expected 2, found 3`.
  var line: String {
    let line = place.map { " \($0.line)" } ?? ""
    return "\(kind.rawValue)\(line): \(subject): expected \(expected), found \(found)"
  }
}
