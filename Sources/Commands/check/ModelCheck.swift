/// Looks at a model's versions, and at the ways between them.
package struct ModelCheck {
  private let model: VersionedModel
  private let current: ManagedObjectModel
  private let mappings: MappingFolder
  /// Whether the app migrates version by version itself, so that no store goes in one step.
  private let isProgressive: Bool
  private let cloudKit: CloudKitRules

  /// - Parameter cloudKit: The configurations that are mirrored, beside those that the model's files mark.
  /// - Throws: `ModelFileError` when the model doesn't say which version is current; ``Diagnostics`` for a configuration
  ///   that isn't there.
  init(
    _ model: VersionedModel, mappings: MappingFolder = MappingFolder(), isProgressive: Bool = false,
    cloudKit: [String] = []
  ) throws {
    self.model = model
    self.isProgressive = isProgressive
    current = try model.requiredCurrentVersion()
    self.mappings = mappings
    self.cloudKit = try CloudKitRules(current: current, given: cloudKit)
  }

  /// - Complexity: O(*n*) inferences for *n* versions, two for each.
  package func run() -> ModelCheckReport {
    let versions = model.versions
    let neighbours = zip(versions, versions.dropFirst()).map { ($0, $1) }
    let ways = neighbours + versions.filter { $0 !== current }.map { ($0, current) }
    let checked = checkedSteps(ways, directFrom: neighbours.count)
    let (steps, direct) = (
      Array(checked.prefix(neighbours.count)), Array(checked.dropFirst(neighbours.count))
    )
    let situations = steps.mapOnAllCores { StepSituation($0) }
    var report = ModelCheckReport(
      model: model, mappings: mappings, current: current.shownName, steps: steps,
      direct: isProgressive ? [] : direct)
    report.isProgressive = isProgressive
    let mappingRules = MappingRules(
      model: model, mappings: mappings, steps: steps, direct: direct)
    let (ofModels, ofMappings) = meanwhile(
      { [model, current, isProgressive] in
        (
          ModelRules.findings(in: model, current: current)
            + situations.mapOnAllCores { StepRules.findings(in: $0) }.flatMap(\.self)
            + (isProgressive ? [] : Self.directFindings(in: situations, over: direct, to: current)),
          VersionRules.findings(in: versions)
        )
      }, { mappingRules.findings })
    report.findings = ofModels.0 + ofMappings + ofModels.1 + cloudKit.findings
    return report
  }

  /// Mapping models are for one thread. Most ways have none, and inferring one is what takes time.
  private func checkedSteps(
    _ ways: [(source: ManagedObjectModel, destination: ManagedObjectModel)], directFrom: Int
  ) -> [CheckedStep] {
    // All are asked for below, one after the other.
    _ = model.versions.mapOnAllCores { $0.entityVersionHashesByName }
    let steps = ways.enumerated().map { index, way in
      let isDirect = index >= directFrom
      let offered = isDirect ? mappings.candidatesAsFound : mappings.candidates
      return (
        way: way, isDirect: isDirect,
        fitting: offered.fitting(source: way.source, destination: way.destination)
      )
    }
    let without = steps.filter(\.fitting.isEmpty).map { ($0.way, $0.isDirect) }
    var inferred = without.mapOnAllCores { way, isDirect in
      CheckedStep(from: way.source, to: way.destination, fitting: [], isOpening: isDirect)
    }.makeIterator()
    return steps.map { step in
      let known = step.fitting.isEmpty ? inferred.next() : nil
      return known
        ?? CheckedStep(
          from: step.way.source, to: step.way.destination, fitting: step.fitting,
          isOpening: step.isDirect)
    }
  }

  private static func directFindings(
    in situations: [StepSituation], over direct: [CheckedStep], to current: ManagedObjectModel
  ) -> [CheckFinding] {
    let ahead = situations.prefix { $0.checked.source !== current }
    // From a version to the next the way is the same, unless Core Data misses the source model.
    let neighbours = Set(
      situations.filter { $0.checked.source.isPartlyVersionedMerge == false }
        .map(\.checked.versions))
    let older = Set(ahead.map(\.checked.versions.source))
    // Stores of newer versions don't exist yet.
    let leaps = direct.filter {
      older.contains($0.versions.source) && !neighbours.contains($0.versions)
    }
    return DirectPathRule(leaps: leaps).findings
      + SkippedMappingRule(steps: ahead.map(\.checked), leaps: leaps).findings
      + LostInOneStepRule(steps: Array(ahead), leaps: leaps).findings
  }
}
