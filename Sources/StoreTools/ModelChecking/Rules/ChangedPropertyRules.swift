/// Numbers that may not fit their new type.
struct NarrowedTypeRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.pairs.flatMap(\.properties).compactMap { old, new -> CheckFinding? in
      guard let old = old as? AttributeDescription, let new = new as? AttributeDescription,
        Self.loses(old.attributeType, new.attributeType)
      else { return nil }
      return CheckFinding(
        .narrowedType, situation.subject(new.entity, new),
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

/// Ordered relationships that lose their order.
struct OrderRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.pairs.flatMap(\.properties).compactMap { old, new -> CheckFinding? in
      guard let old = old as? RelationshipDescription, let new = new as? RelationshipDescription,
        old.isOrdered && !new.isOrdered
      else { return nil }
      return CheckFinding(
        .orderLost, situation.subject(new.entity, new),
        "was ordered and no longer is: the order is lost without an error")
    }.uniqued()
  }
}

/// Entity hierarchies that come together in a way that nobody has seen a device infer.
struct JoinedTablesRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    let (source, destination) = (situation.checked.source, situation.checked.destination)
    return JoinedTables.inferred(from: source, to: destination).map { joined in
      CheckFinding(
        .joinedTables, situation.subject(destination.entity(named: joined.root)),
        "\(joined): what a device does here isn't known; it may fail with 134190",
        advice: "Write a mapping model for this step, or try the step on a device.")
    }
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
        .deleteRuleChanged, situation.subject(new.entity, new),
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
