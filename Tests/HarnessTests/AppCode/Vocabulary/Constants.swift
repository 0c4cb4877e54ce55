import CoreData

/// Every constant that is offered, by Apple's name.
enum Constants {
  static let stores: [String] = [
    NSSQLiteStoreType, NSBinaryStoreType, NSInMemoryStoreType, NSStoreTypeKey, NSStoreUUIDKey,
    NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
    NSStoreModelVersionHashesVersionKey, NSPersistenceFrameworkVersionKey,
  ]
  static let options: [String] = [
    NSReadOnlyPersistentStoreOption, NSMigratePersistentStoresAutomaticallyOption,
    NSInferMappingModelAutomaticallyOption, NSSQLitePragmasOption, NSSQLiteAnalyzeOption,
    NSSQLiteManualVacuumOption, NSIgnorePersistentStoreVersioningOption,
    NSPersistentStoreTimeoutOption, NSPersistentStoreForceDestroyOption,
    NSPersistentStoreFileProtectionKey, NSPersistentHistoryTrackingKey,
    NSPersistentStoreRemoteChangeNotificationPostOptionKey, NSModelPathKey,
    NSPersistentStoreStagedMigrationManagerOptionKey, NSBinaryStoreSecureDecodingClasses,
    NSBinaryStoreInsecureDecodingCompatibilityOption,
    NSPersistentStoreDeferredLightweightMigrationOptionKey,
    NSPersistentStoreUbiquitousContentNameKey, NSPersistentStoreUbiquitousContentURLKey,
    NSPersistentStoreRemoveUbiquitousMetadataOption,
    Notification.Name.NSPersistentStoreDidImportUbiquitousContentChanges.rawValue,
  ]
  static let storeChanges: [String] = [
    NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey, NSUUIDChangedPersistentStoresKey,
    NSPersistentHistoryTokenKey, NSPersistentStoreURLKey,
  ]
  static let transformers: [NSValueTransformerName] = [
    .secureUnarchiveFromDataTransformerName, .keyedUnarchiveFromDataTransformerName,
    .unarchiveFromDataTransformerName, .negateBooleanTransformerName, .isNilTransformerName,
    .isNotNilTransformerName,
  ]
  static let userInfo: [String] = [
    NSDetailedErrorsKey, NSValidationObjectErrorKey, NSValidationKeyErrorKey,
    NSValidationPredicateErrorKey, NSValidationValueErrorKey, NSAffectedStoresErrorKey,
    NSAffectedObjectsErrorKey, NSPersistentStoreSaveConflictsErrorKey, NSSQLiteErrorDomain,
    NSCocoaErrorDomain, NSUnderlyingErrorKey,
  ]
  static let variables: [String] = [
    NSMigrationManagerKey, NSMigrationSourceObjectKey, NSMigrationDestinationObjectKey,
    NSMigrationEntityMappingKey, NSMigrationPropertyMappingKey, NSMigrationEntityPolicyKey,
  ]
  static let changes: [String] = [
    NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
    NSInvalidatedObjectsKey, NSInvalidatedAllObjectsKey, NSInsertedObjectIDsKey,
    NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey,
  ]
  static let notifications: [Notification.Name] = [
    .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
    .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSaveObjectIDs,
    .NSManagedObjectContextDidMergeChangesObjectIDs,
    NSManagedObjectContext.willSaveObjectsNotification,
    NSManagedObjectContext.didSaveObjectsNotification,
    NSManagedObjectContext.didChangeObjectsNotification,
    NSManagedObjectContext.didSaveObjectIDsNotification,
    .NSPersistentStoreRemoteChange, .NSPersistentStoreCoordinatorStoresDidChange,
    .NSPersistentStoreCoordinatorStoresWillChange, .NSPersistentStoreCoordinatorWillRemoveStore,
  ]
  static let mergePolicies: [NSMergePolicy] = [
    NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy,
    NSMergeByPropertyObjectTrumpMergePolicy, NSOverwriteMergePolicy, NSRollbackMergePolicy,
    .error, .rollback, .overwrite, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump,
  ]
  static let attributeTypes: [NSAttributeType] = [
    .undefinedAttributeType, .integer16AttributeType, .integer32AttributeType,
    .integer64AttributeType, .decimalAttributeType, .doubleAttributeType, .floatAttributeType,
    .stringAttributeType, .booleanAttributeType, .dateAttributeType, .binaryDataAttributeType,
    .UUIDAttributeType, .URIAttributeType, .transformableAttributeType, .objectIDAttributeType,
    .compositeAttributeType, .integer16, .integer32, .integer64, .decimal, .double, .float,
    .string, .boolean, .date, .binaryData, .uuid, .uri, .transformable,
  ]
  static let units: [UInt64] = [NSEC_PER_SEC, NSEC_PER_MSEC]
  static let deleteRules: [NSDeleteRule] = [
    .noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
  ]
  static let mappingTypes: [NSEntityMappingType] = [
    .undefinedEntityMappingType, .customEntityMappingType, .addEntityMappingType,
    .removeEntityMappingType, .copyEntityMappingType, .transformEntityMappingType,
  ]
}
