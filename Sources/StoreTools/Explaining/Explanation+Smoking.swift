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
        "A policy was called for a row and made nothing of it: the row is gone after the step.",
        "createDestinationInstances returns early, or doesn't call super.",
        "Make an object of each row; where rows are to go, a source predicate says so."
      )
    case .valueLost:
      (
        "An attribute has a value before a step and none after it, though it is there in both versions.",
        "The attribute mapping has no value expression, or one that gives nil for this row.",
        "Give the attribute mapping the value expression `$source.name`, or set it in the policy."
      )
    case .linksLost:
      (
        "A relationship leads to objects before a step that are still there after it, and not to them.",
        "The relationship has no mapping, or one that names another entity mapping.",
        "Give it a relationship mapping that names the entity mapping of its destination."
      )
    case .orderNotKept:
      (
        "An ordered relationship has another order after a step.",
        "A policy goes through its objects as a set, or as a fetch without sort descriptors gives them.",
        "Go through the ordered set of the source, and ask for the destination of one object at a time."
      )
    case .duplicateKey:
      (
        "Rows that had keys of their own have one key after a step.",
        "Two entities become one, and keys were unique in each of them only.",
        "Give one of them other keys, or let a policy merge the rows that have the same."
      )
    default: nil
    }
  }

  private var wordsOfPolicies: (meaning: String, cause: String, remedy: String)? {
    switch self {
    case .secondPassDiffers:
      (
        "The result depends on how often, or in what order, createRelationships is called.",
        "The hook makes an object or adds a number each time without looking what is there; or counts "
          + "its calls. Core Data calls it once for each object that a mapping made, in no promised order.",
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
        "The process with the policies ended: by a trap in their code, or by a limit of time or memory.",
        "A forced unwrapping of a value that is nil for some rows; a loop without end.",
        "Go to the line that is named; give more with --timeout or --memory if it was a limit."
      )
    default: nil
    }
  }

  private var wordsOfRuns: (meaning: String, cause: String, remedy: String)? {
    switch self {
    case .migrationFails:
      (
        "A step ends with an error for rows that the old version's model allows.",
        "A value that may be nil, or be at the edge of its type, and isn't thought of in the mapping.",
        "Look the error's code up with `heavyweight explain`, and play the scenario that shows it."
      )
    case .backendsDiffer:
      (
        "A step gives one result in memory and another one in SQLite.",
        "A predicate about nil, or code that depends on the order in which a store gives its objects.",
        "Say in predicates what is to become of nil; sort what is fetched."
      )
    case .unsoundResult:
      (
        "The store that a step made isn't sound: `heavyweight inspect` would find the same in it.",
        "One side of a relationship is set without the other, or a required value is missing.",
        "Give the relationship an inverse, or set both sides."
      )
    default: nil
    }
  }
}
