/// What an error code or a trap means, for whoever has just met it.
///
/// The one place for these words: reports show the first remedy as a hint, and `heavyweight explain`
/// shows all of it.
package struct Explanation: Sendable, Hashable {
  /// What to look it up by: `1570` for a code, `missing-module` for a trap.
  package let identifier: String
  /// The name in Core Data's header, or a few words for a trap.
  package let name: String
  /// What it says, in a sentence or two.
  package let meaning: String
  /// What it usually comes from, the most frequent first.
  package let causes: [String]
  /// What to do, the best first.
  package let remedies: [String]

  init(
    _ identifier: String, _ name: String, meaning: String, causes: [String], remedies: [String]
  ) {
    self.identifier = identifier
    self.name = name
    self.meaning = meaning
    self.causes = causes
    self.remedies = remedies
  }

  fileprivate init(
    _ code: CoreDataErrorCode, _ name: String, meaning: String, causes: [String],
    remedies: [String]
  ) {
    self.init("\(code.rawValue)", name, meaning: meaning, causes: causes, remedies: remedies)
  }
}

// MARK: - Looking up

extension Explanation {
  /// All codes in ascending order, then all traps.
  package static let all = validation + saving + stores + migration + traps

  /// The explanation with an identifier, or of an error by its name in Core Data's header.
  package static func find(_ text: String) -> Explanation? {
    byIdentifier[text] ?? all.first { $0.name.caseInsensitiveCompare(text) == .orderedSame }
  }

  package static func of(_ code: CoreDataErrorCode) -> Explanation? {
    byIdentifier["\(code.rawValue)"]
  }

  package static func of(_ trap: Trap) -> Explanation? { byIdentifier[trap.rawValue] }

  private static let byIdentifier = Dictionary(
    (all + storeFindings).map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
}

// MARK: - Validation

extension Explanation {
  /// Codes that validation of an object ends with, 1550 to 1690.
  private static let validation = objectValidation + valueValidation

  private static let objectValidation: [Explanation] = [
    Explanation(
      .managedObjectValidation, "NSManagedObjectValidationError",
      meaning: "An object is invalid: its class or the model rejected it.",
      causes: ["A validate… method of the app's class, or a validation predicate of the model."],
      remedies: [
        "Look at the object and the property that the error names, and give it a value that its "
          + "validation accepts, in the mapping or in a policy."
      ]),
    Explanation(
      .managedObjectConstraintValidation, "NSManagedObjectConstraintValidationError",
      meaning:
        "Two objects have equal values that a uniqueness constraint requires to be unique.",
      causes: [
        "The constraint is new, and old stores hold duplicates.",
        "A policy makes one object per row where it should look for an existing one.",
      ],
      remedies: [
        "Remove or merge the duplicates before the step that adds the constraint, or in a policy "
          + "that looks for the object before it inserts one."
      ]),
    Explanation(
      .validationMultipleErrors, "NSValidationMultipleErrorsError",
      meaning: "Several objects or properties are invalid; the individual errors are listed.",
      causes: ["Many objects break one rule, usually a required property."],
      remedies: ["Read the first of the individual errors; the others often have the same cause."]),
    Explanation(
      .validationMissingMandatoryProperty, "NSValidationMissingMandatoryPropertyError",
      meaning: "A property that must have a value has none.",
      causes: [
        "The property is new and required, and nothing fills it for old objects.",
        "The app sets it in awakeFromInsert or in an initializer: a migration calls neither, "
          + "for its objects are plain NSManagedObjects.",
        "A relationship is required, and its objects were dropped, or are linked too early.",
        "A value expression gives nil, which replaces the default value.",
      ],
      remedies: [
        "Set the property in the mapping or in the policy (awakeFromInsert isn't called during a "
          + "migration), give it a default value, or make it optional."
      ]),
    Explanation(
      .validationRelationshipLacksMinimumCount, "NSValidationRelationshipLacksMinimumCountError",
      meaning: "A to-many relationship leads to fewer objects than its minimum count.",
      causes: ["Some of the objects it led to were filtered, deleted or never associated."],
      remedies: [
        "Check that the other entity's mapping ran earlier and associated its objects, or lower "
          + "the minimum count."
      ]),
    Explanation(
      .validationRelationshipExceedsMaximumCount,
      "NSValidationRelationshipExceedsMaximumCountError",
      meaning: "A to-many relationship leads to more objects than its maximum count.",
      causes: ["Several objects became one, with the links of all."],
      remedies: ["Choose in a policy which links to keep, or raise the maximum count."]),
    Explanation(
      .validationRelationshipDeniedDelete, "NSValidationRelationshipDeniedDeleteError",
      meaning:
        "An object can't be deleted while a relationship with the delete rule Deny has objects.",
      causes: ["The objects at the other end weren't deleted or unlinked first."],
      remedies: [
        "Delete or unlink the objects at the other end first, or choose another delete rule."
      ]),
  ]

  private static let valueValidation: [Explanation] = [
    bound(
      .validationNumberTooLarge, "NSValidationNumberTooLargeError", "A number is above its maximum."
    ),
    bound(
      .validationNumberTooSmall, "NSValidationNumberTooSmallError", "A number is below its minimum."
    ),
    bound(.validationDateTooLate, "NSValidationDateTooLateError", "A date is after its maximum."),
    bound(.validationDateTooSoon, "NSValidationDateTooSoonError", "A date is before its minimum."),
    bound(.validationInvalidDate, "NSValidationInvalidDateError", "A date isn't valid."),
    bound(
      .validationStringTooLong, "NSValidationStringTooLongError",
      "A text is longer than its attribute allows."),
    bound(
      .validationStringTooShort, "NSValidationStringTooShortError",
      "A text is shorter than its attribute allows."),
    bound(
      .validationStringPatternMatching, "NSValidationStringPatternMatchingError",
      "A text doesn't match the regular expression of its attribute."),
    bound(
      .validationInvalidURI, "NSValidationInvalidURIError", "A URI isn't valid, or has no scheme."),
  ]

  /// The errors of a value that breaks a rule of its attribute have the same causes.
  private static func bound(
    _ code: CoreDataErrorCode, _ name: String, _ meaning: String
  ) -> Explanation {
    Explanation(
      code, name, meaning: meaning,
      causes: [
        "The rule is newer than the value: rules aren't part of a version's hash, so old "
          + "values meet them only when they are saved again.",
        "A value expression or a policy makes a value that the rule doesn't allow.",
      ],
      remedies: ["Correct such values in the mapping or in a policy, or relax the rule."])
  }
}

// MARK: - Saving

extension Explanation {
  /// Codes of contexts and their conflicts, 132000 to 133021.
  private static let saving: [Explanation] = [
    Explanation(
      .managedObjectContextLocking, "NSManagedObjectContextLockingError",
      meaning: "A context couldn't be locked.",
      causes: ["A context is used on another queue than its own."],
      remedies: ["Use each context inside its perform only."]),
    Explanation(
      .persistentStoreCoordinatorLocking, "NSPersistentStoreCoordinatorLockingError",
      meaning: "A coordinator couldn't be locked.",
      causes: ["A call into the coordinator waits for another one on the same thread."],
      remedies: ["Don't call the coordinator from inside a store's own work."]),
    Explanation(
      .managedObjectReferentialIntegrity, "NSManagedObjectReferentialIntegrityError",
      meaning: "A fault can't be filled: its row isn't in the store, or no longer.",
      causes: [
        "The object was deleted elsewhere, and something still refers to it.",
        "A relationship without inverse, or with the delete rule No Action, kept a reference to a "
          + "deleted object.",
      ],
      remedies: [
        "Give the relationship an inverse and a delete rule, and remove references to objects that "
          + "are gone; `heavyweight inspect` lists those in a store."
      ]),
    Explanation(
      .managedObjectExternalRelationship, "NSManagedObjectExternalRelationshipError",
      meaning: "A relationship would lead into another store.",
      causes: ["Two configurations with stores of their own share entities that are linked."],
      remedies: [
        "Put linked entities into one configuration; use a fetched property across stores."
      ]),
    Explanation(
      .managedObjectMerge, "NSManagedObjectMergeError",
      meaning: "The same object was saved elsewhere meanwhile, and the merge policy reports that.",
      causes: ["Two contexts changed one object, with the default merge policy."],
      remedies: [
        "Choose a merge policy that says which side wins, or refresh the object before changing it."
      ]),
    Explanation(
      .managedObjectConstraintMerge, "NSManagedObjectConstraintMergeError",
      meaning: "A save breaks a uniqueness constraint, and the merge policy reports that.",
      causes: ["A new object has the same value as one in the store."],
      remedies: [
        "Look for the object before inserting one, or choose a merge policy that merges both."
      ]),
  ]
}

// MARK: - Codes of migrations and stores

extension Explanation {
  /// An error of Core Data's, from the other files of this type.
  static func code(
    _ code: CoreDataErrorCode, _ name: String, _ meaning: String, causes: [String],
    remedies: [String]
  ) -> Explanation {
    Explanation(code, name, meaning: meaning, causes: causes, remedies: remedies)
  }
}
