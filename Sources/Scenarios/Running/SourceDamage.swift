/// What is wrong with the store that a scenario was given.
///
/// What a migration makes of a damaged store isn't determined by Core Data's rules: SQL copies a column
/// as it is, and objects set one side of a relationship after the other. So a difference between the
/// backends is told with the damage that it may come from.
struct SourceDamage {
  private static let mostFindings = 3

  /// Notes for a difference; none where the seed is the scenario's own or the store is sound.
  static func notes(on scenario: CheckedScenario, start: String) -> [String] {
    guard case .store(let path) = scenario.seed(for: start)?.content else { return [] }
    let errors: [IntegrityFinding]
    do { errors = try findings(in: path, of: scenario, start, rowLimit: 0) } catch {
      return ["the store '\(path.value)' can't be inspected: \(error.plainText)"]
    }
    var notes = errors.prefix(mostFindings).map { finding in
      "the store '\(path.value)' is damaged: \(finding.text)"
    }
    if errors.count > mostFindings {
      notes.append("and \(errors.count - mostFindings) more; see heavyweight inspect")
    }
    return notes
  }

  /// What is wrong with the store at a path.
  static func findings(
    in path: Located<String>, of scenario: CheckedScenario, _ start: String, rowLimit: Int
  ) throws -> [IntegrityFinding] {
    let inspector = try StoreInspector(of: scenario.scenario.folder.resolving(path.value))
    return try inspector.inspect(with: try scenario.model(start), rowLimit: rowLimit).findings
      .filter(\.isDamage)
  }
}
