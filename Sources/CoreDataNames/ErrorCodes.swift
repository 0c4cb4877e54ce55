// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Core Data's error codes, as its header names them.

public let NSManagedObjectValidationError = number(.managedObjectValidation)
public let NSManagedObjectConstraintValidationError = number(.managedObjectConstraintValidation)
public let NSValidationMultipleErrorsError = number(.validationMultipleErrors)
public let NSValidationMissingMandatoryPropertyError = number(.validationMissingMandatoryProperty)
public let NSValidationRelationshipLacksMinimumCountError =
  number(.validationRelationshipLacksMinimumCount)
public let NSValidationRelationshipExceedsMaximumCountError =
  number(.validationRelationshipExceedsMaximumCount)
public let NSValidationRelationshipDeniedDeleteError = number(.validationRelationshipDeniedDelete)
public let NSValidationNumberTooLargeError = number(.validationNumberTooLarge)
public let NSValidationNumberTooSmallError = number(.validationNumberTooSmall)
public let NSValidationDateTooLateError = number(.validationDateTooLate)
public let NSValidationDateTooSoonError = number(.validationDateTooSoon)
public let NSValidationInvalidDateError = number(.validationInvalidDate)
public let NSValidationStringTooLongError = number(.validationStringTooLong)
public let NSValidationStringTooShortError = number(.validationStringTooShort)
public let NSValidationStringPatternMatchingError = number(.validationStringPatternMatching)
public let NSValidationInvalidURIError = number(.validationInvalidURI)
public let NSManagedObjectContextLockingError = number(.managedObjectContextLocking)
public let NSPersistentStoreCoordinatorLockingError = number(.persistentStoreCoordinatorLocking)
public let NSManagedObjectReferentialIntegrityError = number(.managedObjectReferentialIntegrity)
public let NSManagedObjectExternalRelationshipError = number(.managedObjectExternalRelationship)
public let NSManagedObjectMergeError = number(.managedObjectMerge)
public let NSManagedObjectConstraintMergeError = number(.managedObjectConstraintMerge)
public let NSPersistentStoreInvalidTypeError = number(.persistentStoreInvalidType)
public let NSPersistentStoreTypeMismatchError = number(.persistentStoreTypeMismatch)
public let NSPersistentStoreIncompatibleSchemaError = number(.persistentStoreIncompatibleSchema)
public let NSPersistentStoreSaveError = number(.persistentStoreSave)
public let NSPersistentStoreIncompleteSaveError = number(.persistentStoreIncompleteSave)
public let NSPersistentStoreSaveConflictsError = number(.persistentStoreSaveConflicts)
public let NSCoreDataError = number(.coreData)
public let NSPersistentStoreOperationError = number(.persistentStoreOperation)
public let NSPersistentStoreOpenError = number(.persistentStoreOpen)
public let NSPersistentStoreTimeoutError = number(.persistentStoreTimeout)
public let NSPersistentStoreUnsupportedRequestTypeError =
  number(.persistentStoreUnsupportedRequestType)
public let NSPersistentStoreIncompatibleVersionHashError =
  number(.persistentStoreIncompatibleVersionHash)
public let NSMigrationError = number(.migration)
public let NSMigrationConstraintViolationError = number(.migrationConstraintViolation)
public let NSMigrationCancelledError = number(.migrationCancelled)
public let NSMigrationMissingSourceModelError = number(.migrationMissingSourceModel)
public let NSMigrationMissingMappingModelError = number(.migrationMissingMappingModel)
public let NSMigrationManagerSourceStoreError = number(.migrationManagerSourceStore)
public let NSMigrationManagerDestinationStoreError = number(.migrationManagerDestinationStore)
public let NSEntityMigrationPolicyError = number(.entityMigrationPolicy)
public let NSSQLiteError = number(.sqlite)
public let NSInferredMappingModelError = number(.inferredMappingModel)
public let NSExternalRecordImportError = number(.externalRecordImport)
public let NSPersistentHistoryTokenExpiredError = number(.persistentHistoryTokenExpired)
public let NSManagedObjectModelReferenceNotFoundError = number(.managedObjectModelReferenceNotFound)
public let NSStagedMigrationFrameworkVersionMismatchError =
  number(.stagedMigrationFrameworkVersionMismatch)
public let NSStagedMigrationBackwardMigrationError = number(.stagedMigrationBackwardMigration)

private func number(_ code: CoreDataErrorCode) -> Int { code.rawValue }

// MARK: - CocoaError

/// The codes by their names in Swift, which an error has as well as its code.
public protocol CoreDataErrorCodes {}

extension CocoaError: CoreDataErrorCodes {}
extension CocoaError.Code: CoreDataErrorCodes {}

extension CoreDataErrorCodes {
  public typealias Code = CocoaError.Code

  public static var managedObjectValidation: Code { code(.managedObjectValidation) }
  public static var managedObjectConstraintValidation: Code {
    code(.managedObjectConstraintValidation)
  }
  public static var validationMultipleErrors: Code { code(.validationMultipleErrors) }
  public static var validationMissingMandatoryProperty: Code {
    code(.validationMissingMandatoryProperty)
  }
  public static var validationRelationshipLacksMinimumCount: Code {
    code(.validationRelationshipLacksMinimumCount)
  }
  public static var validationRelationshipExceedsMaximumCount: Code {
    code(.validationRelationshipExceedsMaximumCount)
  }
  public static var validationRelationshipDeniedDelete: Code {
    code(.validationRelationshipDeniedDelete)
  }
  public static var validationNumberTooLarge: Code { code(.validationNumberTooLarge) }
  public static var validationNumberTooSmall: Code { code(.validationNumberTooSmall) }
  public static var validationDateTooLate: Code { code(.validationDateTooLate) }
  public static var validationDateTooSoon: Code { code(.validationDateTooSoon) }
  public static var validationInvalidDate: Code { code(.validationInvalidDate) }
  public static var validationStringTooLong: Code { code(.validationStringTooLong) }
  public static var validationStringTooShort: Code { code(.validationStringTooShort) }
  public static var validationStringPatternMatching: Code { code(.validationStringPatternMatching) }
  public static var validationInvalidURI: Code { code(.validationInvalidURI) }
  public static var managedObjectContextLocking: Code { code(.managedObjectContextLocking) }
  public static var persistentStoreCoordinatorLocking: Code {
    code(.persistentStoreCoordinatorLocking)
  }
  public static var managedObjectReferentialIntegrity: Code {
    code(.managedObjectReferentialIntegrity)
  }
  public static var managedObjectExternalRelationship: Code {
    code(.managedObjectExternalRelationship)
  }
  public static var managedObjectMerge: Code { code(.managedObjectMerge) }
  public static var managedObjectConstraintMerge: Code { code(.managedObjectConstraintMerge) }
  public static var persistentStoreInvalidType: Code { code(.persistentStoreInvalidType) }
  public static var persistentStoreTypeMismatch: Code { code(.persistentStoreTypeMismatch) }
  public static var persistentStoreIncompatibleSchema: Code {
    code(.persistentStoreIncompatibleSchema)
  }
  public static var persistentStoreSave: Code { code(.persistentStoreSave) }
  public static var persistentStoreIncompleteSave: Code { code(.persistentStoreIncompleteSave) }
  public static var persistentStoreSaveConflicts: Code { code(.persistentStoreSaveConflicts) }
  public static var coreData: Code { code(.coreData) }
  public static var persistentStoreOperation: Code { code(.persistentStoreOperation) }
  public static var persistentStoreOpen: Code { code(.persistentStoreOpen) }
  public static var persistentStoreTimeout: Code { code(.persistentStoreTimeout) }
  public static var persistentStoreUnsupportedRequestType: Code {
    code(.persistentStoreUnsupportedRequestType)
  }
  public static var persistentStoreIncompatibleVersionHash: Code {
    code(.persistentStoreIncompatibleVersionHash)
  }
  public static var migration: Code { code(.migration) }
  public static var migrationConstraintViolation: Code { code(.migrationConstraintViolation) }
  public static var migrationCancelled: Code { code(.migrationCancelled) }
  public static var migrationMissingSourceModel: Code { code(.migrationMissingSourceModel) }
  public static var migrationMissingMappingModel: Code { code(.migrationMissingMappingModel) }
  public static var migrationManagerSourceStore: Code { code(.migrationManagerSourceStore) }
  public static var migrationManagerDestinationStore: Code {
    code(.migrationManagerDestinationStore)
  }
  public static var entityMigrationPolicy: Code { code(.entityMigrationPolicy) }
  public static var sqlite: Code { code(.sqlite) }
  public static var inferredMappingModel: Code { code(.inferredMappingModel) }
  public static var externalRecordImport: Code { code(.externalRecordImport) }
  public static var persistentHistoryTokenExpired: Code { code(.persistentHistoryTokenExpired) }
  public static var managedObjectModelReferenceNotFound: Code {
    code(.managedObjectModelReferenceNotFound)
  }
  public static var stagedMigrationFrameworkVersionMismatch: Code {
    code(.stagedMigrationFrameworkVersionMismatch)
  }
  public static var stagedMigrationBackwardMigration: Code {
    code(.stagedMigrationBackwardMigration)
  }

  private static func code(_ code: CoreDataErrorCode) -> Code { Code(rawValue: code.rawValue) }
}
