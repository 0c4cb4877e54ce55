/// Something that `heavyweight smoke` found.
package struct SmokeFinding: Codable, Sendable {
  /// What is wrong. The raw value is the identifier in reports; `heavyweight explain` knows all of them.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    // What `check` finds in the files, and a migration confirms.
    case possibleRename = "possible-rename"
    case lostIdentifier = "lost-identifier"
    case unknownOnDevice = "unknown-on-device"
    case possibleEntityRename = "possible-entity-rename"
    case requiredWithoutDefault = "required-without-default"
    case nowRequired = "now-required"
    case orderLost = "order-lost"
    case mappingOutdated = "mapping-outdated"
    case mappingFitsNoStep = "mapping-fits-no-step"
    case mappingLeavesOutEntity = "mapping-leaves-out-entity"
    case severalMappings = "several-mappings"
    case stepImpossible = "step-impossible"
    case lostInOneStep = "lost-in-one-step"

    // What only a migration shows.
    case migrationFails = "migration-fails"
    case policyEnds = "policy-ends-process"
    case policyMissing = "policy-missing"
    case notAssociated = "not-associated"
    case nilRowsDropped = "nil-rows-dropped"
    case rowsDropped = "rows-dropped"
    case valueLost = "value-lost"
    case linksLost = "links-lost"
    case orderNotKept = "order-not-kept"
    case duplicateKey = "duplicate-key"
    case secondPassDiffers = "second-pass-differs"
    case quadraticPolicy = "quadratic-policy"
    case backendsDiffer = "backends-differ"
    case unsoundResult = "unsound-result"

    /// Whether a step ends with an error, or none could be taken.
    var isFailure: Bool {
      switch self {
      case .requiredWithoutDefault, .nowRequired, .migrationFails, .duplicateKey, .stepImpossible,
        .severalMappings, .policyEnds, .policyMissing:
        true
      default: false
      }
    }
  }

  package let kind: Kind
  /// The step, as `v1 -> v2`; several steps in a row, as the first and the last version of them.
  package var step: String
  package var entity: String?
  package var property: String?
  /// The entity mapping, the policy's class or the mapping file.
  package var mapping: String?
  package var message: String
  /// The error that the step ends with, where it is about one, in doubt or not.
  var errorCode: Int?
  /// What shows it; nil where a process ended that no single row ends.
  var scenario: SmokeScenario?
  /// Where the scenario was saved.
  package var file: String?

  init(
    _ kind: Kind, step: String, entity: String? = nil, property: String? = nil,
    mapping: String? = nil, _ message: String, scenario: SmokeScenario? = nil
  ) {
    self.kind = kind
    self.step = step
    self.entity = entity
    self.property = property
    self.mapping = mapping
    self.message = message
    self.scenario = scenario
  }

  /// The end of a process that did a step, or the ways from a version.
  init(_ death: PolicyDeath, step: String) {
    self.init(.policyEnds, step: step, mapping: death.entityMapping, "\(death)")
  }

  func isOf(_ death: PolicyDeath) -> Bool {
    kind == .policyEnds && mapping == death.entityMapping
  }

  /// What makes two findings one.
  var key: [String] { [kind.rawValue, step, entity ?? "", property ?? "", mapping ?? ""] }

  /// `Book.pages`, or the mapping where it is about none.
  var subject: String? {
    guard let entity else { return mapping }
    return entity + (property.map { ".\($0)" } ?? "")
  }
}

/// What became of an entity's rows in a step.
package struct SmokeAccount: Codable, Sendable {
  package let step: String
  package let entity: String
  package let rows: Int
  /// Rows that became one object, and only they became it.
  package var kept = 0
  /// Rows that became several objects.
  package var split = 0
  /// Rows that became an object together with others.
  package var merged = 0
  package var dropped = 0
  /// The entity mappings that take rows of the entity, by name.
  package var mappings: [String] = []
}
