/// Core Data's error codes, with the names of its header, and those of Foundation's that it gives for files.
public enum CoreDataErrorCode: Int, Sendable, Hashable, CaseIterable {
  /// For a file that is no database.
  case fileReadCorruptFile = 259
  case fileReadNoSuchFile = 260
  /// For a save in a store that is open for reading only.
  case fileWriteNoPermission = 513

  case managedObjectValidation = 1550
  case managedObjectConstraintValidation = 1551
  case validationMultipleErrors = 1560
  case validationMissingMandatoryProperty = 1570
  case validationRelationshipLacksMinimumCount = 1580
  case validationRelationshipExceedsMaximumCount = 1590
  case validationRelationshipDeniedDelete = 1600
  case validationNumberTooLarge = 1610
  case validationNumberTooSmall = 1620
  case validationDateTooLate = 1630
  case validationDateTooSoon = 1640
  case validationInvalidDate = 1650
  case validationStringTooLong = 1660
  case validationStringTooShort = 1670
  case validationStringPatternMatching = 1680
  case validationInvalidURI = 1690

  case managedObjectContextLocking = 132000
  case persistentStoreCoordinatorLocking = 132010

  case managedObjectReferentialIntegrity = 133000
  case managedObjectExternalRelationship = 133010
  case managedObjectMerge = 133020
  case managedObjectConstraintMerge = 133021

  case persistentStoreInvalidType = 134000
  case persistentStoreTypeMismatch = 134010
  case persistentStoreIncompatibleSchema = 134020
  case persistentStoreSave = 134030
  case persistentStoreIncompleteSave = 134040
  case persistentStoreSaveConflicts = 134050
  case coreData = 134060
  case persistentStoreOperation = 134070
  case persistentStoreOpen = 134080
  case persistentStoreTimeout = 134090
  case persistentStoreUnsupportedRequestType = 134091
  case persistentStoreIncompatibleVersionHash = 134100

  case migration = 134110
  case migrationConstraintViolation = 134111
  case migrationCancelled = 134120
  case migrationMissingSourceModel = 134130
  case migrationMissingMappingModel = 134140
  case migrationManagerSourceStore = 134150
  case migrationManagerDestinationStore = 134160
  case entityMigrationPolicy = 134170
  case sqlite = 134180
  case inferredMappingModel = 134190
  case externalRecordImport = 134200
  case persistentHistoryTokenExpired = 134301
  case managedObjectModelReferenceNotFound = 134504
  case stagedMigrationFrameworkVersionMismatch = 134505
  case stagedMigrationBackwardMigration = 134506
}
