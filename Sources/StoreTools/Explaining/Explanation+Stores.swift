// Codes of opening, saving and asking stores: 134000 to 134100, and what comes after migrations.

extension Explanation {
  static let stores: [Explanation] = [
    code(
      .persistentStoreInvalidType, "NSPersistentStoreInvalidTypeError",
      "There is no store type with that name.",
      causes: ["An unregistered or misspelt type."],
      remedies: ["Use SQLite for files and InMemory for stores without one."]),
    code(
      .persistentStoreTypeMismatch, "NSPersistentStoreTypeMismatchError",
      "The store is of a type other than the one asked for.",
      causes: ["An XML or binary store is opened as SQLite, or the other way round."],
      remedies: ["Open it with the type it was written with; `heavyweight inspect` shows it."]),
    code(
      .persistentStoreIncompatibleSchema, "NSPersistentStoreIncompatibleSchemaError",
      "The store's tables aren't those of its model.",
      causes: [
        "The file was changed by other means, or a write was cut short.",
        "Files of two stores were mixed: a -wal beside a database that it doesn't belong to.",
      ],
      remedies: [
        "See `heavyweight inspect` for what is missing; always copy .sqlite, -wal and -shm together."
      ]),
    code(
      .persistentStoreSave, "NSPersistentStoreSaveError",
      "The store couldn't write the changes.",
      causes: ["The disk is full, the file is read-only or locked."],
      remedies: ["Look at the underlying error; make room, or open the store for writing."]),
    code(
      .persistentStoreIncompleteSave, "NSPersistentStoreIncompleteSaveError",
      "One of several stores couldn't save; others may have.",
      causes: ["One store of the coordinator is read-only or full."],
      remedies: ["The underlying error says which store refused."]),
    code(
      .persistentStoreSaveConflicts, "NSPersistentStoreSaveConflictsError",
      "Objects were changed elsewhere since they were read.",
      causes: ["Two contexts changed the same objects, with a merge policy that doesn't decide."],
      remedies: ["Choose a merge policy, or refresh objects before changing them."]),
    code(
      .coreData, "NSCoreDataError", "Core Data gives no details.",
      causes: ["An underlying error that has no code of its own."],
      remedies: ["Look at the underlying error."]),
    code(
      .persistentStoreOperation, "NSPersistentStoreOperationError",
      "An operation on a store failed.",
      causes: ["The store was removed, moved, or is in use."],
      remedies: ["Remove the store from all coordinators first, and look at the underlying error."]),
    code(
      .fileReadCorruptFile, "NSFileReadCorruptFileError", "The file isn't an SQLite database.",
      causes: [
        "The file is of another kind, or encrypted.",
        "A copy or download of the store was cut short.",
      ],
      remedies: ["Check the path, and copy the store again with its -wal file."]),
    code(
      .fileReadNoSuchFile, "NSFileReadNoSuchFileError", "There is no such store.",
      causes: [
        "The path is wrong, or the store was moved or removed.",
        "A store that doesn't exist can't be opened for reading only, nor asked for its metadata.",
      ],
      remedies: ["Check the path; a store is created only when it is opened for writing."]),
    code(
      .persistentStoreOpen, "NSPersistentStoreOpenError", "The store couldn't be opened.",
      causes: [
        "The file may not be read, or it is a folder, a device or a pipe.",
        "The database wasn't written by Core Data, or is damaged.",
      ],
      remedies: ["Check the path, then run `heavyweight inspect` on the file."]),
    code(
      .persistentStoreTimeout, "NSPersistentStoreTimeoutError",
      "The store couldn't be reached in time.",
      causes: ["Another process holds a lock on it."],
      remedies: ["End the other process, or work on a copy of all of the store's files."]),
    code(
      .persistentStoreUnsupportedRequestType, "NSPersistentStoreUnsupportedRequestTypeError",
      "The store can't execute this kind of request.",
      causes: ["A batch request to a store in memory."],
      remedies: ["Send batch requests to SQLite stores only."]),
    code(
      .persistentStoreIncompatibleVersionHash, "NSPersistentStoreIncompatibleVersionHashError",
      "The store was written with another version of the model, and may not be migrated.",
      causes: [
        "A released version of the model was edited in place instead of a new version being added.",
        "Automatic migration is off.",
        "A migration manager was given a store that doesn't match its source model.",
      ],
      remedies: [
        "Add a new model version instead of editing a released one (`heavyweight lock` guards them), "
          + "and migrate the store: `heavyweight inspect` shows which version it is."
      ]),
  ]
}
