// Sentences from consoles and crash reports, which is all that many reporters have.

extension Explanation {
  /// Core Data's sentences that have no code of their own, or one that stands for many.
  static let messages: [Explanation] = [
    Explanation(
      "missing-mandatory-value", "a required property without a value, inside the store",
      meaning:
        "A migration inside the store (134110) met a row without a value for a property that must have one.",
      causes: [
        "The property is new and required, without a default value, and the store has rows; an empty one migrates.",
        "A property became required, and some rows have no value.",
      ],
      remedies: [
        "Give the property a default value, make it optional, or fill it in a mapping model."
      ]),
    Explanation(
      "no-such-table", "an error of SQLite during a migration inside the store",
      meaning:
        "Core Data's own SQL for the step found the file otherwise than it expected (134110 outside).",
      causes: [
        "An entity leaves a hierarchy whose root goes: up to iOS 15 and macOS 12 its table is missed, even without rows.",
        "The file has a table, column or index already that the step would make, or lacks one that it reads.",
      ],
      remedies: [
        "Compare the file with the models by `heavyweight inspect STORE --models MODEL`.",
        "Keep the hierarchy's root entity, or write a mapping model for the step.",
      ]),
    Explanation(
      "merged-roots", "two hierarchies that become one",
      meaning:
        "Entities without a common ancestor get one: no mapping can be inferred for that (134190).",
      causes: ["Two root entities got a new parent entity."],
      remedies: ["Write a mapping model for this step, or give up the common parent."]),
    Explanation(
      "duplicate-checksums", "a version in two stages",
      meaning: "A version's checksum is in two stages of a staged migration.",
      causes: [
        "Two lightweight stages name one version, or a lightweight and a custom one do."
      ],
      remedies: [
        "Name each version in one stage; only two custom stages in a row share one, where the first ends and the second "
          + "begins."
      ]),
    Explanation(
      "stage-gap", "a store that no stage takes on",
      meaning:
        "After a stage the store's version wasn't the one that was expected: some stage doesn't begin where the one "
        + "before it ends.",
      causes: [
        "Between two custom stages a version is left out: … → 3, 4 → …, for stores that are at 3."
      ],
      remedies: ["Put a custom stage without handlers between the two: 3 → 4."]),
    Explanation(
      "staged-options", "stages without the two options",
      meaning:
        "A staged migration manager is among the options of a store, and automatic migration isn't asked for.",
      causes: ["The store is opened with an options dictionary, where both are off unless set."],
      remedies: [
        "Set NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption to true."
      ]),
    Explanation(
      "no-stores", "a coordinator without stores",
      meaning: "A context was saved, or fetched, after its store couldn't be opened.",
      causes: ["The error of loading the store, often that of a migration, was passed over."],
      remedies: [
        "Look at the error of loadPersistentStores or addPersistentStore, before this one."
      ]
    ),
    Explanation(
      "swiftdata-container", "SwiftDataError.loadIssueModelContainer",
      meaning:
        "SwiftData couldn't open its store; the reason, mostly a failed migration, is in the console before this error.",
      causes: [
        "A required property was added without a default value, or a version has changed since stores were written.",
        "A migration plan doesn't name the store's version.",
      ],
      remedies: [
        "Look for an error of CoreData with a code (134110, 134504, 134130) in the console, and explain that."
      ]),
    Explanation(
      "cloudkit-model", "a model that CloudKit refuses",
      meaning: "A store that is mirrored by CloudKit has a model that CloudKit can't take.",
      causes: [
        "An attribute is required and has no default value, a relationship is required or has no inverse, or an entity has "
          + "a uniqueness constraint."
      ],
      remedies: [
        "Make attributes optional or give them default values, and relationships optional with inverses; remove "
          + "constraints. That is a new version of the model."
      ]),
    Explanation(
      "134501", "a store that a history token doesn't know",
      meaning:
        "Persistent history was asked for changes since a token of other stores: the store isn't found in it. Its name in "
        + "the header isn't known here.",
      causes: ["The store was replaced, or migrated into a new file, since the token was saved."],
      remedies: ["Forget the saved token, and read everything again."]),
  ]

  /// What sentences in logs stand for; the first that a text contains counts.
  private static let sentences: [(part: String, identifier: String)] = [
    ("missing attribute values on mandatory destination", "missing-mandatory-value"),
    ("constraint violation during attempted migration", "134111"),
    ("unique constraint failed", "134111"),
    ("no such table", "no-such-table"), ("sqlite error code:1,", "no-such-table"),
    ("couldn't create mapping policy for class named", "unknown-policy"),
    ("mismatch between mapping and source/destination models", "stale-mapping"),
    ("cannot merge multiple root entity source tables", "merged-roots"),
    ("between objects in different contexts", "foreign-context"),
    ("duplicate version checksums across stages", "duplicate-checksums"),
    ("incompatible metadata after migration", "stage-gap"),
    ("staged migration was requested with", "staged-options"),
    ("cannot use staged migration with an unknown", "134504"),
    ("cannot be migrated backwards with staged migration", "134506"),
    ("has no persistent stores", "no-stores"),
    ("loadissuemodelcontainer", "swiftdata-container"),
    ("cloudkit integration requires", "cloudkit-model"),
    ("automatically infer mapping model", "134140"), ("find mapping model", "134140"),
    ("missing mapping model", "134140"), ("find model for source store", "134130"),
    ("missing source managed object model", "134130"),
    ("attribute types are incompatible", "134190"),
    ("model used to open the store is incompatible", "134100"),
    ("model version used to open the persistent store is incompatible", "134100"),
    ("an error occurred during persistent store migration", "134110"),
  ]

  /// The identifier of what a sentence stands for.
  static func identifier(ofSentence text: String) -> String? {
    // Apostrophes are straight or curved.
    let text = text.lowercased().replacing("\u{2019}", with: "'")
    return sentences.first { text.contains($0.part) }?.identifier
  }
}
