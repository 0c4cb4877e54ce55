// What `heavyweight smoke` finds and nothing else does; for the rest it has the words of `check` and of traps.

extension Explanation {
  static let smokeFindings = SmokeFinding.Kind.allCases.compactMap { kind in
    kind.words.map { words in
      Explanation(
        kind.rawValue, "finding of `heavyweight smoke`", meaning: words.meaning,
        causes: [words.cause], remedies: [words.remedy])
    }
  }
}

extension SmokeFinding.Kind {
  /// Nil for kinds that are explained elsewhere.
  var words: (meaning: String, cause: String, remedy: String)? {
    wordsOfRows ?? wordsOfPolicies ?? wordsOfRuns
  }

  private var wordsOfRows: (meaning: String, cause: String, remedy: String)? {
    switch self {
    case .nilRowsDropped:
      (
        "A source predicate leaves out the rows that have no value: they are gone after the step.",
        "A comparison with nil is neither true nor false in SQL: `kind == 1` and `kind != 1` both leave "
          + "out rows without a kind.",
        "Say in the predicate what is to become of them: add `OR kind == nil` to one of the mappings."
      )
    case .rowsDropped:
      (
        "A policy was called for a row and made no object of it: the row is gone after the step.",
        "createDestinationInstances returns early, or doesn't call super.",
        "Make an object of each row; leave out rows with a source predicate."
      )
    case .valueLost:
      (
        "An attribute has a value before a step and none after it, though both versions have it.",
        "The attribute mapping has no value expression, or one that gives nil for this row.",
        "Give the attribute mapping the value expression `$source.name`, or set it in the policy."
      )
    case .linksLost:
      (
        "A relationship leads to objects before a step that still exist after it, but no longer to them.",
        "The relationship has no mapping, or one that names another entity mapping.",
        "Give it a relationship mapping that names the entity mapping of its destination."
      )
    case .orderNotKept:
      (
        "An ordered relationship has another order after a step.",
        "A policy iterates over its objects as a set, or in the order of a fetch without sort descriptors.",
        "Iterate over the source's ordered set, and ask for the destination of one object at a time."
      )
    case .duplicateKey:
      (
        "Rows that had different keys have the same key after a step.",
        "Two entities become one, and keys were unique in each of them only.",
        "Give one of them different keys, or let a policy merge rows with equal keys."
      )
    default: nil
    }
  }

  private var wordsOfPolicies: (meaning: String, cause: String, remedy: String)? {
    switch self {
    case .secondPassDiffers:
      (
        "The result depends on how often, or in what order, createRelationships is called.",
        "The hook makes an object or adds to a number without checking what exists; or it counts "
          + "its calls. Core Data calls it once for each object that a mapping made, in no guaranteed order.",
        "Look for the object before making one, and compute values from the source alone."
      )
    case .quadraticPolicy:
      (
        "A policy fetches four times as many objects for twice as many rows.",
        "It fetches all objects of an entity for each row.",
        "Fetch once in begin and keep a dictionary in userInfo, or fetch the one object with a predicate."
      )
    case .policyEnds:
      (
        "The process with the policies ended: by a trap in their code, or at a limit of time or memory.",
        "A forced unwrapping of a value that is nil for some rows; an endless loop.",
        "Go to the line that is named; if it was a limit, raise it with --timeout or --memory."
      )
    default: nil
    }
  }

  private var wordsOfRuns: (meaning: String, cause: String, remedy: String)? {
    switch self {
    case .migrationFails:
      (
        "A step ends with an error for rows that the old version's model allows.",
        "A value that may be nil, or an extreme of its type, and isn't handled in the mapping.",
        "Look the error's code up with `heavyweight explain`, and run the scenario that shows it."
      )
    case .backendsDiffer:
      (
        "A step gives different results in memory and in SQLite.",
        "A predicate about nil, or code that depends on the order in which a store gives its objects.",
        "Handle nil in predicates; sort what is fetched."
      )
    case .unsoundResult:
      (
        "The store that a step made isn't sound: `heavyweight inspect` would report the same.",
        "One side of a relationship is set without the other, or a required value is missing.",
        "Give the relationship an inverse, or set both sides."
      )
    default: nil
    }
  }
}
