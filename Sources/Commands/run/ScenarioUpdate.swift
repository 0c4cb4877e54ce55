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
    throw Diagnostics(
      file: "--update",
      "nothing is updated where the environment variable CI is set; update on your machine, look "
        + "at the change, and commit it")
  }

  /// Updates the files of all scenarios that failed for outdated values.
  /// - Throws: ``Diagnostics`` for a file that can't be written; others stay updated.
  static func run(_ report: SuiteReport, of scenarios: [CheckedScenario]) throws -> Outcome {
    var outcome = Outcome()
    var done: Set<String> = []
    for scenario in scenarios where done.insert(scenario.scenario.file.path).inserted {
      let file = scenario.scenario.file
      let ofFile = scenarios.filter { $0.scenario.file.path == file.path }
      let edit = try ScenarioEdit(file)
      let (repairs, conflicts) = agreed(in: report, of: ofFile, by: edit)
      outcome.refusals += conflicts
      if repairs.isEmpty { continue }
      let edited = edit.applying(repairs)
      outcome.refusals += edited.refusals
      guard edited.text != file.text else { continue }
      try write(edited.text, to: scenario)
      outcome.changes.append(
        Change(
          path: file.path, diff: LineDiff(from: file.text, to: edited.text), count: edited.count))
    }
    return outcome
  }

  /// A repair that one scenario needs.
  private struct Wish {
    let repair: Repair
    let scenario: CheckedScenario
    /// Whether the value stands for all rows of the scenario's table.
    let isOfAllRows: Bool
  }

  /// The repairs that all runs of the scenarios of a file agree about.
  private static func agreed(
    in report: SuiteReport, of scenarios: [CheckedScenario], by edit: ScenarioEdit
  ) -> ([Repair], [Diagnostic]) {
    var refusals: [Diagnostic] = []
    var wishes: [Wish] = []
    for scenario in scenarios {
      let results = report.results.filter { $0.id.address == scenario.scenario.address }
      for repair in results.flatMap(\.failures).flatMap(\.repairs) {
        switch edit.placed(repair, of: scenario.scenario) {
        case .own(let repair):
          wishes.append(Wish(repair: repair, scenario: scenario, isOfAllRows: false))
        case .ofAllRows(let repair):
          wishes.append(Wish(repair: repair, scenario: scenario, isOfAllRows: true))
        case .refused(let refusal): refusals.append(refusal)
        }
      }
    }
    let byTarget = Dictionary(grouping: wishes) { $0.repair.target }
    var repairs: [Repair] = []
    for wish in wishes where !repairs.contains(where: { $0.target == wish.repair.target }) {
      let same = byTarget[wish.repair.target] ?? []
      if let reason = reasonAgainst(same, scenarios) {
        let place = SourcePlace(
          file: wish.scenario.scenario.file, line: wish.repair.line, column: 1)
        refusals.append(Diagnostic("not updated: \(reason)", at: place))
      } else {
        repairs.append(wish.repair)
      }
    }
    var seen: Set<String> = []
    return (repairs, refusals.filter { seen.insert("\($0)").inserted })
  }

  /// Why a value can't be what some runs found; nil when it can.
  private static func reasonAgainst(
    _ wishes: [Wish], _ scenarios: [CheckedScenario]
  ) -> String? {
    let values = Set(wishes.map(\.repair.value))
    if values.count > 1 {
      let texts = values.map { $0.yaml(inFlow: true) }.sorted().joined(separator: " and ")
      return wishes.contains(where: \.isOfAllRows)
        ? "it applies to all rows of 'for_each', which found different values: \(texts)"
        : "runs of this scenario found different values: \(texts)"
    }
    guard let wish = wishes.first(where: \.isOfAllRows) else { return nil }
    let document = wish.scenario.scenario.document
    let rows = Set(
      scenarios.filter { $0.scenario.document == document }.map(\.scenario.address))
    if rows == Set(wishes.map(\.scenario.scenario.address)) { return nil }
    let texts = values.map { $0.yaml(inFlow: true) }.joined()
    return "it applies to all rows of 'for_each', of which only some found \(texts)"
  }

  /// Writes what was made of the text that was read, which must still be the file's.
  private static func write(_ text: String, to scenario: CheckedScenario) throws {
    let file = scenario.scenario.file
    do {
      try file.replace(by: text, at: scenario.scenario.fileURL)
    } catch {
      throw Diagnostics(file: file.path, "can't update the file: \(error.plainText)")
    }
  }
}
