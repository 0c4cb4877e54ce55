import CoreData

/// Every type that is offered, by Apple's name. Only compiled: a name that is lost is an error here.
enum Types {
  static let model: [Any.Type] = [
    NSManagedObjectModel.self, NSEntityDescription.self, NSPropertyDescription.self,
    NSAttributeDescription.self, NSRelationshipDescription.self, NSFetchedPropertyDescription.self,
    NSFetchIndexDescription.self, NSFetchIndexElementDescription.self, NSAttributeType.self,
    NSAttributeDescription.AttributeType.self, NSDeleteRule.self, NSFetchIndexElementType.self,
    NSManagedObjectModelReference.self, NSDerivedAttributeDescription.self,
    NSCompositeAttributeDescription.self,
  ]
  static let stack: [Any.Type] = [
    NSManagedObject.self, NSManagedObjectID.self, NSManagedObjectContext.self,
    NSManagedObjectContextConcurrencyType.self, NSManagedObjectContext.ConcurrencyType.self,
    NSPersistentStore.self, NSPersistentStore.StoreType.self, NSPersistentStoreCoordinator.self,
    NSPersistentStoreDescription.self, NSPersistentContainer.self, NSMergePolicy.self,
    NSMergePolicyType.self, NSMergeConflict.self, NSConstraintConflict.self,
  ]
  static let fetching: [Any.Type] = [
    NSFetchRequest<NSManagedObject>.self, NSFetchRequest<NSManagedObjectID>.self,
    NSFetchRequest<NSDictionary>.self, NSFetchRequest<NSNumber>.self,
    NSFetchRequest<NSFetchRequestResult>.self, NSPredicate.self, NSCompoundPredicate.self,
    NSComparisonPredicate.self, NSExpression.self, NSSortDescriptor.self,
    NSFetchedResultsController<NSManagedObject>.self, NSFetchedResultsChangeType.self,
  ]
  static let archives: [Any.Type] = [NSKeyedArchiver.self]
  static let migration: [Any.Type] = [
    NSMappingModel.self, NSEntityMapping.self, NSEntityMappingType.self, NSPropertyMapping.self,
    NSEntityMigrationPolicy.self, NSMigrationManager.self, NSStagedMigrationManager.self,
    NSMigrationStage.self, NSLightweightMigrationStage.self, NSCustomMigrationStage.self,
  ]
  static let requests: [Any.Type] = [
    NSPersistentStoreRequest.self, NSPersistentStoreResult.self, NSFetchRequestResultType.self,
    NSExpressionDescription.self, NSAsynchronousFetchRequest<NSManagedObject>.self,
    NSAsynchronousFetchResult<NSManagedObject>.self, NSBatchInsertRequest.self,
    NSBatchInsertResult.self, NSBatchInsertRequestResultType.self, NSBatchUpdateRequest.self,
    NSBatchUpdateResult.self, NSBatchUpdateRequestResultType.self, NSBatchDeleteRequest.self,
    NSBatchDeleteResult.self, NSBatchDeleteRequestResultType.self, NSQueryGenerationToken.self,
  ]
  static let history: [Any.Type] = [
    NSPersistentHistoryChangeRequest.self, NSPersistentHistoryResult.self,
    NSPersistentHistoryResultType.self, NSPersistentHistoryToken.self,
    NSPersistentHistoryTransaction.self, NSPersistentHistoryChange.self,
    NSPersistentHistoryChangeType.self,
  ]
  static let foundation: [Any.Type] = [
    ValueTransformer.self, NSValueTransformerName.self, NSSecureUnarchiveFromDataTransformer.self,
    NSKeyValueObservation.self, NSKeyValueObservedChange<Float>.self,
    NSKeyValueObservingOptions.self, NSKeyValueChangeKey.self, NSKeyValueChange.self,
    AutoreleasingUnsafeMutablePointer<AnyObject?>.self, Selector.self, UndoManager.self,
  ]
}

final class Follower: NSObject, NSFetchedResultsControllerDelegate {}

final class Types_Entry: NSEntityMigrationPolicy {}
