extension CrashReport: Encodable {
  private enum Key: String, CodingKey {
    case format, scenarios, problems, summary, seconds, exitStatus
  }

  private struct Summary: Encodable {
    let points: Int
    let plays: Int
    let states: [String: Int]
    let broken: Int
  }

  /// Keys may be added; those that are there keep their meaning.
  package func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(1, forKey: .format)
    try keyed.encode(sweeps, forKey: .scenarios)
    try keyed.encode(problems, forKey: .problems)
    var states: [String: Int] = [:]
    for state in CrashPlay.State.allCases {
      states[state.rawValue] = plays.filter { $0.state == state }.count
    }
    let summary = Summary(
      points: sweeps.reduce(0) { $0 + $1.points.count }, plays: plays.count, states: states,
      broken: brokenPlays.count)
    try keyed.encode(summary, forKey: .summary)
    try keyed.encode(seconds, forKey: .seconds)
    try keyed.encode(exitStatus.rawValue, forKey: .exitStatus)
  }
}

// MARK: - Other machines

extension CrashReport {
  /// A finding for each promise that a play broke, and for what wasn't played.
  /// - Parameter paths: What was given to the command.
  func told(_ paths: [String]) -> ToldFindings {
    let broken = sweeps.flatMap { sweep in
      sweep.plays.flatMap { play in play.violations.map { sweep.told($0, of: play) } }
    }
    return ToldFindings(
      command: "crash", file: paths.joined(separator: ", "),
      findings: broken + problems.map { ToldFinding(.error, "not-played", "", $0) },
      isFailure: exitStatus != .passed)
  }
}

extension CrashSweepResult {
  fileprivate func told(_ violation: CrashPlay.Violation, of play: CrashPlay) -> ToldFinding {
    ToldFinding(
      .error, violation.promise.rawValue,
      "\(scenario) from \(start): \(play.fault.rawValue) at point \(play.point)",
      "\(points[play.point - 1].text)\nexpected \(violation.expected)\nfound \(violation.found)",
      advice: "Play it again: \(command(play))",
      place: FilePlace(file: ScenarioAddress(scenario).path))
  }
}
