// What `heavyweight inspect` finds in stores.

extension Explanation {
  static let storeFindings = IntegrityFinding.Kind.allCases.map { kind in
    Explanation(
      kind.rawValue, "finding of `heavyweight inspect`, \(kind.severity.rawValue)",
      meaning: kind.meaning, causes: kind.usualCauses, remedies: [kind.remedy])
  }
}

extension IntegrityFinding.Kind {
  /// What it says of a store, in a sentence.
  var meaning: String {
    meaningOfFile ?? meaningOfTables ?? meaningOfRows ?? meaningOfLinks
      ?? "Core Data wouldn't have left the store like this."
  }

  private var meaningOfFile: String? {
    switch self {
    case .sqliteIntegrity: "SQLite's own check of the file (PRAGMA integrity_check) complains."
    case .unreadableTable: "SQLite can't read something to its end."
    case .unreadableLog:
      "The -wal file isn't a write-ahead log, or holds no intact committed change."
    case .metadata: "Z_METADATA is empty, isn't a property list, or lacks version hashes."
    case .storeIdentifier: "The store's identifier isn't a UUID."
    case .modelCache: "The model that the store keeps of itself can't be read."
    case .staleModelCache: "The model in the store has other hashes than its metadata."
    case .hashesDigest: "The digest or checksum doesn't belong to the version hashes."
    case .versionUnknown: "The store matches none of the versions of the model."
    default: nil
    }
  }

  private var meaningOfTables: String? {
    switch self {
    case .missingTable: "The file lacks a table that the model requires."
    case .missingColumn: "A table lacks a column that the model requires."
    case .columnType: "A column is declared with a type other than Core Data's."
    case .extraColumn: "A table has columns that belong to no property."
    case .schemaUnknown:
      "The model has something whose storage isn't known; rows weren't checked."
    case .missingEntityNumber: "An entity has no row in Z_PRIMARYKEY, which numbers entities."
    case .unknownEntityNumber: "Z_PRIMARYKEY has an entity that the model doesn't have."
    case .oldEntityName: "Z_PRIMARYKEY has an entity's name from before a renaming in place."
    case .wrongSuperentity: "Z_SUPER isn't the number of the superentity."
    case .staleMaximum:
      "Z_MAX is below a primary key in use. A new object gets a key above both."
    case .ignoredSchema:
      "The file has triggers, views, virtual tables, generated columns or CHECKs, which nothing here runs."
    case .inPlaceObstacle:
      "A later version's migration in place would make something that the file has already: it fails with 134110."
    case .deferredMigration:
      "A lightweight migration was deferred and is yet to be finished: the file keeps what it is to remove."
    case .missingUniqueIndex: "No unique index enforces a uniqueness constraint."
    default: nil
    }
  }

  private var meaningOfRows: String? {
    switch self {
    case .wrongEntity: "A row's Z_ENT is the number of another table's entity, or of none."
    case .abstractEntity: "A row is of an abstract entity."
    case .missingValue:
      "A required attribute or to-one relationship is nil: a migration fails with 1570."
    case .wrongType: "A value isn't of its attribute's type, or out of its range."
    case .invalidValue: "A value breaks a minimum, maximum or pattern of the model."
    case .lockCounter: "Z_OPT, which counts a row's saves, is missing."
    case .duplicateValues: "Rows share a value that must be unique."
    default: nil
    }
  }

  private var meaningOfLinks: String? {
    switch self {
    case .danglingReference: "A to-one relationship leads to a row that isn't there."
    case .wrongDestination: "A relationship leads to a row of another entity."
    case .wrongEntityColumn:
      "The column beside a key names another entity than the destination has."
    case .oneSidedInverse: "Only one of the two sides of a relationship has the link."
    case .orphanLink: "A row of a join table leads to no row."
    case .wrongCount: "An object has fewer or more links than the model allows."
    case .missingOrder: "Objects in an ordered relationship have no position; they come last."
    case .missingExternalFile: "The file of a large value isn't in the store's _SUPPORT folder."
    case .unknownExternalTag:
      "A value with external storage begins with neither of the bytes that tell where the data is."
    case .orphanExternalFile: "A file in the store's _SUPPORT folder is used by no row."
    case .historyReference: "Persistent history names an entity or transaction that isn't there."
    default: nil
    }
  }

  fileprivate var usualCauses: [String] {
    switch self {
    case .sqliteIntegrity, .unreadableTable:
      ["The file was copied while it was written, or without its -wal."]
    case .unreadableLog: ["The -wal belongs to another database, or was cut off."]
    case .versionUnknown, .staleModelCache:
      ["A released version of the model was edited, or removed from the .xcdatamodeld."]
    case .missingValue: ["The property was optional once, or rows were written by SQL."]
    case .danglingReference, .orphanLink, .oneSidedInverse:
      ["A relationship without inverse or with No Action kept what was deleted, or SQL did it."]
    case .duplicateValues, .missingUniqueIndex: ["The constraint came after the rows."]
    case .missingExternalFile: ["The .sqlite was copied without the hidden _SUPPORT folder."]
    case .staleMaximum: ["Rows were inserted by SQL."]
    default: []
    }
  }

  /// What to do, by what it costs to leave it.
  var remedy: String {
    switch self {
    case .sqliteIntegrity, .unreadableTable, .unreadableLog:
      "Ask for the .sqlite, -wal and -shm copied together; then try `sqlite3 FILE .recover`."
    case .versionUnknown, .staleModelCache:
      "Restore the version that the store was written with; `heavyweight lock` guards versions."
    case .missingValue, .invalidValue, .wrongType, .duplicateValues, .wrongCount:
      "Repair such rows in a policy, or in the app before the next version; put one into a "
        + "scenario's seed, to keep it repaired."
    case .missingExternalFile, .orphanExternalFile:
      "Copy a store with its hidden folder .NAME_SUPPORT."
    case .staleMaximum, .lockCounter, .wrongEntity, .wrongSuperentity, .missingEntityNumber:
      "Don't write to stores with SQL; migrate a copy, which renumbers everything."
    case .ignoredSchema:
      "Nothing, if it is Core Data's own: triggers Z_DA_… for derived attributes, which call "
        + "NSCoreDataDATriggerUpdatedAffectedObjectValue. Otherwise find out who added it: on a device it runs."
    case .inPlaceObstacle:
      "Let the app remove it before the step, or migrate with a mapping model, into a new file."
    case .deferredMigration:
      "Call finishDeferredLightweightMigration() in the app; what the next migration does otherwise isn't known."
    case .oldEntityName, .extraColumn, .missingOrder, .schemaUnknown, .historyReference:
      "Nothing: sound stores have it too."
    default: "Migrate a copy with `heavyweight migrate`, and inspect the result."
    }
  }
}
