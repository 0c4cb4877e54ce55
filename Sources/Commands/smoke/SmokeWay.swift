/// The ways of one version's rows to the last version.
package struct SmokeWay: Codable, Sendable {
  package let version: String
  package let rows: Int
  /// The step that failed on the way from version to version, and the error; nil where none did. SQLite is named
  /// where it happens there only.
  package var failure: String?
  /// What one step to the last version, as Core Data itself takes it, comes to.
  package var direct: Direct
  /// The error that one step ends with.
  package var directFailure: String?

  package enum Direct: String, Codable, Sendable {
    /// The same as version by version.
    case same
    /// Something else.
    case differs
    /// There is no such step, or it fails.
    case impossible
    /// It can't be told: not the same twice, or no way version by version.
    case unknown
    /// There is only one step anyway.
    case only
  }
}

/// Takes one version's rows to the last version, step by step and directly, in memory and in SQLite.
struct SmokeWays {
  let files: SmokeFiles
  let trial: SmokeTrial
  let version: ManagedObjectModel
  let options: SmokeOptions
  /// What was told of single steps.
  let told: SmokeJob.Told
  private(set) var findings: [SmokeFinding] = []

  mutating func examine() throws -> SmokeWay {
    let versions = files.versions.drop { $0 !== version }
    let pairs = Array(zip(versions, versions.dropFirst()))
    let steps = pairs.map { files.step($0, $1) }
    let plan = files.scenario(steps)
    let scenario = plan.with(try SmokeSeed(version, by: trial, for: plan, with: options).rows)
    var way = SmokeWay(
      version: version.shownName, rows: scenario.rows.count, failure: nil, direct: .unknown)
    let outcome = try trial.play(scenario)
    if let error = MigrationError(outcome) {
      let step = outcome.steps.last?.name ?? ""
      way.failure = "\(step): error \(error.code)"
      // What one step shows by itself is told there.
      if !told.failing.contains(step) { try report(error, in: scenario, of: "in \(step)") }
    }
    let stored = try trial.play(scenario, on: .sqlite)
    if way.failure == nil, let error = MigrationError(stored) {
      way.failure = "\(stored.steps.last?.name ?? ""): error \(error.code) in SQLite"
    }
    try examineStored(scenario, in: outcome, and: stored)
    try compare(outcome, of: scenario, through: steps, with: &way)
    return way
  }

  /// An error that only rows of an earlier version meet, or that only one step has.
  private mutating func report(_ error: MigrationError, in scenario: SmokeScenario, of step: String)
    throws
  {
    var scenario = scenario
    scenario.expectations = [.everySourceMigrated]
    var small = try trial.smallest(scenario) { MigrationError(try trial.play($0)) == error }
    small.title = "Rows of \(version.shownName) come through to \(files.target.shownName)"
    small.about = error.reason
    let (kind, text) = try trial.finding(of: error, in: small)
    findings.append(
      SmokeFinding(
        kind, step: small.span, entity: error.entity, property: error.property,
        "\(step), \(text)", scenario: small))
  }

  // MARK: In SQLite

  /// What holds wherever the way is taken to its end.
  private var expectation: Notation { .entry("store", .text(files.target.shownName)) }

  /// Audits the store that was made, and compares it with what memory gives. What one step shows by itself is told
  /// there.
  private mutating func examineStored(
    _ scenario: SmokeScenario, in memory: SmokeTrial.Outcome, and stored: SmokeTrial.Outcome
  ) throws {
    guard told.differing.isDisjoint(with: scenario.steps.map(\.name)) else { return }
    for finding in stored.unsound {
      var (small, damage) = try trial.smallestDamage(scenario, finding)
      small.expectations = [expectation]
      small.title = "\(small.span) makes a sound store"
      small.about = "\(damage)"
      findings.append(
        SmokeFinding(
          .unsoundResult, step: small.span, entity: damage.entity, property: damage.property,
          "the store that was made isn't sound: \(damage.message)", scenario: small))
    }
    // What isn't the same in two plays tells nothing.
    guard memory.differs(from: stored), try !memory.differs(from: trial.play(scenario)),
      let found = try trial.smallestDifference(of: scenario, in: memory, and: stored)
    else { return }
    var small = found.scenario
    small.expectations = [expectation]
    small.title = "\(small.span) is the same on both backends"
    small.about = found.text
    findings.append(
      SmokeFinding(
        .backendsDiffer, step: small.span, entity: small.rows.first?.entity,
        "in memory and in SQLite: \(found.text)", scenario: small))
  }

  // MARK: In one step

  private mutating func compare(
    _ outcome: SmokeTrial.Outcome, of scenario: SmokeScenario, through steps: [SmokeScenario.Step],
    with way: inout SmokeWay
  ) throws {
    guard steps.count > 1 else {
      way.direct = .only
      return
    }
    // What nobody does needn't be right.
    if [.progressive, .own].contains(files.way) { return }
    var direct = files.scenario([files.step(version, files.target, takingOne: true)])
    direct.rows = scenario.rows
    let other = try trial.play(direct)
    try examineStored(direct, in: other, and: try trial.play(direct, on: .sqlite))
    guard other.after != nil else {
      way.direct = .impossible
      let error = MigrationError(other)
      way.directFailure = error?.text
      // Where nobody says that the app opens stores so, it is only told.
      if let error, files.way == .automatic {
        try report(error, in: direct, of: "in one step, as Core Data does by itself")
      }
      return
    }
    guard outcome.after != nil else { return }
    if !outcome.differs(from: other) {
      way.direct = .same
      return
    }
    // What isn't the same in two plays tells nothing.
    if outcome.differs(from: try trial.play(scenario)) { return }
    way.direct = .differs
    // Where mapping models were passed over, that is what one step means.
    guard steps.allSatisfy(\.mappings.isEmpty) else { return }
    try report(scenario, direct)
  }

  private mutating func report(_ scenario: SmokeScenario, _ direct: SmokeScenario) throws {
    func pair(_ rows: [WrittenRow]) throws -> (SmokeTrial.Outcome, SmokeTrial.Outcome) {
      (try trial.play(scenario.with(rows)), try trial.play(direct.with(rows)))
    }
    var small = try trial.smallest(direct) { candidate in
      let (stepwise, single) = try pair(candidate.rows)
      guard let first = stepwise.after, let second = single.after else { return false }
      return !first.differences(from: second).isEmpty
    }
    let (stepwise, single) = try pair(small.rows)
    guard let lines = SmokeDifference(stepwise, single).expectations else { return }
    small.expectations = lines
    small.title = "One step from \(version.shownName) gives what the steps between give"
    small.about = "Migrate version by version, or carry the value over in a mapping model."
    let place = stepwise.after?.differences(from: single.after ?? ContentSnapshot(objects: []))
      .first
    findings.append(
      SmokeFinding(
        .lostInOneStep, step: small.span, entity: small.rows.first?.entity,
        "one step gives a different result from the steps between: "
          + (place.map { "\($0.subject): \($0.first), or \($0.second)" } ?? ""), scenario: small))
  }
}
