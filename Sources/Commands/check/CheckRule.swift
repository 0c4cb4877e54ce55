/// What `heavyweight check` looks for. The raw values are the identifiers in reports and in silence
/// files; they never change their meaning.
package enum CheckRule: String, CaseIterable, Sendable, Hashable, Codable {
  // Ways between versions.
  case stepImpossible = "step-impossible"
  case noDirectPath = "no-direct-path"
  case directSkipsMapping = "direct-skips-mapping"
  case lostInOneStep = "lost-in-one-step"

  // What happens to data in a lightweight step.
  case requiredWithoutDefault = "required-without-default"
  case nowRequired = "now-required"
  case constraintAdded = "constraint-added"
  case possibleRename = "possible-rename"
  case possibleEntityRename = "possible-entity-rename"
  case removedProperty = "removed-property"
  case removedEntity = "removed-entity"
  case narrowedType = "narrowed-type"
  case boundsNarrowed = "bounds-narrowed"
  case orderLost = "order-lost"
  case deleteRuleChanged = "delete-rule-changed"
  case transformerChanged = "transformer-changed"
  case lostIdentifier = "lost-identifier"
  case identifierChanged = "identifier-changed"
  case joinedTables = "joined-tables"
  case rootRemoved = "root-removed"
  case destinationChanged = "destination-changed"
  case manyToOne = "many-to-one"
  case inverseRemoved = "inverse-removed"
  case kindChanged = "kind-changed"
  case rootExchanged = "root-exchanged"
  case minimumAdded = "minimum-added"
  case derivationChanged = "derivation-changed"
  case externalStorageChanged = "external-storage-changed"
  case elementFilled = "element-filled"
  case madeAbstract = "made-abstract"
  case configurationLeft = "configuration-left"

  // Mapping models.
  case mappingOutdated = "mapping-outdated"
  case mappingFitsNoStep = "mapping-fits-no-step"
  case mappingFitsSeveral = "mapping-fits-several"
  case severalMappings = "several-mappings"
  case mappingLeavesOutEntity = "mapping-leaves-out-entity"
  case mappingInferable = "mapping-inferable"
  case mappingCopyOutdated = "mapping-copy-outdated"
  case mappingUnreadable = "mapping-unreadable"
  case mappingElsewhere = "mapping-elsewhere"
  case mappingTwice = "mapping-twice"
  case mappingValueImpossible = "mapping-value-impossible"
  case policyDropped = "policy-dropped"

  // Single versions.
  case oneSidedInverse = "one-sided-inverse"
  case missingInverse = "missing-inverse"
  case noActionDeleteRule = "no-action-delete-rule"
  case undefinedType = "undefined-type"
  case defaultOutOfRange = "default-out-of-range"
  case unknownName = "unknown-name"
  case constraintNotKept = "constraint-not-kept"
  case mandatoryInverse = "mandatory-inverse"
  case unparsablePredicate = "unparsable-predicate"
  case underivableAttribute = "underivable-attribute"
  case insecureTransformer = "insecure-transformer"
  case namesDifferInCase = "names-differ-in-case"
  case entitiesDifferInCase = "entities-differ-in-case"
  case entityNameNotAllowed = "entity-name-not-allowed"
  case reservedName = "reserved-name"

  // What CloudKit doesn't take.
  case cloudKitConstraint = "cloudkit-constraint"
  case cloudKitRequired = "cloudkit-required"
  case cloudKitInverse = "cloudkit-inverse"
  case cloudKitDeny = "cloudkit-deny"
  case cloudKitOrdered = "cloudkit-ordered"
  case cloudKitType = "cloudkit-type"
  case cloudKitConfiguration = "cloudkit-configuration"

  // The model as a whole.
  case orderContradicted = "order-contradicted"
  case orderUnknown = "order-unknown"
  case currentNotNewest = "current-not-newest"
  case currentAssumed = "current-assumed"
  case equalVersions = "equal-versions"
  case identifierReused = "identifier-reused"
  case versionUnreadable = "version-unreadable"
  case passedOver = "passed-over"
  case unusedSilencing = "unused-silencing"
}

extension CheckRule {
  /// What rules were called before, in whatever a person may have kept.
  static let formerNames = [
    "hop-impossible": Self.stepImpossible.rawValue,
    "mapping-fits-no-hop": Self.mappingFitsNoStep.rawValue,
  ]

  package var severity: FindingSeverity {
    switch self {
    case .stepImpossible, .requiredWithoutDefault, .mappingOutdated, .oneSidedInverse,
      .unknownName, .constraintNotKept, .unparsablePredicate, .underivableAttribute,
      .entitiesDifferInCase, .orderContradicted, .orderUnknown, .severalMappings,
      .mappingValueImpossible, .cloudKitConstraint, .cloudKitRequired, .cloudKitInverse,
      .cloudKitDeny, .cloudKitOrdered, .cloudKitType, .cloudKitConfiguration, .versionUnreadable,
      .entityNameNotAllowed:
      .error
    case .noDirectPath, .directSkipsMapping, .lostInOneStep, .nowRequired, .constraintAdded,
      .possibleRename, .possibleEntityRename, .narrowedType, .boundsNarrowed, .joinedTables,
      .rootRemoved, .destinationChanged, .manyToOne, .minimumAdded, .derivationChanged,
      .madeAbstract, .externalStorageChanged, .elementFilled, .configurationLeft, .inverseRemoved,
      .rootExchanged, .kindChanged, .lostIdentifier, .identifierChanged, .mandatoryInverse,
      .transformerChanged, .mappingFitsNoStep, .mappingFitsSeveral, .mappingLeavesOutEntity,
      .mappingUnreadable, .policyDropped, .missingInverse, .noActionDeleteRule, .undefinedType,
      .defaultOutOfRange,
      .reservedName, .currentNotNewest, .currentAssumed, .unusedSilencing:
      .warning
    case .removedProperty, .removedEntity, .orderLost, .deleteRuleChanged, .mappingInferable,
      .mappingCopyOutdated, .mappingElsewhere, .mappingTwice,
      .insecureTransformer, .namesDifferInCase, .equalVersions, .identifierReused, .passedOver:
      .note
    }
  }

  /// Whether a strict check fails for it: for warnings, and for data that goes on purpose, as only
  /// its owner can say.
  var failsIfStrict: Bool {
    switch self {
    case .removedProperty, .removedEntity: true
    default: severity != .note
    }
  }

  /// Whether it is about opening a store of an older version in one step.
  var isAboutOneStep: Bool {
    switch self {
    case .noDirectPath, .directSkipsMapping, .lostInOneStep: true
    default: false
    }
  }
}
