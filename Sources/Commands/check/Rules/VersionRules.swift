/// The rules about single versions. A released version can't be changed, so what versions in a row
/// have in common is said once.
enum VersionRules {
  static func findings(in versions: [ManagedObjectModel]) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    var open: [LintFinding: Int] = [:]
    let lints = versions.mapOnAllCores { version in
      rules.flatMap { $0.findings(in: version) }.uniqued()
    }
    for (version, own) in zip(versions, lints) {
      var stillOpen: [LintFinding: Int] = [:]
      for lint in own {
        if let index = open[lint] {
          findings[index].subject.lastVersion = version.shownName
          stillOpen[lint] = index
        } else {
          stillOpen[lint] = findings.count
          findings.append(lint.finding(in: version))
        }
      }
      open = stillOpen
    }
    return findings
  }

  private static let rules: [any VersionRule] = [
    InverseRule(), NoActionRule(), AttributeTypeRule(), DefaultValueRule(), UnknownNameRule(),
    UnkeptConstraintRule(), MandatoryInverseRule(), FormatRule(), DerivationRule(), CaseRule(),
    EntityNameRule(), ReservedNameRule(),
  ]
}

/// One rule about a version.
protocol VersionRule: Sendable {
  func findings(in version: ManagedObjectModel) -> [LintFinding]
}

/// A finding that may hold in many versions.
struct LintFinding: Hashable, Sendable {
  let rule: CheckRule
  let entity: String?
  let property: String?
  let message: String
  let advice: String?

  init(
    _ rule: CheckRule, entity: String?, property: String?, _ message: String, advice: String? = nil
  ) {
    self.rule = rule
    self.entity = entity
    self.property = property
    self.message = message
    self.advice = advice
  }

  func finding(in version: ManagedObjectModel) -> CheckFinding {
    CheckFinding(
      rule,
      about: CheckFinding.Subject(version: version.shownName, entity: entity, property: property),
      message, advice: advice)
  }
}

extension LintFinding {
  init(
    _ rule: CheckRule, of property: PropertyDescription, _ message: String, advice: String? = nil
  ) {
    self.init(rule, entity: property.entity.name, property: property.name, message, advice: advice)
  }
}

// MARK: - Relationships

/// Relationships without inverse, and inverses that don't lead back.
struct InverseRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.ownRelationships.filter { !$0.isTransient }.compactMap { relationship in
      guard let inverse = relationship.inverseRelationship else { return missing(relationship) }
      if inverse.inverseRelationship === relationship { return nil }
      let back = inverse.inverseRelationship.map { "to '\($0.name)'" } ?? "nowhere"
      return LintFinding(
        .oneSidedInverse, of: relationship,
        "has the inverse \(inverse.entity.name).\(inverse.name), which leads back \(back)",
        advice: "Make them each other's inverse.")
    }
  }

  private func missing(_ relationship: RelationshipDescription) -> LintFinding {
    LintFinding(
      .missingInverse, of: relationship,
      "has no inverse: a deleted \(relationship.destinationEntityName) leaves a dangling reference",
      advice: "Add an inverse relationship to \(relationship.destinationEntityName).")
  }
}

struct NoActionRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.ownRelationships.filter { $0.deleteRule == .noAction && !$0.isTransient }.map {
      LintFinding(
        .noActionDeleteRule, of: $0,
        "has the delete rule No Action: deleting leaves references to objects that are gone",
        advice: "Choose Nullify, Cascade or Deny.")
    }
  }
}

// MARK: - Attributes

struct AttributeTypeRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.ownAttributes.filter { !$0.isTransient }.compactMap { attribute in
      switch attribute.attributeType {
      case .undefined where !attribute.isDerived:
        LintFinding(
          .undefinedType, of: attribute, "has no type, and so no column", advice: "Set a type.")
      case .transformable where Self.isInsecure(attribute.valueTransformerName):
        LintFinding(
          .insecureTransformer, of: attribute, "is archived without secure coding",
          advice: "Use NSSecureUnarchiveFromData, or a subclass of it.")
      default: nil
      }
    }
  }

  /// No name means `NSKeyedUnarchiveFromData`.
  private static func isInsecure(_ transformer: String?) -> Bool {
    guard let transformer else { return true }
    return ["NSUnarchiveFromData", "NSKeyedUnarchiveFromData"].contains {
      transformer == $0 || transformer == $0 + "TransformerName"
    }
  }
}

/// Names that have one table or column, since SQLite doesn't tell cases apart.
struct CaseRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    tables(in: version) + columns(in: version)
  }

  private func tables(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.rootsOfOneTable.map { names in
      LintFinding(
        .entitiesDifferInCase, entity: names[0], property: nil,
        "differs only in case from \(names.dropFirst().joined(separator: ", ")): "
          + "they would have one table, so no SQLite store can be made",
        advice: "Give one of them another name.")
    }
  }

  private func columns(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.flatMap { entity -> [LintFinding] in
      let byColumn = Dictionary(grouping: entity.properties.map(\.name)) { $0.uppercased() }
      let own = Set(entity.ownProperties.map(\.name))
      return byColumn.values.filter { $0.count > 1 && $0.contains(where: own.contains) }
        .map { $0.sorted() }.sorted { $0[0] < $1[0] }
        .map { names in
          LintFinding(
            .namesDifferInCase, entity: entity.name, property: names[0],
            "differs only in case from \(names.dropFirst().joined(separator: ", ")): "
              + "the column gets another name")
        }
    }
  }
}
