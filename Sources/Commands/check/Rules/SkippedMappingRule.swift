/// Versions from which Core Data infers its way to the current one, though there are mapping models
/// for the way version by version.
struct SkippedMappingRule {
  /// From each version to the next.
  let steps: [CheckedStep]
  /// The steps to the current version that aren't from one version to the next.
  let leaps: [CheckedStep]

  /// One finding for all of them: the first version has all the mapping models ahead that the others have.
  var findings: [CheckFinding] {
    let skipping = leaps.filter {
      $0.verdict.isLightweight && !mappings(from: $0.versions.source).isEmpty
    }
    guard let first = skipping.first, let last = skipping.last else { return [] }
    var finding = Self.finding(first, mappings(from: first.versions.source))
    if skipping.count > 1 { finding.subject.lastVersion = last.versions.source }
    return [finding]
  }

  private static let mostNamed = 3

  /// The mapping models on the way version by version.
  private func mappings(from version: String) -> [String] {
    steps.drop { $0.versions.source != version }.flatMap(\.verdict.mappingNames)
  }

  private static func finding(_ leap: CheckedStep, _ skipped: [String]) -> CheckFinding {
    CheckFinding(
      .directSkipsMapping, about: CheckFinding.Subject(version: leap.versions.source),
      "the way to \(leap.versions.destination) in one step is inferred: "
        + "\(skipped.listed(most: mostNamed)) \(skipped.count == 1 ? "doesn't" : "don't") run",
      advice:
        "Migrate version by version; opening the store migrates in one step. If the app already does so, "
        + "use --progressive.")
  }
}
