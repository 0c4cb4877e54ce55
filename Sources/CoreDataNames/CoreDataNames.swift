// What an app's `import CoreData` gets: Apple's spellings of the engine's types.
//
// Policies are compiled with `-module-alias CoreData=CoreDataNames`. Since this module re-exports
// Foundation, its `NSPredicate`, `NSExpression` and `NSSortDescriptor` win over Foundation's.
@_exported import Migration

// MARK: Model

public typealias NSManagedObjectModel = ManagedObjectModel
public typealias NSEntityDescription = EntityDescription
public typealias NSPropertyDescription = PropertyDescription
public typealias NSAttributeDescription = AttributeDescription
public typealias NSDerivedAttributeDescription = DerivedAttributeDescription
public typealias NSCompositeAttributeDescription = CompositeAttributeDescription
public typealias NSRelationshipDescription = RelationshipDescription
public typealias NSFetchedPropertyDescription = FetchedPropertyDescription
public typealias NSAttributeType = AttributeType
public typealias NSDeleteRule = DeleteRule

// MARK: Predicates

public typealias NSPredicate = Predicate
public typealias NSCompoundPredicate = CompoundPredicate
public typealias NSComparisonPredicate = ComparisonPredicate
public typealias NSExpression = Expression
public typealias NSSortDescriptor = SortDescriptor

// MARK: Persistence

public typealias NSManagedObject = ManagedObject
public typealias NSManagedObjectID = ManagedObjectID
public typealias NSManagedObjectContext = ManagedObjectContext
public typealias NSFetchRequest = FetchRequest
public typealias NSFetchRequestResult = FetchRequestResult
public typealias NSPersistentStore = PersistentStore
public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator
public typealias NSPersistentStoreDescription = PersistentStoreDescription
public typealias NSPersistentContainer = PersistentContainer
public typealias NSManagedObjectContextConcurrencyType = ManagedObjectContextConcurrencyType
public typealias NSMergePolicy = MergePolicy
public typealias NSMergePolicyType = MergePolicyType
public typealias NSMergeConflict = MergeConflict
public typealias NSConstraintConflict = ConstraintConflict

// MARK: Migration

public typealias NSMappingModel = MappingModel
public typealias NSEntityMapping = EntityMapping
public typealias NSEntityMappingType = EntityMappingType
public typealias NSPropertyMapping = PropertyMapping
public typealias NSEntityMigrationPolicy = EntityMigrationPolicy
public typealias NSMigrationManager = MigrationManager
public typealias NSStagedMigrationManager = StagedMigrationManager
public typealias NSMigrationStage = MigrationStage
public typealias NSLightweightMigrationStage = LightweightMigrationStage
public typealias NSCustomMigrationStage = CustomMigrationStage
public typealias NSManagedObjectModelReference = ManagedObjectModelReference
