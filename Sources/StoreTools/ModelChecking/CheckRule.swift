/// What `heavyweight check` looks for. The raw values are the identifiers in reports and in silence
/// files; they never change their meaning.
package enum CheckRule: String, CaseIterable, Sendable, Hashable, Codable {
  // Ways between versions.
  case stepImpossible = "hop-impossible"
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
  case orderLost = "order-lost"
  case deleteRuleChanged = "delete-rule-changed"
  case transformerChanged = "transformer-changed"
  case lostIdentifier = "lost-identifier"
  case identifierChanged = "identifier-changed"
  case joinedTables = "joined-tables"
  case rootRemoved = "root-removed"
  case destinationChanged = "destination-changed"
  case manyToOne = "many-to-one"
  case minimumAdded = "minimum-added"

  // Mapping models.
  case mappingOutdated = "mapping-outdated"
  case mappingFitsNoStep = "mapping-fits-no-hop"
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

  // The model as a whole.
  case orderContradicted = "order-contradicted"
  case orderUnknown = "order-unknown"
  case currentNotNewest = "current-not-newest"
  case currentAssumed = "current-assumed"
  case equalVersions = "equal-versions"
  case identifierReused = "identifier-reused"
  case passedOver = "passed-over"
  case unusedSilencing = "unused-silencing"
}

/// How much a finding matters.
package enum FindingSeverity: String, CaseIterable, Sendable, Hashable, Codable {
  /// A migration fails, or silently does something else than it seems to.
  case error
  /// Data may be lost, or a migration may fail, for some stores.
  case warning
  /// Worth knowing; often as it should be.
  case note
}

extension CheckRule {
  package var severity: FindingSeverity {
    switch self {
    case .stepImpossible, .requiredWithoutDefault, .mappingOutdated, .oneSidedInverse,
      .unknownName, .constraintNotKept, .unparsablePredicate, .underivableAttribute,
      .entitiesDifferInCase, .orderContradicted, .orderUnknown, .severalMappings,
      .mappingValueImpossible:
      .error
    case .noDirectPath, .directSkipsMapping, .lostInOneStep, .nowRequired, .constraintAdded,
      .possibleRename,
      .possibleEntityRename, .narrowedType, .joinedTables, .rootRemoved, .destinationChanged,
      .manyToOne, .minimumAdded, .lostIdentifier, .identifierChanged, .mandatoryInverse,
      .transformerChanged, .mappingFitsNoStep, .mappingFitsSeveral, .mappingLeavesOutEntity,
      .mappingUnreadable, .policyDropped, .missingInverse, .noActionDeleteRule, .undefinedType,
      .defaultOutOfRange, .currentNotNewest, .currentAssumed, .unusedSilencing:
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

  /// What the rule finds, in a sentence.
  package var summary: String {
    switch self {
    case .stepImpossible:
      "No mapping model fits from one version to the next, and none can be inferred."
    case .noDirectPath:
      "A store of this version can't be opened with the current model in one step, as Core Data does it."
    case .directSkipsMapping:
      "In one step Core Data infers a mapping where there are mapping models version by version."
    case .lostInOneStep:
      "A value that survives version by version is lost when a store is migrated in one step."
    case .requiredWithoutDefault:
      "A required property without a default value is added: the migration fails as soon as one row exists."
    case .nowRequired:
      "An optional property becomes required, without a default value: one row without a value fails the migration."
    case .constraintAdded:
      "A uniqueness constraint is added: rows with equal values fail the migration."
    case .possibleRename:
      "A property is removed and a similar one added: without a renaming identifier, its values are lost."
    case .possibleEntityRename:
      "An entity is removed and a similar one added: without a renaming identifier, its objects are lost."
    case .removedProperty: "A property is removed, and its values with it, without an error."
    case .removedEntity: "An entity is removed, and its objects with it, without an error."
    case .narrowedType: "Values of a wider number type become values of a narrower one."
    case .orderLost: "An ordered relationship becomes unordered."
    case .deleteRuleChanged:
      "A relationship's delete rule differs from that in the previous version."
    case .transformerChanged:
      "A Transformable attribute has another value transformer: what the old one wrote, the new one may not read."
    case .joinedTables:
      "Root entities with tables of their own join one entity hierarchy: whether a device infers that is unknown."
    case .rootRemoved:
      "An entity leaves a hierarchy whose root goes: up to iOS 15 and macOS 12 the store can't be opened."
    case .destinationChanged:
      "A relationship's objects are in another table, or of other entities, than before: what becomes of its links is "
        + "unknown."
    case .manyToOne:
      "A to-many relationship becomes to-one: whether a device infers that, and which link stays, is unknown."
    case .minimumAdded:
      "A required to-many relationship gets a minimum count: whether a device migrates rows without is unknown."
    case .lostIdentifier:
      "A renaming identifier is nobody's canonical name in the version before: what it was meant for is lost, without "
        + "an error."
    case .identifierChanged:
      "An element keeps its name, and another renaming identifier makes it another one: whether a device keeps its "
        + "content is unknown."
    case .mappingOutdated:
      "A mapping model no longer fits the versions it was made for, so that Core Data ignores it."
    case .mappingFitsNoStep: "A mapping model fits no two versions of this model."
    case .mappingFitsSeveral: "A mapping model fits more steps than the one it was made for."
    case .severalMappings:
      "Several mapping models fit one step; by itself, Core Data uses only one of them."
    case .mappingLeavesOutEntity:
      "An entity that both versions have is in no entity mapping of the step: its objects are lost."
    case .mappingInferable: "A mapping model does nothing that an inferred one wouldn't."
    case .mappingCopyOutdated:
      "A mapping model's own copy of a version, which Xcode's editor shows, no longer matches that version."
    case .mappingUnreadable:
      "A mapping model's file can't be read, so that its step is judged without it."
    case .mappingElsewhere:
      "A mapping model that fits a step lies elsewhere in the repository than its model."
    case .mappingTwice: "Two mapping models for one step do the same."
    case .mappingValueImpossible:
      "A value expression of a mapping model asks for a key that no source object has, or gives a constant that the attribute can't have."
    case .policyDropped:
      "An entity mapping has no policy, and the app has one of its name that no mapping model names."
    case .oneSidedInverse: "A relationship's inverse doesn't lead back to it."
    case .missingInverse: "A relationship has no inverse."
    case .noActionDeleteRule:
      "The delete rule is No Action: objects at the other end keep a reference to a deleted one."
    case .undefinedType: "An attribute that is stored has no type."
    case .defaultOutOfRange: "A default value doesn't fit its attribute's type or bounds."
    case .unknownName:
      "An index, constraint, configuration, predicate or fetch request refers to something that doesn't exist."
    case .constraintNotKept:
      "A uniqueness constraint contains a property that no store keeps unique, so that equal values are saved."
    case .mandatoryInverse:
      "An entity with a uniqueness constraint has a relationship whose inverse is required: Xcode may refuse the model."
    case .unparsablePredicate: "A predicate or expression in the model can't be parsed."
    case .underivableAttribute:
      "A derived attribute has an expression that no store computes: the store can't be opened."
    case .insecureTransformer: "A Transformable attribute is archived without secure coding."
    case .namesDifferInCase: "Two properties differ only in case, which columns don't."
    case .entitiesDifferInCase:
      "Two root entities differ only in case, which tables don't: no SQLite store can be made."
    case .orderContradicted: "The evidence for the order of the versions is contradictory."
    case .orderUnknown: "Nothing determines the order of some versions."
    case .currentNotNewest: "The current version isn't the newest."
    case .currentAssumed:
      "Nothing says which version is the current one, so that the newest is taken."
    case .equalVersions: "Versions have equal hashes: Core Data can't tell them apart."
    case .identifierReused: "Versions that differ share an identifier."
    case .passedOver:
      "Something in a model file is unknown or makes no sense, and was ignored."
    case .unusedSilencing: "An entry of the silence file silences nothing."
    }
  }
}
