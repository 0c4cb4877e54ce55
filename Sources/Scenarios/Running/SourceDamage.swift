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
    let url = scenario.scenario.folder.resolving(path.value)
    let findings: [IntegrityFinding]
    do {
      let inspector = try StoreInspector(of: url)
      findings = try inspector.inspect(with: scenario.model(start), rowLimit: 0).findings
    } catch {
      return ["the store '\(path.value)' can't be inspected: \(error.plainText)"]
    }
    let errors = findings.filter(\.isDamage)
    var notes = errors.prefix(mostFindings).map { finding in
      "the store '\(path.value)' is damaged: \(finding.text)"
    }
    if errors.count > mostFindings {
      notes.append("and \(errors.count - mostFindings) more; see heavyweight inspect")
    }
    return notes
  }
}
