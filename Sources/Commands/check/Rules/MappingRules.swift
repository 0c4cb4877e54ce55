/// The rules about mapping models.
struct MappingRules {
  let model: VersionedModel
  let mappings: MappingFolder
  /// From each version to the next.
  let steps: [CheckedStep]
  /// From each version to the current one.
  let direct: [CheckedStep]

  var findings: [CheckFinding] {
    mappings.mappings.flatMap(placeFindings) + steps.flatMap(stepFindings)
      + mappings.mappings.compactMap(emptyMappings) + mappings.unreadable.map(unreadable)
      + DroppedPolicyRule(model: model, mappings: mappings).findings
      + mappings.mappings.filter { mappings.elsewhere.contains($0.file.url) }.map {
        finding(
          .mappingElsewhere, about: $0,
          "lies elsewhere in the repository, and is taken for a step that it fits",
          advice: "Make sure that it is in the app's target: \(RelativePath.shown($0.file.url))")
      }
  }

  // MARK: What was passed over

  private func emptyMappings(_ mapping: PlacedMapping) -> CheckFinding? {
    guard case .source(let file) = mapping.file, file.emptyMappingCount > 0 else { return nil }
    let mappings = file.emptyMappingCount.counted("entity mapping")
    return finding(
      .passedOver, about: mapping, "\(mappings) without source and destination: ignored")
  }

  /// What becomes of the step without it.
  private func unreadable(_ file: MappingFolder.UnreadableFile) -> CheckFinding {
    let step = steps.first { file.versions(of: model)?.description == $0.versions.description }
    let effect =
      step.map { "\($0.versions) is taken to be \($0.verdict.name) without it" }
      ?? "the step that it is for is judged without it"
    return CheckFinding(
      .mappingUnreadable, about: CheckFinding.Subject(step: step?.versions),
      "\(file.error.note): passed over; \(effect)")
  }

  // MARK: Single files

  private func placeFindings(_ mapping: PlacedMapping) -> [CheckFinding] {
    switch mapping.place {
    case .elsewhere(let reason), .ofOtherModel(let reason):
      return [finding(.mappingFitsNoStep, about: mapping, "fits no step: \(reason)")]
    case .outdated(let source, let destination, let error):
      return [
        finding(
          .mappingOutdated, about: mapping, step: VersionPair(source, destination),
          "no longer fits: \(error.reason)",
          advice: "Refresh the mapping model in Xcode; until then Core Data ignores it.")
      ]
    case .versions(let source, let destination, let model):
      return strayFits(mapping, model, of: VersionPair(source, destination))
        + inferable(mapping, with: model, from: source, to: destination)
        + MappingCopyRule(mapping: mapping, source: source, destination: destination).findings
        + MappingValueRule(
          mapping: mapping, model: model, source: source, destination: destination
        ).findings
    case .byHashes(let model): return compiledFindings(mapping, model)
    }
  }

  private func compiledFindings(
    _ mapping: PlacedMapping, _ model: MappingModel
  ) -> [CheckFinding] {
    let fitting = allSteps.filter {
      model.fits(source: $0.source, destination: $0.destination)
    }
    guard let first = fitting.first else { return [noFit(mapping, model)] }
    return strayFits(mapping, model, of: first.versions)
      + inferable(mapping, with: model, from: first.source, to: first.destination)
      + MappingValueRule(
        mapping: mapping, model: model, source: first.source, destination: first.destination
      ).findings
  }

  /// Names the step that comes nearest, and what keeps the mapping from it.
  private func noFit(_ mapping: PlacedMapping, _ model: MappingModel) -> CheckFinding {
    let misfits = allSteps.map { checked in
      (checked.versions, model.misfits(source: checked.source, destination: checked.destination))
    }
    let nearest = misfits.min { $0.1.count < $1.1.count }
    let reason = nearest.map { step, misfits in
      "; nearest is \(step), where " + misfits.prefix(3).map(\.description).joined(separator: ", ")
    }
    return finding(
      .mappingFitsNoStep, about: mapping, "fits no step" + (reason ?? ""),
      advice:
        "Core Data ignores it, and never calls its policies. Rebuild it after the last change.")
  }

  /// Core Data asks for hashes, not for names: a mapping that mentions few entities may serve where
  /// nobody meant it to.
  private func strayFits(
    _ mapping: PlacedMapping, _ model: MappingModel, of step: VersionPair
  ) -> [CheckFinding] {
    let others = allSteps.filter {
      $0.versions != step && model.fits(source: $0.source, destination: $0.destination)
    }
    if others.isEmpty { return [] }
    let names = others.map(\.versions.description).listed(most: 3)
    return [
      finding(
        .mappingFitsSeveral, about: mapping, step: step,
        "fits \(names) as well: Core Data would use it there",
        advice: "Make sure this is intended; a mapping model fits wherever its own entities do.")
    ]
  }

  private func inferable(
    _ mapping: PlacedMapping, with model: MappingModel, from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [CheckFinding] {
    guard model.couldBeInferred(from: source, to: destination) else { return [] }
    return [
      finding(
        .mappingInferable, about: mapping, step: VersionPair(source, destination),
        "this mapping model does nothing that an inferred one wouldn't")
    ]
  }

  /// Both kinds of steps, each once.
  private var allSteps: [CheckedStep] {
    let neighbours = Set(steps.map(\.versions))
    return (steps + direct.filter { !neighbours.contains($0.versions) })
      .filter { $0.verdict.name != "unchanged" }
  }

  // MARK: Single steps

  private func stepFindings(_ checked: CheckedStep) -> [CheckFinding] {
    let names = checked.verdict.mappingNames
    if names.isEmpty { return [] }
    let models = mappings.candidates.filter { names.contains($0.name) }.map(\.model)
    return several(names, checked) + alike(names, checked) + leftOut(models, checked)
  }

  /// Those made for the step that do what one that runs does.
  private func alike(_ names: [String], _ checked: CheckedStep) -> [CheckFinding] {
    let others = mappings.mappings.filter { mapping in
      guard let named = mapping.namedVersions, mapping.candidate != nil else { return false }
      return named.source === checked.source && named.destination === checked.destination
        && !names.contains(mapping.name)
    }
    return others.map {
      finding(
        .mappingTwice, about: $0, step: checked.versions,
        "does the same as \(names.joined(separator: ", ")): whichever Core Data takes, the result is the same",
        advice: "Remove one of them.")
    }
  }

  private func several(_ names: [String], _ checked: CheckedStep) -> [CheckFinding] {
    if names.count < 2 { return [] }
    let reasons = mappings.needs.filter { names.contains($0.later) && names.contains($0.earlier) }
    return [
      CheckFinding(
        .severalMappings, about: CheckFinding.Subject(step: checked.versions),
        "\(names.joined(separator: ", ")) fit: by itself, Core Data uses only one of them"
          + reasons.map { "; \($0)" }.joined(),
        advice:
          "Merge them into one mapping model, unless the app runs them one by one, in this order.")
    ]
  }

  private func leftOut(_ models: [MappingModel], _ checked: CheckedStep) -> [CheckFinding] {
    let mappings = models.flatMap { $0.entityMappings ?? [] }
    let sources = Set(mappings.compactMap(\.sourceEntityName))
    return StepSituation(checked).pairs.map(\.source)
      .filter { !$0.isAbstract && !sources.contains($0.name) }
      .map { entity in
        CheckFinding(
          .mappingLeavesOutEntity,
          about: CheckFinding.Subject(step: checked.versions, entity: entity.name),
          "is in no entity mapping of this step: its objects are lost without an error",
          advice: "Add an entity mapping for it.")
      }
  }

  private func finding(
    _ rule: CheckRule, about mapping: PlacedMapping, step: VersionPair? = nil, _ message: String,
    advice: String? = nil
  ) -> CheckFinding {
    CheckFinding(
      rule, about: CheckFinding.Subject(step: step, file: mapping.file.url.lastPathComponent),
      message, advice: advice)
  }
}
