// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Notifications of contexts, in the spellings before Swift's own.

extension Notification.Name {
  public static let NSManagedObjectContextWillSave = ManagedObjectContext
    .willSaveObjectsNotification
  public static let NSManagedObjectContextDidSave = ManagedObjectContext.didSaveObjectsNotification
  public static let NSManagedObjectContextObjectsDidChange = ManagedObjectContext
    .didChangeObjectsNotification
  public static let NSManagedObjectContextDidSaveObjectIDs = ManagedObjectContext
    .didSaveObjectIDsNotification
  public static let NSManagedObjectContextDidMergeChangesObjectIDs = ManagedObjectContext
    .didMergeChangesObjectIDsNotification
}

public let NSInsertedObjectsKey = ManagedObjectContext.NotificationKey.insertedObjects.rawValue
public let NSUpdatedObjectsKey = ManagedObjectContext.NotificationKey.updatedObjects.rawValue
public let NSDeletedObjectsKey = ManagedObjectContext.NotificationKey.deletedObjects.rawValue
public let NSRefreshedObjectsKey = ManagedObjectContext.NotificationKey.refreshedObjects.rawValue
public let NSInvalidatedObjectsKey = ManagedObjectContext.NotificationKey.invalidatedObjects
  .rawValue
public let NSInvalidatedAllObjectsKey = ManagedObjectContext.NotificationKey.invalidatedAllObjects
  .rawValue
public let NSInsertedObjectIDsKey = ManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
public let NSUpdatedObjectIDsKey = ManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue
public let NSDeletedObjectIDsKey = ManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue

public let NSErrorMergePolicy = MergePolicy.error
public let NSMergeByPropertyStoreTrumpMergePolicy = MergePolicy.mergeByPropertyStoreTrump
public let NSMergeByPropertyObjectTrumpMergePolicy = MergePolicy.mergeByPropertyObjectTrump
public let NSOverwriteMergePolicy = MergePolicy.overwrite
public let NSRollbackMergePolicy = MergePolicy.rollback
