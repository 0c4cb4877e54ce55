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
