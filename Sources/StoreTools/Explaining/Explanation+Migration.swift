// Codes of migrations: 134110 and above.

extension Explanation {
  static let migration = migrating + choosing + other

  private static let migrating: [Explanation] = [
    code(
      .migration, "NSMigrationError", "The migration failed while it ran.",
      causes: [
        "A required property is new, has no default value, and there are rows.",
        "A uniqueness constraint is new, and there are duplicates.",
        "A policy's class isn't found: it must be named with its module, as App.SongPolicy.",
        "A value expression calls a method that the policy doesn't have, or names an entity "
          + "mapping or a relationship that isn't there.",
        "A policy gives a value of the wrong type, or an object of the source context.",
      ],
      remedies: [
        "The error's pass, entity mapping and property say which expression or policy "
          + "method to look at. A required property that is new needs a default value."
      ]),
    code(
      .migrationConstraintViolation, "NSMigrationConstraintViolationError",
      "Rows of the old store have equal values where the new version requires unique ones. A device's error is "
        + "134110; this code is at most that of the error within.",
      causes: ["A uniqueness constraint was added, and old stores hold duplicates."],
      remedies: [
        "Merge the duplicates in a policy, or in the app before this step; a store without "
          + "duplicates migrates, which hides the bug in fresh installations."
      ]),
    code(
      .migrationCancelled, "NSMigrationCancelledError", "The migration was cancelled.",
      causes: ["A policy or the app called cancelMigrationWithError, without a usable error."],
      remedies: ["Pass an error that says why, and look for the call in the policy named here."]),
    code(
      .migrationManagerSourceStore, "NSMigrationManagerSourceStoreError",
      "The migration manager can't open the old store.",
      causes: ["The store doesn't match the manager's source model, is damaged, or doesn't exist."],
      remedies: ["See which version the store is with `heavyweight inspect`."]),
    code(
      .migrationManagerDestinationStore, "NSMigrationManagerDestinationStoreError",
      "The migration manager can't make or open the new store.",
      causes: [
        "The folder doesn't exist or isn't writable.",
        "A file of another version, left by an earlier attempt, is in the way.",
      ],
      remedies: ["Migrate to a URL where there is no file, then replace the old store."]),
    code(
      .entityMigrationPolicy, "NSEntityMigrationPolicyError",
      "A hook of a migration policy failed without saying why.",
      causes: ["A hook returned NO, or threw an error without content."],
      remedies: ["Throw an error that says what was wrong from the hook that is named here."]),
    code(
      .sqlite, "NSSQLiteError", "SQLite refused.",
      causes: [
        "The file is damaged, locked or on a full disk.",
        "The -wal beside the file belongs to another database.",
        "A source predicate, or one of a policy, joins a thousand conditions by AND or OR.",
      ],
      remedies: [
        "Look at SQLite's own code in the error; `heavyweight inspect` checks the file without "
          + "writing to it.",
        "Compare with a list, as in 'key IN {…}', instead of joining many conditions.",
      ]),
  ]

  private static let choosing: [Explanation] = [
    code(
      .migrationMissingSourceModel, "NSMigrationMissingSourceModelError",
      "No version of the model fits the store.",
      causes: [
        "A released version was edited after stores had been written with it.",
        "An old version was removed from the .xcdatamodeld.",
        "The store was written with several merged models, and not all of them are given.",
      ],
      remedies: [
        "Restore the version that the store was written with: `heavyweight inspect STORE "
          + "--models MODEL` names the nearest and what differs, `heavyweight lock` keeps it from "
          + "happening again."
      ]),
    code(
      .migrationMissingMappingModel, "NSMigrationMissingMappingModelError",
      "No mapping model fits the step, and none can or may be inferred.",
      causes: [
        "A mapping model exists, but a version was edited after it was made: it no longer fits.",
        "The change is more than can be inferred (134190 is the error behind this one).",
        "Inferring is off (NSInferMappingModelAutomaticallyOption).",
        "A store is opened several versions later, and no mapping model leads straight to the last one: "
          + "Core Data takes one step only.",
      ],
      remedies: [
        "Give the step a mapping model, or recreate the one it has after the last change to either "
          + "version; `heavyweight check` lists which mapping fits which step."
      ]),
    code(
      .inferredMappingModel, "NSInferredMappingModelError",
      "No mapping can be inferred for the change between two versions.",
      causes: [
        "An attribute's type changed, other than from one kind of number to another.",
        "Two entities without a common ancestor got one.",
        "Two renamings claim one entity or relationship, of which it isn't known what a device does.",
      ],
      remedies: [
        "Write a mapping model for this step, or change the model in smaller steps: add the new "
          + "property in one version, fill it in a policy or in the app, remove the old one later."
      ]),
  ]

  private static let other: [Explanation] = [
    code(
      .externalRecordImport, "NSExternalRecordImportError",
      "External records couldn't be imported.",
      causes: ["A record that doesn't fit the model."],
      remedies: ["Look at the underlying error."]),
    code(
      .persistentHistoryTokenExpired, "NSPersistentHistoryTokenExpiredError",
      "The history that a token points to is gone.",
      causes: ["The history was purged, or the store was migrated or replaced since."],
      remedies: ["Read everything again, and use a new token."]),
    code(
      .managedObjectModelReferenceNotFound, "NSManagedObjectModelReferenceNotFoundError",
      "A stage of a staged migration names a model that doesn't exist, or that has changed.",
      causes: ["The version checksum in the code is that of an earlier state of the version."],
      remedies: ["Compare the checksum with the version's; `heavyweight lock` keeps them."]),
    code(
      .stagedMigrationFrameworkVersionMismatch,
      "NSStagedMigrationFrameworkVersionMismatchError",
      "The store was written by an older framework than staged migration knows.",
      causes: ["The metadata has no version hashes that stages could be found by."],
      remedies: ["Migrate such stores by a mapping model first."]),
    code(
      .stagedMigrationBackwardMigration, "NSStagedMigrationBackwardMigrationError",
      "The stages lead to a version before the store's own.",
      causes: ["The stages are in the wrong order, or the store is newer than the app."],
      remedies: ["Put the stages in the order in which the versions came."]),
  ]
}
