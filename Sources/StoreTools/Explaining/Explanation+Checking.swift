// What `heavyweight check` finds: its rules.

extension Explanation {
  static let checkRules = CheckRule.allCases.map { rule in
    Explanation(
      rule.rawValue, "finding of `heavyweight check`, \(rule.severity.rawValue)",
      meaning: rule.summary, causes: rule.usualCauses,
      remedies: [
        rule.remedy,
        "If it is intended, accept it with a reason in .heavyweight-check.yaml.",
      ])
  }
}

extension CheckRule {
  /// What to do about a finding of this rule; most findings advise more closely themselves.
  var remedy: String {
    remedyForWays ?? remedyForChanges ?? remedyForMappings ?? remedyForVersions ?? remedyForModels
      ?? "Do what the finding itself advises."
  }

  private var remedyForWays: String? {
    switch self {
    case .stepImpossible:
      "Write a mapping model for the step, or make the change in smaller steps that can be "
        + "inferred."
    case .noDirectPath:
      "Migrate version by version, or add a mapping model from that version to the current one."
    case .directSkipsMapping:
      "Migrate version by version: opening a store takes one step, and infers its mapping."
    case .lostInOneStep:
      "Migrate version by version, or carry the value over in every mapping on the way."
    default: nil
    }
  }

  private var remedyForChanges: String? {
    switch self {
    case .requiredWithoutDefault:
      "Give the property a default value or make it optional; or fill it in a mapping model."
    case .nowRequired: "Give rows without a value one: by a default value, or in a mapping model."
    case .constraintAdded:
      "Merge rows with equal values in a policy, or in the app before this version."
    case .possibleRename, .possibleEntityRename:
      "If it is a rename, set the renaming identifier to the old name."
    case .removedProperty, .removedEntity:
      "If the data is still needed, carry it over in a mapping model first."
    case .narrowedType:
      "Make sure that all values fit, or convert them in a mapping model."
    case .orderLost: "Keep the order in an attribute, if anything depends on it."
    case .deleteRuleChanged: "Make sure that the app's deletions still do what they should."
    case .joinedTables, .rootRemoved, .destinationChanged, .manyToOne, .minimumAdded:
      "Write a mapping model for this step, or try the step on a device."
    case .transformerChanged:
      "Write the values anew in a policy, or let the new transformer read them."
    case .lostIdentifier, .identifierChanged:
      "Keep one renaming identifier through all versions: the first name."
    default: nil
    }
  }

  private var remedyForMappings: String? {
    switch self {
    case .mappingOutdated:
      "Recreate the mapping model, or refresh its models in Xcode, after the last change to either "
        + "version."
    case .mappingFitsNoStep: "Remove the file, or look for the version it was made for."
    case .mappingFitsSeveral: "Make the versions differ, if the mapping model is for one step only."
    case .severalMappings: "Merge them into one mapping model, unless the app runs them one by one."
    case .mappingLeavesOutEntity:
      "Add an entity mapping for the entity, if its objects are still needed."
    case .mappingUnreadable: "Open and save the file in Xcode, or check it out again."
    case .mappingElsewhere:
      "See that the file is in the app's target, or give the right ones with --mappings."
    case .mappingTwice: "Remove one of them."
    case .policyDropped: "Enter the class as the mapping's custom policy in Xcode."
    case .mappingValueImpossible:
      "Write the value expression anew, or clear it, in Xcode's mapping editor."
    case .mappingInferable:
      "Remove the mapping model: an inferred mapping does the same, inside the store."
    default: nil
    }
  }

  private var remedyForVersions: String? {
    switch self {
    case .oneSidedInverse: "Set the inverse at both ends, in a new version of the model."
    case .missingInverse: "Give the relationship an inverse, which keeps both sides in agreement."
    case .noActionDeleteRule: "Choose Nullify, Cascade or Deny, unless the app cleans up itself."
    case .undefinedType: "Give the attribute a type, or make it transient."
    case .defaultOutOfRange: "Give the attribute a default value within its own bounds."
    case .unknownName: "Correct the name, or remove what uses it."
    case .constraintNotKept:
      "Name stored attributes and to-one relationships, or remove the constraint."
    case .mandatoryInverse:
      "Make the inverse optional, or drop the constraint and look for equal objects in the app."
    case .unparsablePredicate: "Try the text with `heavyweight predicate`, which shows the mistake."
    case .insecureTransformer: "Use NSSecureUnarchiveFromData, or a subclass of it."
    case .underivableAttribute:
      "Write an expression that Core Data derives, or compute the value in the app."
    case .namesDifferInCase: "Give one of the two properties another name."
    case .entitiesDifferInCase: "Give one of the two entities another name."
    default: nil
    }
  }

  private var remedyForModels: String? {
    switch self {
    case .orderContradicted, .orderUnknown:
      "Give the order of the versions with --order, which overrides all evidence in the files."
    case .currentNotNewest: "Make the newest version the current one, or remove the draft."
    case .currentAssumed: "Choose the current version in Xcode, which writes .xccurrentversion."
    case .equalVersions:
      "Nothing, if only default values or delete rules differ; a hash modifier tells versions apart."
    case .identifierReused: "Give each version an identifier of its own, or none."
    case .passedOver: "Look at the named place; a newer Xcode may have written it."
    case .unusedSilencing: "Remove the entry, or correct what it names."
    default: nil
    }
  }

  /// Where it usually comes from; empty where the summary says it.
  fileprivate var usualCauses: [String] {
    switch self {
    case .stepImpossible, .noDirectPath:
      ["An attribute's type changed, or two hierarchies became one."]
    case .requiredWithoutDefault, .nowRequired:
      ["The app's code always sets a value; rows of older versions have none."]
    case .possibleRename, .possibleEntityRename:
      ["The name was changed in the editor, and the Renaming ID left empty."]
    case .mappingOutdated: ["Either version was edited after the mapping model was made."]
    case .mappingLeavesOutEntity: ["The entity is newer than the mapping model."]
    case .equalVersions: ["A version was added and then only defaults or delete rules changed."]
    default: []
    }
  }
}
