/// Properties that need a value which old rows don't have. Only columns count: a required to-many
/// relationship may be empty.
struct RequiredPropertyRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.pairs.flatMap { pair in
      added(pair, situation) + tightened(pair, situation)
    }.uniqued()
  }

  private func added(_ pair: KeptEntity, _ situation: StepSituation) -> [CheckFinding] {
    if pair.source.isAbstract { return [] }
    return pair.exchanges.flatMap(\.added).filter(\.needsValueFromSource).map { property in
      let whole = (property as? AttributeDescription)?.composite
      let row = whole.map { "row has a value for '\($0.path)'" } ?? "row exists"
      return CheckFinding(
        .requiredWithoutDefault, about: situation.subject(property.entity, property),
        "is new and required, without a default value: the migration fails as soon as one \(row)",
        advice: "Give it a default value, make it optional, or fill it in a mapping model.",
        code: CoreDataErrorCode.migration.rawValue)
    }
  }

  private func tightened(_ pair: KeptEntity, _ situation: StepSituation) -> [CheckFinding] {
    if pair.source.isAbstract { return [] }
    return pair.exchanges.flatMap(\.kept)
      .filter { $0.source.isOptional && $0.destination.needsValueFromSource }
      .map { _, property in
        CheckFinding(
          .nowRequired, about: situation.subject(property.entity, property),
          "was optional and is now required, without a default value: one row without a value fails the migration",
          advice: "Give it a default value, or fill it in a mapping model.",
          code: CoreDataErrorCode.migration.rawValue)
      }
  }
}

extension PropertyDescription {
  /// Whether a row can't do without a value that only the source may have.
  fileprivate var needsValueFromSource: Bool {
    if isOptional || isTransient { return false }
    if let relationship = self as? RelationshipDescription { return !relationship.isToMany }
    guard let attribute = self as? AttributeDescription else { return false }
    return attribute.typedDefaultValue.isNull && !attribute.isDerived
  }
}

/// Uniqueness constraints that old rows may violate.
struct ConstraintRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.pairs.flatMap { pair in
      let known = Set(pair.source.uniquenessConstraints)
      return pair.destination.uniquenessConstraints.filter { !known.contains($0) }.map { names in
        CheckFinding(
          .constraintAdded,
          about: CheckFinding.Subject(
            step: situation.checked.versions, entity: pair.destination.name,
            property: names.joined(separator: ",")),
          "must now be unique: two rows with equal values fail the migration",
          advice: "Remove duplicates before this step, or in a mapping model.",
          code: CoreDataErrorCode.migration.rawValue)
      }
    }
  }
}
