/// Rewrites what scenarios expect into what was found.
///
/// Values are rewritten: counts, what objects hold, what errors say, which steps ran. Rules
/// (`unique`, `none`, `all` …) aren't: one that doesn't hold is a fault, not an outdated value.
struct ScenarioUpdate {
  /// What was done to one file.
  struct Change {
    let path: String
    let diff: LineDiff
    let count: Int
  }

  /// All that was done, and what wasn't.
  struct Outcome {
    var changes: [Change] = []
    var refusals: [Diagnostic] = []
  }

  /// - Parameter environment: Where `CI` is looked up.
  /// - Throws: ``Diagnostics`` on a machine that nobody watches, where a test must fail instead.
  static func checkAllowed(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let words = ["", "0", "false", "no"]
    if words.contains(environment["CI"]?.lowercased() ?? "") { return }
    throw Diagnostics([
      Diagnostic(
        file: "--update",
        "nothing is updated where the environment variable CI is set; update on your machine, look "
          + "at the change, and commit it")
    ])
  }

  /// Updates the files of all scenarios that failed for outdated values.
  /// - Throws: ``Diagnostics`` for a file that can't be written; others stay updated.
  static func run(_ report: SuiteReport, of scenarios: [CheckedScenario]) throws -> Outcome {
    var outcome = Outcome()
    for scenario in scenarios {
      let results = report.results.filter { $0.id.path == scenario.scenario.file.path }
      let (repairs, conflicts) = agreed(results, scenario)
      outcome.refusals += conflicts
      if repairs.isEmpty { continue }
      let file = scenario.scenario.file
      let edited = try ScenarioEdit(file).applying(repairs)
      outcome.refusals += edited.refusals
      guard edited.text != file.text else { continue }
      try write(edited.text, to: scenario)
      outcome.changes.append(
        Change(
          path: file.path, diff: LineDiff(from: file.text, to: edited.text), count: edited.count))
    }
    return outcome
  }

  /// The repairs that all runs of a scenario agree about.
  private static func agreed(
    _ results: [RunResult], _ scenario: CheckedScenario
  ) -> ([Repair], [Diagnostic]) {
    let all = results.flatMap(\.failures).flatMap(\.repairs)
    let byTarget = Dictionary(grouping: all) { $0.target }
    var repairs: [Repair] = []
    var conflicts: [Diagnostic] = []
    for repair in all where !repairs.contains(where: { $0.target == repair.target }) {
      let values = Set(byTarget[repair.target]?.map(\.value) ?? [])
      if values.count == 1 {
        repairs.append(repair)
      } else {
        let place = SourcePlace(file: scenario.scenario.file, line: repair.line, column: 1)
        let texts = values.map { $0.yaml(inFlow: true) }.sorted().joined(separator: " and ")
        conflicts.append(
          Diagnostic(
            "not updated: runs of this scenario found different values: \(texts)", at: place))
      }
    }
    var seen: Set<String> = []
    return (repairs, conflicts.filter { seen.insert("\($0)").inserted })
  }

  /// Replaces the file as a whole, so that nobody ever sees half of it; links stay links.
  private static func write(_ text: String, to scenario: CheckedScenario) throws {
    let path = scenario.scenario.file.path
    let url = scenario.scenario.fileURL.resolvingSymlinksInPath()
    let manager = FileManager.default
    // A new file has the usual ones.
    let permissions = try? manager.attributesOfItem(atPath: url.path)[.posixPermissions]
    do {
      try TemporaryFiles.placing { try Data(text.utf8).write(to: url, options: .atomic) }
      if let permissions {
        try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: url.path)
      }
    } catch {
      throw Diagnostics([Diagnostic(file: path, "can't update the file: \(error.plainText)")])
    }
  }
}
