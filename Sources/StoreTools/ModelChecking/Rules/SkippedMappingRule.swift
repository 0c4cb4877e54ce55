/// Versions from which Core Data infers its way to the current one, though there are mapping models
/// for the way version by version.
struct SkippedMappingRule {
  /// From each version to the next.
  let hops: [CheckedHop]
  /// The hops to the current version that aren't from one version to the next.
  let leaps: [CheckedHop]

  /// One finding for versions in a row with the same mapping models ahead.
  var findings: [CheckFinding] {
    var findings: [CheckFinding] = []
    var last: [String] = []
    for leap in leaps {
      let skipped = leap.verdict.isLightweight ? mappings(from: leap.hop.source) : []
      if skipped == last, !skipped.isEmpty, let index = findings.indices.last {
        findings[index].subject.lastVersion = leap.hop.source
      } else if !skipped.isEmpty {
        findings.append(Self.finding(leap, skipped))
      }
      last = skipped
    }
    return findings
  }

  /// The mapping models on the way version by version.
  private func mappings(from version: String) -> [String] {
    hops.drop { $0.hop.source != version }.flatMap(\.verdict.mappingNames)
  }

  private static func finding(_ leap: CheckedHop, _ skipped: [String]) -> CheckFinding {
    CheckFinding(
      .directSkipsMapping, CheckFinding.Subject(version: leap.hop.source),
      "the way to \(leap.hop.destination) in one step is inferred: "
        + "\(skipped.joined(separator: ", ")) \(skipped.count == 1 ? "doesn't" : "don't") run",
      advice: "Migrate version by version; opening the store migrates in one step.")
  }
}
