/// What `heavyweight check` found in a model.
package struct ModelCheckReport: CommandReport {
  package let model: VersionedModel
  let mappings: MappingFolder
  /// The name of the current version.
  package let current: String
  /// From each version to the next.
  var steps: [CheckedStep]
  /// From each version to the current one; empty for an app that migrates version by version.
  var direct: [CheckedStep]
  /// The version that the report begins with; nil for the first.
  package private(set) var since: String?
  /// Whether the app migrates version by version itself.
  package var isProgressive = false
  /// By severity, then in the order of the versions.
  package var findings: [CheckFinding] = []
  /// What a silence file keeps from counting, with the reason given there.
  package var silenced: [(finding: CheckFinding, reason: String)] = []
  /// Whether warnings fail, too, and data that goes with what is removed.
  package var isStrict = false

  /// Where findings are in the files, which are read for it.
  package var places: FindingPlaces { FindingPlaces(model, mappings) }

  /// Whether there is no mapping model at all, and a step seems to need one: it may be somewhere else.
  var lacksMappings: Bool {
    mappings.mappings.isEmpty && mappings.unreadable.isEmpty
      && findings.contains { [.stepImpossible, .requiredWithoutDefault].contains($0.rule) }
  }

  /// The model's file, or the stores that are its versions.
  var modelName: String {
    let isFile = model.isMerged || model.name == model.url.baseName
    return isFile ? model.url.lastPathComponent : model.name
  }

  package func count(of severity: FindingSeverity) -> Int {
    findings.count { $0.severity == severity }
  }

  package var exitStatus: ExitStatus {
    failingFindings.isEmpty ? .passed : .failed
  }

  /// The findings for which the check fails.
  var failingFindings: [CheckFinding] {
    findings.filter(isFailing)
  }

  func isFailing(_ finding: CheckFinding) -> Bool {
    finding.severity == .error || isStrict && finding.rule.failsIfStrict
  }

  /// Versions that Core Data can't tell from a version, by name.
  func versionsEqual(to version: ManagedObjectModel) -> [String] {
    model.versions.filter {
      $0 !== version && $0.entityVersionHashesByName == version.entityVersionHashesByName
    }.map(\.shownName)
  }

  /// The versions that the report is about.
  var versions: [ManagedObjectModel] {
    Array(model.versions.drop { since != nil && $0.shownName != since })
  }

  /// Leaves out what is about older versions alone: those steps are behind every store that matters.
  mutating func narrow(toVersionsSince version: String) {
    since = version
    let names = Set(versions.map(\.shownName))
    steps.removeAll { !names.contains($0.versions.source) }
    direct.removeAll { !names.contains($0.versions.source) }
    findings.removeAll { !$0.subject.isAbout(names) }
    silenced.removeAll { !$0.finding.subject.isAbout(names) }
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
    kept += silencings.indices.filter { !used.contains($0) && isLookedFor(silencings[$0]) }
      .map { silencings[$0].unusedFinding }
    findings = FindingSeverity.allCases.flatMap { severity in
      kept.filter { $0.severity == severity }
    }
  }
}

extension ModelCheckReport {
  /// Whether this check could have found what is silenced: an entry about other things isn't unused.
  private func isLookedFor(_ silencing: Silencing) -> Bool {
    silencing.isOfCheck
      && !(isProgressive && CheckRule(rawValue: silencing.rule)?.isAboutOneStep == true)
  }
}

extension CheckFinding.Subject {
  /// Whether it is about one of some versions, or about none at all.
  fileprivate func isAbout(_ names: Set<String>) -> Bool {
    if let step { return names.contains(step.source) }
    let named = [version, lastVersion].compactMap(\.self)
    return named.isEmpty || named.contains(where: names.contains)
  }
}

extension VersionedModel {
  /// - Throws: ``Diagnostics`` where there is no such version.
  @discardableResult
  func requireVersion(_ name: String, of option: String) throws -> ManagedObjectModel {
    if let version = version(named: name) { return version }
    let hint = Spelling.hint(for: name, among: versions.map(\.shownName), called: "versions")
    throw Diagnostics(file: option, "there is no version '\(name)'\(hint)")
  }
}
