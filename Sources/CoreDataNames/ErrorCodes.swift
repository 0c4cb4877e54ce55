// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Core Data's error codes, as its header names them.

public let NSManagedObjectValidationError = CoreDataErrorCode.managedObjectValidation.rawValue
public let NSManagedObjectConstraintValidationError =
  CoreDataErrorCode.managedObjectConstraintValidation.rawValue
public let NSValidationMultipleErrorsError = CoreDataErrorCode.validationMultipleErrors.rawValue
public let NSValidationMissingMandatoryPropertyError =
  CoreDataErrorCode.validationMissingMandatoryProperty.rawValue
public let NSValidationRelationshipLacksMinimumCountError =
  CoreDataErrorCode.validationRelationshipLacksMinimumCount.rawValue
public let NSValidationRelationshipExceedsMaximumCountError =
  CoreDataErrorCode.validationRelationshipExceedsMaximumCount.rawValue
public let NSValidationRelationshipDeniedDeleteError =
  CoreDataErrorCode.validationRelationshipDeniedDelete.rawValue
public let NSValidationNumberTooLargeError = CoreDataErrorCode.validationNumberTooLarge.rawValue
public let NSValidationNumberTooSmallError = CoreDataErrorCode.validationNumberTooSmall.rawValue
public let NSValidationDateTooLateError = CoreDataErrorCode.validationDateTooLate.rawValue
public let NSValidationDateTooSoonError = CoreDataErrorCode.validationDateTooSoon.rawValue
public let NSValidationInvalidDateError = CoreDataErrorCode.validationInvalidDate.rawValue
public let NSValidationStringTooLongError = CoreDataErrorCode.validationStringTooLong.rawValue
public let NSValidationStringTooShortError = CoreDataErrorCode.validationStringTooShort.rawValue
public let NSValidationStringPatternMatchingError =
  CoreDataErrorCode.validationStringPatternMatching.rawValue
public let NSValidationInvalidURIError = CoreDataErrorCode.validationInvalidURI.rawValue
public let NSManagedObjectContextLockingError =
  CoreDataErrorCode.managedObjectContextLocking.rawValue
public let NSPersistentStoreCoordinatorLockingError =
  CoreDataErrorCode.persistentStoreCoordinatorLocking.rawValue
public let NSManagedObjectReferentialIntegrityError =
  CoreDataErrorCode.managedObjectReferentialIntegrity.rawValue
public let NSManagedObjectExternalRelationshipError =
  CoreDataErrorCode.managedObjectExternalRelationship.rawValue
public let NSManagedObjectMergeError = CoreDataErrorCode.managedObjectMerge.rawValue
public let NSManagedObjectConstraintMergeError =
  CoreDataErrorCode.managedObjectConstraintMerge.rawValue
public let NSPersistentStoreInvalidTypeError = CoreDataErrorCode.persistentStoreInvalidType.rawValue
public let NSPersistentStoreTypeMismatchError =
  CoreDataErrorCode.persistentStoreTypeMismatch.rawValue
public let NSPersistentStoreIncompatibleSchemaError =
  CoreDataErrorCode.persistentStoreIncompatibleSchema.rawValue
public let NSPersistentStoreSaveError = CoreDataErrorCode.persistentStoreSave.rawValue
public let NSPersistentStoreIncompleteSaveError =
  CoreDataErrorCode.persistentStoreIncompleteSave.rawValue
public let NSPersistentStoreSaveConflictsError =
  CoreDataErrorCode.persistentStoreSaveConflicts.rawValue
public let NSCoreDataError = CoreDataErrorCode.coreData.rawValue
public let NSPersistentStoreOperationError = CoreDataErrorCode.persistentStoreOperation.rawValue
public let NSPersistentStoreOpenError = CoreDataErrorCode.persistentStoreOpen.rawValue
public let NSPersistentStoreTimeoutError = CoreDataErrorCode.persistentStoreTimeout.rawValue
public let NSPersistentStoreUnsupportedRequestTypeError =
  CoreDataErrorCode.persistentStoreUnsupportedRequestType.rawValue
public let NSPersistentStoreIncompatibleVersionHashError =
  CoreDataErrorCode.persistentStoreIncompatibleVersionHash.rawValue
public let NSMigrationError = CoreDataErrorCode.migration.rawValue
public let NSMigrationConstraintViolationError =
  CoreDataErrorCode.migrationConstraintViolation.rawValue
public let NSMigrationCancelledError = CoreDataErrorCode.migrationCancelled.rawValue
public let NSMigrationMissingSourceModelError =
  CoreDataErrorCode.migrationMissingSourceModel.rawValue
public let NSMigrationMissingMappingModelError =
  CoreDataErrorCode.migrationMissingMappingModel.rawValue
public let NSMigrationManagerSourceStoreError =
  CoreDataErrorCode.migrationManagerSourceStore.rawValue
public let NSMigrationManagerDestinationStoreError =
  CoreDataErrorCode.migrationManagerDestinationStore.rawValue
public let NSEntityMigrationPolicyError = CoreDataErrorCode.entityMigrationPolicy.rawValue
public let NSSQLiteError = CoreDataErrorCode.sqlite.rawValue
public let NSInferredMappingModelError = CoreDataErrorCode.inferredMappingModel.rawValue
public let NSExternalRecordImportError = CoreDataErrorCode.externalRecordImport.rawValue
public let NSPersistentHistoryTokenExpiredError =
  CoreDataErrorCode.persistentHistoryTokenExpired.rawValue
public let NSManagedObjectModelReferenceNotFoundError =
  CoreDataErrorCode.managedObjectModelReferenceNotFound.rawValue
public let NSStagedMigrationFrameworkVersionMismatchError =
  CoreDataErrorCode.stagedMigrationFrameworkVersionMismatch.rawValue
public let NSStagedMigrationBackwardMigrationError =
  CoreDataErrorCode.stagedMigrationBackwardMigration.rawValue

// MARK: - CocoaError

extension CocoaError.Code {
  public static let managedObjectValidation = CocoaError.Code(.managedObjectValidation)
  public static let managedObjectConstraintValidation = CocoaError.Code(
    .managedObjectConstraintValidation)
  public static let validationMultipleErrors = CocoaError.Code(.validationMultipleErrors)
  public static let validationMissingMandatoryProperty = CocoaError.Code(
    .validationMissingMandatoryProperty)
  public static let validationRelationshipLacksMinimumCount = CocoaError.Code(
    .validationRelationshipLacksMinimumCount)
  public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(
    .validationRelationshipExceedsMaximumCount)
  public static let validationRelationshipDeniedDelete = CocoaError.Code(
    .validationRelationshipDeniedDelete)
  public static let validationNumberTooLarge = CocoaError.Code(.validationNumberTooLarge)
  public static let validationNumberTooSmall = CocoaError.Code(.validationNumberTooSmall)
  public static let validationDateTooLate = CocoaError.Code(.validationDateTooLate)
  public static let validationDateTooSoon = CocoaError.Code(.validationDateTooSoon)
  public static let validationInvalidDate = CocoaError.Code(.validationInvalidDate)
  public static let validationStringTooLong = CocoaError.Code(.validationStringTooLong)
  public static let validationStringTooShort = CocoaError.Code(.validationStringTooShort)
  public static let validationStringPatternMatching = CocoaError.Code(
    .validationStringPatternMatching)
  public static let validationInvalidURI = CocoaError.Code(.validationInvalidURI)
  public static let managedObjectContextLocking = CocoaError.Code(.managedObjectContextLocking)
  public static let persistentStoreCoordinatorLocking = CocoaError.Code(
    .persistentStoreCoordinatorLocking)
  public static let managedObjectReferentialIntegrity = CocoaError.Code(
    .managedObjectReferentialIntegrity)
  public static let managedObjectExternalRelationship = CocoaError.Code(
    .managedObjectExternalRelationship)
  public static let managedObjectMerge = CocoaError.Code(.managedObjectMerge)
  public static let managedObjectConstraintMerge = CocoaError.Code(.managedObjectConstraintMerge)
  public static let persistentStoreInvalidType = CocoaError.Code(.persistentStoreInvalidType)
  public static let persistentStoreTypeMismatch = CocoaError.Code(.persistentStoreTypeMismatch)
  public static let persistentStoreIncompatibleSchema = CocoaError.Code(
    .persistentStoreIncompatibleSchema)
  public static let persistentStoreSave = CocoaError.Code(.persistentStoreSave)
  public static let persistentStoreIncompleteSave = CocoaError.Code(.persistentStoreIncompleteSave)
  public static let persistentStoreSaveConflicts = CocoaError.Code(.persistentStoreSaveConflicts)
  public static let coreData = CocoaError.Code(.coreData)
  public static let persistentStoreOperation = CocoaError.Code(.persistentStoreOperation)
  public static let persistentStoreOpen = CocoaError.Code(.persistentStoreOpen)
  public static let persistentStoreTimeout = CocoaError.Code(.persistentStoreTimeout)
  public static let persistentStoreUnsupportedRequestType = CocoaError.Code(
    .persistentStoreUnsupportedRequestType)
  public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(
    .persistentStoreIncompatibleVersionHash)
  public static let migration = CocoaError.Code(.migration)
  public static let migrationConstraintViolation = CocoaError.Code(.migrationConstraintViolation)
  public static let migrationCancelled = CocoaError.Code(.migrationCancelled)
  public static let migrationMissingSourceModel = CocoaError.Code(.migrationMissingSourceModel)
  public static let migrationMissingMappingModel = CocoaError.Code(.migrationMissingMappingModel)
  public static let migrationManagerSourceStore = CocoaError.Code(.migrationManagerSourceStore)
  public static let migrationManagerDestinationStore = CocoaError.Code(
    .migrationManagerDestinationStore)
  public static let entityMigrationPolicy = CocoaError.Code(.entityMigrationPolicy)
  public static let sqlite = CocoaError.Code(.sqlite)
  public static let inferredMappingModel = CocoaError.Code(.inferredMappingModel)
  public static let externalRecordImport = CocoaError.Code(.externalRecordImport)
  public static let persistentHistoryTokenExpired = CocoaError.Code(.persistentHistoryTokenExpired)
  public static let managedObjectModelReferenceNotFound = CocoaError.Code(
    .managedObjectModelReferenceNotFound)
  public static let stagedMigrationFrameworkVersionMismatch = CocoaError.Code(
    .stagedMigrationFrameworkVersionMismatch)
  public static let stagedMigrationBackwardMigration = CocoaError.Code(
    .stagedMigrationBackwardMigration)

  private init(_ code: CoreDataErrorCode) { self.init(rawValue: code.rawValue) }
}

extension CocoaError {
  public static let managedObjectValidation = Code.managedObjectValidation
  public static let managedObjectConstraintValidation = Code.managedObjectConstraintValidation
  public static let validationMultipleErrors = Code.validationMultipleErrors
  public static let validationMissingMandatoryProperty = Code.validationMissingMandatoryProperty
  public static let validationRelationshipLacksMinimumCount = Code
    .validationRelationshipLacksMinimumCount
  public static let validationRelationshipExceedsMaximumCount = Code
    .validationRelationshipExceedsMaximumCount
  public static let validationRelationshipDeniedDelete = Code.validationRelationshipDeniedDelete
  public static let validationNumberTooLarge = Code.validationNumberTooLarge
  public static let validationNumberTooSmall = Code.validationNumberTooSmall
  public static let validationDateTooLate = Code.validationDateTooLate
  public static let validationDateTooSoon = Code.validationDateTooSoon
  public static let validationInvalidDate = Code.validationInvalidDate
  public static let validationStringTooLong = Code.validationStringTooLong
  public static let validationStringTooShort = Code.validationStringTooShort
  public static let validationStringPatternMatching = Code.validationStringPatternMatching
  public static let validationInvalidURI = Code.validationInvalidURI
  public static let managedObjectContextLocking = Code.managedObjectContextLocking
  public static let persistentStoreCoordinatorLocking = Code.persistentStoreCoordinatorLocking
  public static let managedObjectReferentialIntegrity = Code.managedObjectReferentialIntegrity
  public static let managedObjectExternalRelationship = Code.managedObjectExternalRelationship
  public static let managedObjectMerge = Code.managedObjectMerge
  public static let managedObjectConstraintMerge = Code.managedObjectConstraintMerge
  public static let persistentStoreInvalidType = Code.persistentStoreInvalidType
  public static let persistentStoreTypeMismatch = Code.persistentStoreTypeMismatch
  public static let persistentStoreIncompatibleSchema = Code.persistentStoreIncompatibleSchema
  public static let persistentStoreSave = Code.persistentStoreSave
  public static let persistentStoreIncompleteSave = Code.persistentStoreIncompleteSave
  public static let persistentStoreSaveConflicts = Code.persistentStoreSaveConflicts
  public static let coreData = Code.coreData
  public static let persistentStoreOperation = Code.persistentStoreOperation
  public static let persistentStoreOpen = Code.persistentStoreOpen
  public static let persistentStoreTimeout = Code.persistentStoreTimeout
  public static let persistentStoreUnsupportedRequestType = Code
    .persistentStoreUnsupportedRequestType
  public static let persistentStoreIncompatibleVersionHash = Code
    .persistentStoreIncompatibleVersionHash
  public static let migration = Code.migration
  public static let migrationConstraintViolation = Code.migrationConstraintViolation
  public static let migrationCancelled = Code.migrationCancelled
  public static let migrationMissingSourceModel = Code.migrationMissingSourceModel
  public static let migrationMissingMappingModel = Code.migrationMissingMappingModel
  public static let migrationManagerSourceStore = Code.migrationManagerSourceStore
  public static let migrationManagerDestinationStore = Code.migrationManagerDestinationStore
  public static let entityMigrationPolicy = Code.entityMigrationPolicy
  public static let sqlite = Code.sqlite
  public static let inferredMappingModel = Code.inferredMappingModel
  public static let externalRecordImport = Code.externalRecordImport
  public static let persistentHistoryTokenExpired = Code.persistentHistoryTokenExpired
  public static let managedObjectModelReferenceNotFound = Code.managedObjectModelReferenceNotFound
  public static let stagedMigrationFrameworkVersionMismatch = Code
    .stagedMigrationFrameworkVersionMismatch
  public static let stagedMigrationBackwardMigration = Code.stagedMigrationBackwardMigration
}
