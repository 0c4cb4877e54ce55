/// Numbers that may not fit their new type.
struct NarrowedTypeRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.findings(
      .narrowedType, advice: "Make sure that all values fit, or convert them in a mapping model."
    ) { (old: AttributeDescription, new) in
      guard Self.loses(old.attributeType, new.attributeType) else { return nil }
      return
        "was \(old.attributeType.name) and is \(new.attributeType.name): values that don't fit "
        + "are changed without an error"
    }
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
    situation.findings(
      .boundsNarrowed, advice: "Make sure that all rows keep to it, or mend the others in a policy."
    ) { (old: PropertyDescription, new) in
      let (before, after) = (ModelFeature.values(of: old), ModelFeature.values(of: new))
      if before[.kind] != after[.kind] { return nil }
      // A text's bounds are those of its length.
      let isText = [before, after].map { $0[.type] == AttributeType.string.name }
      var features: [ModelFeature] = isText[0] == isText[1] ? [.minimum, .maximum, .pattern] : []
      if Self.hasOther(old, new) { features.append(.condition) }
      let isToMany = (new as? RelationshipDescription)?.isToMany == true
      // Of a required one `minimum-added` says it.
      if isToMany, new.isOptional || !situation.isLightweight { features.append(.minimumCount) }
      if isToMany { features.append(.maximumCount) }
      let narrowed = features.filter { Self.narrows($0, before[$0], after[$0]) }.map {
        "\($0.rawValue) was \(before[$0] ?? "none") and is \(after[$0] ?? "none")"
      }
      return narrowed.isEmpty
        ? nil
        : "\(narrowed.joined(separator: ", ")): objects that don't keep to it can't be saved any more, "
          + "and fail a step with a mapping model"
    }
  }

  /// Whether there is a condition that the version before didn't have.
  private static func hasOther(_ old: PropertyDescription, _ new: PropertyDescription) -> Bool {
    let conditions = [old, new].map { property in
      Set(((property as? AttributeDescription)?.validationConditions ?? []).map(\.predicateFormat))
    }
    return !conditions[1].isSubset(of: conditions[0])
  }

  private static func narrows(_ feature: ModelFeature, _ old: String?, _ new: String?) -> Bool {
    guard let new, new != old else { return false }
    guard let old, ![.pattern, .condition].contains(feature) else { return true }
    let isLeast = [.minimum, .minimumCount].contains(feature)
    let (low, high) = isLeast ? (old, new) : (new, old)
    let numbers = [low, high].map { Double($0) == nil ? nil : Decimal(string: $0) }
    if let low = numbers[0], let high = numbers[1] { return low < high }
    // Dates are written so that their texts have their order, and compare with no number.
    return numbers == [nil, nil] && low < high
  }
}

/// Transformable attributes whose values another transformer has to read.
struct TransformerRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    situation.findings(
      .transformerChanged,
      advice: "Play the step with values as the app writes them, or write them anew in a policy."
    ) { (old: AttributeDescription, new) in
      guard old.attributeType == .transformable, new.attributeType == .transformable,
        old.storedTransformerName != new.storedTransformerName
      else { return nil }
      return
        "was written by \(old.storedTransformerName) and is read by \(new.storedTransformerName): values that "
        + "this can't read, such as objects of other classes than it allows, become unreadable"
    }
  }
}

/// Ordered relationships that lose their order.
struct OrderRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.findings(.orderLost) { (old: RelationshipDescription, new) in
      old.isOrdered && !new.isOrdered
        ? "was ordered and no longer is: the order is lost without an error" : nil
    }
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
    situation.findings(.deleteRuleChanged) { (old: RelationshipDescription, new) in
      old.deleteRule == new.deleteRule
        ? nil : "delete rule was \(old.deleteRule.name) and is \(new.deleteRule.name)"
    }
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
