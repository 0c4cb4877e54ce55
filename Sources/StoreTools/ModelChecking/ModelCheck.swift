/// Looks at a model's versions, and at the ways between them.
package struct ModelCheck {
  private let model: VersionedModel
  private let current: ManagedObjectModel
  private let mappings: MappingFolder
  /// Whether the app migrates version by version itself, so that no store goes in one step.
  private let isProgressive: Bool

  /// - Throws: `ModelFileError` when the model doesn't say which version is current.
  init(
    _ model: VersionedModel, mappings: MappingFolder = MappingFolder(), isProgressive: Bool = false
  ) throws {
    self.model = model
    self.isProgressive = isProgressive
    current = try model.requiredCurrentVersion()
    self.mappings = mappings
  }

  /// - Complexity: O(*n*) inferences for *n* versions, two for each.
  package func run() -> ModelCheckReport {
    let versions = model.versions
    let hops = zip(versions, versions.dropFirst()).map { checkedHop($0, $1) }
    let direct = versions.filter { $0 !== current }.map { checkedHop($0, current) }
    var report = ModelCheckReport(
      model: model, mappings: mappings, current: current.shownName, hops: hops,
      direct: isProgressive ? [] : direct)
    report.isProgressive = isProgressive
    report.findings =
      ModelRules.findings(in: model, current: current)
      + hops.flatMap(HopRules.findings) + (isProgressive ? [] : directFindings(hops, direct))
      + MappingRules(mappings: mappings, hops: hops, direct: direct).findings
      + VersionRules.findings(in: versions)
    return report
  }

  private func checkedHop(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> CheckedHop {
    CheckedHop(from: source, to: destination, mappings: mappings.candidates)
  }

  private func directFindings(_ hops: [CheckedHop], _ direct: [CheckedHop]) -> [CheckFinding] {
    let ahead = hops.prefix { $0.source !== current }
    let neighbours = Set(hops.map(\.hop))
    let older = Set(ahead.map(\.hop.source))
    // Stores of newer versions don't exist yet.
    let leaps = direct.filter { older.contains($0.hop.source) && !neighbours.contains($0.hop) }
    return DirectPathRule(leaps: leaps).findings
      + SkippedMappingRule(hops: Array(ahead), leaps: leaps).findings
      + LostInOneStepRule(hops: Array(ahead), leaps: leaps).findings
  }
}
