extension CrashReport {
  /// The report for machines.
  var json: JSONObject {
    let states = CrashPlay.State.allCases.map { state in
      (state.rawValue, plays.count { $0.state == state })
    }
    return [
      "format": 1, "scenarios": sweeps, "problems": problems,
      "summary": [
        "points": sweeps.reduce(0) { $0 + $1.points.count }, "plays": plays.count,
        "states": Dictionary(uniqueKeysWithValues: states), "broken": brokenPlays.count,
      ] as JSONObject,
      "seconds": seconds, "exitStatus": exitStatus.rawValue,
    ]
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
      findings: broken + problems.map { ToldFinding(.error, rule: "not-played", about: "", $0) },
      isFailure: exitStatus != .passed)
  }
}

extension CrashSweepResult {
  fileprivate func told(_ violation: CrashPlay.Violation, of play: CrashPlay) -> ToldFinding {
    ToldFinding(
      .error, rule: violation.promise.rawValue,
      about: "\(scenario) from \(start): \(play.fault.rawValue) at point \(play.point)",
      "\(points[play.point - 1].text)\nexpected \(violation.expected)\nfound \(violation.found)",
      advice: "Play it again: \(command(play))",
      place: FilePlace(file: ScenarioAddress(scenario).path))
  }
}
