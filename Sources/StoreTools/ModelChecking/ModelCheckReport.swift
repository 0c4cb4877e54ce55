/// What `heavyweight check` found in a model.
package struct ModelCheckReport {
  package let model: VersionedModel
  /// The name of the current version.
  package let current: String
  /// From each version to the next.
  package let hops: [CheckedHop]
  /// From each version to the current one.
  package let direct: [CheckedHop]
  /// By severity, then in the order of the versions.
  package var findings: [CheckFinding] = []
  /// What a silence file keeps from counting, with the reason given there.
  package var silenced: [(finding: CheckFinding, reason: String)] = []
  /// Whether warnings fail, too, and data that goes with what is removed.
  package var isStrict = false

  init(model: VersionedModel, current: String, hops: [CheckedHop], direct: [CheckedHop]) {
    self.model = model
    self.current = current
    self.hops = hops
    self.direct = direct
  }

  package func count(of severity: FindingSeverity) -> Int {
    findings.count { $0.severity == severity }
  }

  package var exitStatus: ExitStatus {
    failingFindings.isEmpty ? .passed : .failed
  }

  /// The findings for which the check fails.
  var failingFindings: [CheckFinding] {
    findings.filter { $0.severity == .error || isStrict && $0.rule.failsIfStrict }
  }

  /// Versions that Core Data can't tell from a version, by name.
  func versionsEqual(to version: ManagedObjectModel) -> [String] {
    model.versions.filter {
      $0 !== version && $0.entityVersionHashesByName == version.entityVersionHashesByName
    }.map(\.shownName)
  }

  /// Applies silencings, and puts the findings in order.
  mutating func settle(with silencings: [Silencing]) {
    var used = Set<Int>()
    var kept: [CheckFinding] = []
    for finding in findings {
      if let index = silencings.firstIndex(where: { $0.applies(to: finding) }) {
        used.insert(index)
        silenced.append((finding, silencings[index].reason))
      } else {
        kept.append(finding)
      }
    }
    kept += silencings.indices.filter { !used.contains($0) && silencings[$0].isOfCheck }
      .map { silencings[$0].unusedFinding }
    findings = FindingSeverity.allCases.flatMap { severity in
      kept.filter { $0.severity == severity }
    }
  }
}
