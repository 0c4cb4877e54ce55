// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Keys and names that Core Data's headers declare.

// MARK: Variables of value expressions

public let NSMigrationManagerKey = "manager"
public let NSMigrationSourceObjectKey = "source"
public let NSMigrationDestinationObjectKey = "destination"
public let NSMigrationEntityMappingKey = "entityMapping"
public let NSMigrationPropertyMappingKey = "propertyMapping"
public let NSMigrationEntityPolicyKey = "entityPolicy"

// MARK: An error's user info

public let NSDetailedErrorsKey = "NSDetailedErrors"
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
public let NSValidationValueErrorKey = "NSValidationErrorValue"
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

// MARK: Stores

public let NSSQLiteStoreType = "SQLite"
public let NSBinaryStoreType = "Binary"
public let NSInMemoryStoreType = "InMemory"
public let NSStoreTypeKey = "NSStoreType"
public let NSStoreUUIDKey = "NSStoreUUID"
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
public let NSPersistenceFrameworkVersionKey = "NSPersistenceFrameworkVersion"
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
public let NSMigratePersistentStoresAutomaticallyOption =
  "NSMigratePersistentStoresAutomaticallyOption"
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Of Core Data's own iCloud, which has ended: nothing comes of these.
public let NSPersistentStoreUbiquitousContentNameKey =
  "NSPersistentStoreUbiquitousContentNameKey"
public let NSPersistentStoreUbiquitousContentURLKey =
  "NSPersistentStoreUbiquitousContentURLKey"
public let NSPersistentStoreRemoveUbiquitousMetadataOption =
  "NSPersistentStoreRemoveUbiquitousMetadataOption"
public let NSPersistentHistoryTokenKey = "historyToken"
public let NSPersistentStoreURLKey = "storeURL"
public let NSAddedPersistentStoresKey = PersistentStoreCoordinator.addedStoresKey
public let NSRemovedPersistentStoresKey = PersistentStoreCoordinator.removedStoresKey
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStores"
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
public let NSBinaryStoreInsecureDecodingCompatibilityOption =
  "NSBinaryStoreInsecureDecodingCompatibilityOption"
public let NSModelPathKey = "NSModelPath"
public let NSStoreModelVersionHashesVersionKey = "NSStoreModelVersionHashesVersion"
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

public let NSXMLStoreType = "XML"
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// The number of the framework whose stores the engine writes.
public let NSCoreDataVersionNumber: Double = 1344
