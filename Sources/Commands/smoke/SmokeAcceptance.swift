// What somebody accepted is no finding of a smoke test: an entry of the silence file for it, or for what `check` finds
// and this is the consequence of.

extension SmokeReport {
  /// Puts what was accepted aside.
  mutating func settle(_ files: SmokeFiles, by silencings: [Silencing]) {
    var check = files.check
    check.settle(with: silencings)
    for finding in findings {
      let own = silencings.first { $0.applies(to: finding) }?.reason
      let cause = check.silenced.first { finding.isConsequence(of: $0.finding) }?.reason
      if let reason = own ?? cause { accepted.append((finding, reason)) }
    }
    let keys = Set(accepted.map(\.finding.key))
    findings.removeAll { keys.contains($0.key) }
    if !isComplete { return }
    remarks += silencings.filter { entry in
      entry.isOfSmokeAlone && !accepted.contains { entry.applies(to: $0.finding) }
    }.map { "note: \($0.shownPlace): silences nothing: \($0.what)" }
  }
}

extension Silencing {
  fileprivate func applies(to finding: SmokeFinding) -> Bool {
    let file = file.map { URL(fileURLWithPath: $0).baseName }
    return rule == finding.kind.rawValue && version == nil && fits(step, finding.step)
      && fits(entity, finding.entity) && fits(property, finding.property)
      && fits(file, finding.mapping) && fits(mapping, finding.mapping)
  }

  /// Whether neither `check` nor `lock` has the rule.
  fileprivate var isOfSmokeAlone: Bool {
    SmokeFinding.Kind(rawValue: rule) != nil && CheckRule(rawValue: rule) == nil
      && LockFinding.Kind(rawValue: rule) == nil
  }
}

extension SmokeFinding {
  /// Whether a migration shows what `check` foresaw for the same element in the same step.
  fileprivate func isConsequence(of finding: CheckFinding) -> Bool {
    let subject = finding.subject
    guard subject.step?.description == step else { return false }
    // Whatever takes the step all the same may fail for reasons of its own.
    if [.stepImpossible, .severalMappings].contains(finding.rule) {
      let isTheSame = errorCode != nil && errorCode == finding.code
      return isTheSame || [.stepImpossible, .severalMappings].contains(kind)
    }
    return kind.causes.contains(finding.rule) && subject.entity == entity
      && (subject.property == nil || subject.property == property)
  }
}

extension SmokeFinding.Kind {
  /// What of an element `check` foresees that shows like this.
  fileprivate var causes: [CheckRule] {
    switch self {
    case .migrationFails:
      [
        .requiredWithoutDefault, .nowRequired, .constraintAdded, .minimumAdded, .narrowedType,
        .madeAbstract, .mappingValueImpossible,
      ]
    case .duplicateKey: [.constraintAdded]
    case .unknownOnDevice: InferenceDoubt.Kind.allCases.map { CheckRule($0) } + [.narrowedType]
    case .valueLost: [.narrowedType, .transformerChanged, .lostIdentifier, .possibleRename]
    case .linksLost: [.destinationChanged, .manyToOne]
    case .orderNotKept: [.orderLost]
    case .rowsDropped, .nilRowsDropped: [.mappingLeavesOutEntity]
    default: []
    }
  }
}

extension BaselineEntry {
  init(_ finding: SmokeFinding, _ mappings: MappingFolder) {
    rule = finding.kind.rawValue
    entity = finding.entity
    property = finding.property
    switch finding.kind {
    case .mappingFitsNoStep, .mappingOutdated:
      // `check` names the file, and no step.
      file = mappings.mappings.first { $0.name == finding.mapping }?.file.url.lastPathComponent
    default:
      step = finding.step
      // `check` doesn't know it.
      if CheckRule(rawValue: rule) == nil { mapping = finding.mapping }
    }
  }
}
