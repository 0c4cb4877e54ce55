// What the tool itself says: exit statuses, and the hooks that reports name.

extension Explanation {
  static let exitStatuses = ExitStatus.allCases.map { status in
    Explanation(
      "exit-\(status.rawValue)", "exit status of heavyweight", meaning: status.sentence, causes: [],
      remedies: [status.remedy])
  }

  static let runFindings = [
    Explanation(
      "sql-differs", "finding of `heavyweight run`",
      meaning:
        "A predicate selected other rows in SQL, as on a device, than it would in "
        + "memory.",
      causes: [
        "A comparison with nil: in SQL it is neither true nor false, so 'country != \"Sweden\"' and "
          + "'NOT (country == \"Sweden\")' leave out rows without a country.",
        "NONE, or NOT ANY: in SQL it finds objects with some other member, but not those without members.",
        "A comparison of different types, such as 'rank == \"1\"': in memory it never matches; SQL may convert the "
          + "value, and what a device does isn't known.",
      ],
      remedies: [
        "Handle nil: add 'OR key == nil', or 'AND key != nil'.",
        "Write NONE as 'SUBQUERY(relationship, $x, condition).@count == 0'.",
        "Compare values of one type: numbers without quotes, texts in quotes, dates and others as %@ arguments.",
        "If SQL's result is intended, accept it in the scenario: 'accept: [{ finding: sql-differs, because: … }]', "
          + "or 'backends: [sqlite]'.",
      ]),
    Explanation(
      "unknown-on-device", "finding of `heavyweight run`",
      meaning:
        "A step made a change for which neither Apple's documentation nor any known store shows what a device does.",
      causes: [
        "An entity without a parent moves under another without one: two tables become one. Apple's "
          + "guide rules this out only where both get a new parent.",
        "A relationship with a new name was filled from its inverse, which still exists: it was renamed without a "
          + "renaming identifier, or a to-many relationship got its first inverse.",
        "A relationship and its inverse belonged to two different relationships before.",
        "Links were dropped although the objects at both ends still exist: the relationship accepts fewer entities "
          + "than before, or its inverse is to-one now.",
        "A mapping model copied values whose transformer has no reverse transformation. Here their bytes are copied; "
          + "a device reads them as objects.",
      ],
      remedies: [
        "Write a mapping model for the step: a migration manager recreates the objects, in any table.",
        "Let the value transformer allow reverse transformation, and give the object for its data.",
        "Try it on a device, then accept it in the scenario: "
          + "'accept: [{ finding: unknown-on-device, because: … }]'.",
      ]),
  ]

  static let hooks = ScenarioReader.hooks.map { name in
    Explanation(
      name, isOfStage(name) ? "handler of a stage" : "hook of a migration policy",
      meaning: hookMeaning(name), causes: [],
      remedies: [hookAdvice(name)])
  }

  private static func isOfStage(_ name: String) -> Bool {
    ["willMigrate", "didMigrate"].contains(name)
  }

  private static func hookMeaning(_ name: String) -> String {
    switch name {
    case "begin": "Called once for an entity mapping, before its first object."
    case "createDestinationInstances":
      "First pass: called for each source object, makes what it becomes, and associates the two."
    case "endInstanceCreation": "Called once for an entity mapping, after its first pass."
    case "createRelationships":
      "Second pass: called for each new object, when all objects of all mappings exist."
    case "endRelationshipCreation": "Called once for an entity mapping, after its second pass."
    case "performCustomValidation":
      "Third pass: called once for an entity mapping, before the new store is validated and saved."
    case "willMigrate": "Called once, on the store as it is before a custom stage's hop."
    case "didMigrate": "Called once, on the store as it is after a custom stage's hop."
    default: "Called once for an entity mapping, after its last pass."
    }
  }

  private static func hookAdvice(_ name: String) -> String {
    switch name {
    case "createDestinationInstances":
      "Call super, or call manager.associate(sourceInstance:withDestinationInstance:for:) for each "
        + "object that is made: later passes find it by that."
    case "createRelationships":
      "Ask manager.destinationInstances(forEntityMappingName:sourceInstances:) for what source "
        + "objects have become; never set a source object itself."
    default:
      "Count its calls with `calls:`, or see the whole order with `trace:`, in a scenario."
    }
  }
}

extension ExitStatus {
  /// The same words as in a command's help, as a sentence.
  fileprivate var sentence: String {
    "For `heavyweight run`: " + meaning + "."
  }

  fileprivate var remedy: String {
    switch self {
    case .passed: "Nothing."
    case .failed: "Read the first failure; the line `again` repeats just that run."
    case .badInput: "Correct what is named, with file, line and column."
    case .nothingFound: "Look at the paths: scenarios are files named *.scenario.yaml."
    case .nothingSelected: "Look at --filter, --tag, --start and --shard."
    case .nothingChecked: "Write under `expect:` what must be true of the seed's rows."
    case .missingFile: "Look at the path that is named; it is relative to the scenario's folder."
    case .reportNotWritten: "Free some space, or name another place for the report."
    case .notJudged: "Free some space, or look after the disk, and call the command again."
    }
  }
}
