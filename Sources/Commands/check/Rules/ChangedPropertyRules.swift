/// Numbers that may not fit their new type.
struct NarrowedTypeRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.keptWithElements.compactMap { old, new -> CheckFinding? in
      guard let old = old as? AttributeDescription, let new = new as? AttributeDescription,
        Self.loses(old.attributeType, new.attributeType)
      else { return nil }
      return CheckFinding(
        .narrowedType, about: situation.subject(new.entity, new),
        "was \(old.attributeType.name) and is \(new.attributeType.name): values that don't fit "
          + "are changed without an error",
        advice: "Make sure that all values fit, or convert them in a mapping model.")
    }.uniqued()
  }

  /// How many bits of a whole number a type holds, and whether it has fractions.
  private static func capacity(_ type: AttributeType) -> (bits: Int, hasFraction: Bool)? {
    switch type {
    case .integer16: (16, false)
    case .integer32: (32, false)
    case .integer64: (64, false)
    case .float: (24, true)
    case .double: (53, true)
    case .decimal: (126, true)
    default: nil
    }
  }

  private static func loses(_ old: AttributeType, _ new: AttributeType) -> Bool {
    guard let from = capacity(old), let to = capacity(new), old != new else { return false }
    return to.bits < from.bits || (from.hasFraction && !to.hasFraction)
  }
}

/// Values and links that were allowed, and are no more. Only a step with a mapping model validates objects.
struct BoundsRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    let isMapped = situation.checked.verdict.isMapped
    return situation.keptWithElements.compactMap { old, new -> CheckFinding? in
      let (before, after) = (ModelFeature.values(of: old), ModelFeature.values(of: new))
      // Of an inferred step there is a doubt about a minimum of what is required.
      let narrowed = Self.narrowed(from: old, to: new).filter {
        $0 != .minimumCount || isMapped || new.isOptional
      }.map {
        "\($0.rawValue) was \(before[$0] ?? "none") and is \(after[$0] ?? "none")"
      }
      if narrowed.isEmpty { return nil }
      return CheckFinding(
        .boundsNarrowed, about: situation.subject(new.entity, new),
        narrowed.joined(separator: ", ")
          + (isMapped
            ? ": an object beyond it fails the step's validation"
            : ": rows beyond it stay as they are, and such objects can't be saved any more"),
        advice: "Make sure that no row is beyond it, or mend such rows in a policy.")
    }.uniqued()
  }

  private static func narrowed(
    from old: PropertyDescription, to new: PropertyDescription
  ) -> [ModelFeature] {
    if let old = old as? AttributeDescription, let new = new as? AttributeDescription {
      let pattern = new.regularExpression
      func isNew(_ bound: Value, _ before: Value) -> Bool { before.isNull && !bound.isNull }
      let isRaised =
        isNew(new.minimum, old.minimum) || NotatedValue.areDescending(new.minimum, old.minimum)
      let isLowered =
        isNew(new.maximum, old.maximum) || NotatedValue.areDescending(old.maximum, new.maximum)
      return (isRaised ? [.minimum] : []) + (isLowered ? [.maximum] : [])
        + (pattern != nil && pattern != old.regularExpression ? [.pattern] : [])
    }
    guard let old = old as? RelationshipDescription, let new = new as? RelationshipDescription,
      old.isToMany, new.isToMany
    else { return [] }
    func most(_ relationship: RelationshipDescription) -> Int {
      relationship.maxCount > 0 ? relationship.maxCount : .max
    }
    return (new.minCount > old.minCount ? [.minimumCount] : [])
      + (most(new) < most(old) ? [.maximumCount] : [])
  }
}

/// Transformable attributes whose values another transformer has to read.
struct TransformerRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    situation.keptWithElements.compactMap { old, new -> CheckFinding? in
      guard let old = old as? AttributeDescription, let new = new as? AttributeDescription,
        old.attributeType == .transformable, new.attributeType == .transformable,
        old.storedTransformerName != new.storedTransformerName
      else { return nil }
      return CheckFinding(
        .transformerChanged, about: situation.subject(new.entity, new),
        "was written by \(old.storedTransformerName) and is read by \(new.storedTransformerName): values that this can't "
          + "read, such as objects of other classes than it allows, become unreadable",
        advice: "Play the step with values as the app writes them, or write them anew in a policy.")
    }.uniqued()
  }
}

/// Ordered relationships that lose their order.
struct OrderRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.pairs.flatMap(\.properties).compactMap { old, new -> CheckFinding? in
      guard let old = old as? RelationshipDescription, let new = new as? RelationshipDescription,
        old.isOrdered && !new.isOrdered
      else { return nil }
      return CheckFinding(
        .orderLost, about: situation.subject(new.entity, new),
        "was ordered and no longer is: the order is lost without an error")
    }.uniqued()
  }
}

/// What is inferred, and a device may do otherwise.
struct DoubtRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    let checked = situation.checked
    return InferenceDoubt.inferred(from: checked.source, to: checked.destination).map { doubt in
      CheckFinding(
        CheckRule(doubt.kind),
        about: CheckFinding.Subject(
          step: checked.versions, entity: doubt.entity, property: doubt.property),
        "\(doubt.change): what a device does here isn't known. \(doubt.doubt)", advice: doubt.advice
      )
    }
  }
}

extension CheckRule {
  /// The rule that finds a kind of doubt.
  init(_ kind: InferenceDoubt.Kind) {
    self =
      switch kind {
      case .joinedTables: .joinedTables
      case .rootRemoved: .rootRemoved
      case .destinationChanged: .destinationChanged
      case .manyToOne: .manyToOne
      case .minimumAdded: .minimumAdded
      case .identifierChanged: .identifierChanged
      case .derivationChanged: .derivationChanged
      case .madeAbstract: .madeAbstract
      case .externalStorageChanged: .externalStorageChanged
      case .elementFilled: .elementFilled
      case .inverseRemoved: .inverseRemoved
      case .rootExchanged: .rootExchanged
      case .kindChanged: .kindChanged
      }
  }
}

extension InferenceDoubt {
  /// What to do before the version is released.
  fileprivate var advice: String {
    guard kind == .identifierChanged, let identifier = before.first else {
      return "Write a mapping model for this step, or try the step on a device."
    }
    return identifier == property ?? entity
      ? "Remove the renaming identifier, or try the step on a device."
      : "Write the renaming identifier '\(identifier)', as before, or try the step on a device."
  }
}

/// Delete rules that changed. No hash says so, and no migration takes notice.
struct DeleteRuleRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    situation.pairs.flatMap(\.properties).compactMap { old, new -> CheckFinding? in
      guard let old = old as? RelationshipDescription, let new = new as? RelationshipDescription,
        old.deleteRule != new.deleteRule
      else { return nil }
      return CheckFinding(
        .deleteRuleChanged, about: situation.subject(new.entity, new),
        "delete rule was \(old.deleteRule.name) and is \(new.deleteRule.name)")
    }.uniqued()
  }
}

extension DeleteRule {
  /// The name in Xcode.
  var name: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}
