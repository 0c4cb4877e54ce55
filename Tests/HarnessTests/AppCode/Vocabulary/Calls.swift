import CoreData

/// The calls of apps and their tests that no other code here makes. Only compiled.
enum Calls {
  static func model(_ model: NSManagedObjectModel, _ url: URL, _ metadata: [String: Any]) {
    _ = NSManagedObjectModel(contentsOf: url)
    _ = NSManagedObjectModel.mergedModel(from: nil)
    _ = NSManagedObjectModel.mergedModel(from: [Bundle.main], forStoreMetadata: metadata)
    _ = NSManagedObjectModel(byMerging: [model])
    _ = NSManagedObjectModel(byMerging: [model], forStoreMetadata: metadata)
    _ = model.copy() as! NSManagedObjectModel
    _ = model.entityVersionHashesByName["A"]?.count
    _ = model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    _ = model.entities(forConfigurationName: "Default")?.first?.name
    model.versionIdentifiers = ["1.0"]
    model.setFetchRequestTemplate(
      NSFetchRequest<NSFetchRequestResult>(entityName: "A"), forName: "all")
    model.setFetchRequestTemplate(nil, forName: "all")
    _ = model.fetchRequestTemplate(forName: "all")?.predicate
    _ = model.fetchRequestFromTemplate(withName: "all", substitutionVariables: ["NAME": "x"])
    _ = model.fetchRequestTemplatesByName.keys
    let names: [String] = model.configurations
    let checksum: String = model.versionChecksum
    print(names, checksum)
  }

  static func descriptions(_ entity: NSEntityDescription) {
    entity.isAbstract = true
    entity.renamingIdentifier = "Old"
    entity.versionHashModifier = "1"
    entity.userInfo = ["key": 1]
    entity.subentities = [NSEntityDescription()]
    entity.properties.append(NSAttributeDescription())
    let derived = NSDerivedAttributeDescription()
    derived.derivationExpression = NSExpression(format: "canonical:(name)")
    let composite = NSCompositeAttributeDescription()
    composite.elements = [NSAttributeDescription()]
    entity.properties += [derived, composite]
    let className: String = entity.managedObjectClassName
    let hash: Data = entity.versionHash
    print(entity.superentity?.name ?? "", entity.propertiesByName.count, className, hash)
    print(entity.relationships(forDestination: entity), entity.subentitiesByName)
    print(entity.isKindOf(entity: entity), entity.managedObjectModel.entities.count)
    for (name, attribute) in entity.attributesByName {
      attribute.type = .string
      attribute.setValidationPredicates(
        [NSPredicate(format: "length > 0")], withValidationWarnings: ["empty"])
      print(attribute.validationPredicates.count, attribute.validationWarnings.count)
      attribute.isTransient = false
      attribute.allowsExternalBinaryDataStorage = true
      attribute.preservesValueInHistoryOnDeletion = true
      attribute.valueTransformerName = "NSSecureUnarchiveFromData"
      attribute.attributeValueClassName = "NSURL"
      attribute.renamingIdentifier = nil
      print(name, attribute.defaultValue ?? "", attribute.entity.name ?? "", attribute.versionHash)
    }
    for relationship in entity.relationshipsByName.values {
      relationship.minCount = 1
      relationship.isOrdered = relationship.isToMany
      let inverse = relationship.inverseRelationship?.name ?? ""
      print(relationship.destinationEntity?.name ?? "", inverse)
    }
  }

  static func stores(_ coordinator: NSPersistentStoreCoordinator, _ url: URL) throws {
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    coordinator.addPersistentStore(with: NSPersistentStoreDescription(url: url)) { _, error in
      print(error?.localizedDescription ?? "")
    }
    _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url)
    try NSPersistentStoreCoordinator.setMetadata(
      ["a": 1], forPersistentStoreOfType: NSSQLiteStoreType, at: url)
    _ = try NSPersistentStore.metadataForPersistentStore(with: url)
    coordinator.setMetadata(["a": 1], for: store)
    _ = try coordinator.migratePersistentStore(
      store, to: url, options: nil, withType: NSSQLiteStoreType)
    try coordinator.replacePersistentStore(
      at: url, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
      ofType: NSSQLiteStoreType)
    try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: nil)
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    try coordinator.remove(store)
    print(store.url ?? url, store.identifier, store.type, store.configurationName, store.isReadOnly)
    print(store.metadata, store.options ?? [:], coordinator.persistentStores.count)
    print(coordinator.persistentStore(for: url) ?? "", coordinator.url(for: store))
    print(coordinator.managedObjectID(forURIRepresentation: url)?.isTemporaryID ?? true)
    coordinator.performAndWait {}
  }

  static func container(_ model: NSManagedObjectModel, _ url: URL) async throws {
    let container = NSPersistentContainer(name: "App")
    _ = NSPersistentContainer(name: "App", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    description.type = NSSQLiteStoreType
    description.configuration = "Default"
    description.isReadOnly = false
    description.shouldAddStoreAsynchronously = false
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setValue("DELETE" as NSObject, forPragmaNamed: "journal_mode")
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { description, error in print(description, error ?? "") }
    let count = try await container.performBackgroundTask { context in
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "A"))
    }
    print(count, NSPersistentContainer.defaultDirectoryURL(), container.name)
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  static func background(_ container: NSPersistentContainer) {
    container.performBackgroundTask { context in _ = context.hasChanges }
    let context = container.newBackgroundContext()
    context.perform { context.processPendingChanges() }
  }

  static func context(_ coordinator: NSPersistentStoreCoordinator) async throws {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.name = "background"
    context.transactionAuthor = "app"
    context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    let child = NSManagedObjectContext(.mainQueue)
    child.parent = context
    child.undoManager = nil
    let object = try await context.perform { () throws -> NSManagedObjectID in
      let made = NSEntityDescription.insertNewObject(forEntityName: "A", into: context)
      try context.obtainPermanentIDs(for: [made])
      return made.objectID
    }
    let name = await context.perform { context.name }
    print(name ?? "", context.object(with: object), object.uriRepresentation(), object.entity)
    print(object.persistentStore ?? "", context.registeredObjects, context.insertedObjects)
    context.refresh(context.object(with: object), mergeChanges: true)
    context.refreshAllObjects()
    context.rollback()
    context.reset()
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSInsertedObjectsKey: [object]], into: [context])
  }

  static func object(_ object: NSManagedObject) throws {
    object.setPrimitiveValue(1, forKey: "a")
    print(object.primitiveValue(forKey: "a") ?? "", object.changedValues())
    print(object.hasFault(forRelationshipNamed: "b"), object.isFault, object.hasChanges)
    object.willAccessValue(forKey: "a")
    object.didAccessValue(forKey: "a")
    object.willChangeValue(forKey: "a")
    object.didChangeValue(forKey: "a")
    try object.validateForUpdate()
    print(object.objectIDs(forRelationshipNamed: "b"))
  }

  static func migration(_ model: NSManagedObjectModel, _ url: URL) throws {
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: model, destinationModel: model)
    _ = NSMappingModel(from: [Bundle.main], forSourceModel: model, destinationModel: model)
    _ = NSMappingModel(contentsOf: url)
    let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
    try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: url, type: .sqlite)
    manager.usesStoreSpecificMigrationManager = false
    let built = NSMappingModel()
    let entity = NSEntityMapping()
    entity.name = "AToA"
    entity.mappingType = .transformEntityMappingType
    entity.sourceEntityName = "A"
    entity.destinationEntityName = "A"
    entity.sourceEntityVersionHash = model.entityVersionHashesByName["A"]
    let property = NSPropertyMapping()
    property.name = "a"
    property.valueExpression = NSExpression(format: "$source.a")
    entity.attributeMappings = [property]
    entity.relationshipMappings = []
    entity.sourceExpression = NSExpression(format: "$source")
    entity.entityMigrationPolicyClassName = "App.Policy"
    built.entityMappings = [entity]
    print(built.entityMappingsByName, manager.mappingModel)
  }

  static func stages(_ model: NSManagedObjectModel) {
    let old = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    let custom = NSCustomMigrationStage(migratingFrom: old, to: old)
    custom.willMigrateHandler = { manager, stage in
      print(manager.container?.name ?? "", stage.label ?? "")
    }
    let light = NSLightweightMigrationStage([model.versionChecksum])
    light.label = "light"
    let manager = NSStagedMigrationManager([light, custom])
    NSPersistentStoreDescription().setOption(
      manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
  }
}

/// What few apps use.
enum RareCalls {
  static func objects(_ object: NSManagedObject, _ context: NSManagedObjectContext) {
    _ = object.faultingState
    object.willChangeValue(
      forKey: "songs", withSetMutation: NSKeyValueSetMutationKind.union, using: [])
    object.didChangeValue(forKey: "songs", withSetMutation: .minus, using: [])
    object.willChange(.insertion, valuesAt: IndexSet(integer: 0), forKey: "songs")
    object.didChange(.insertion, valuesAt: IndexSet(integer: 0), forKey: "songs")
    object.willChangeValue(for: \.hasChanges)
    object.didChangeValue(for: \.hasChanges)
    object.willChange(.removal, valuesAt: IndexSet(integer: 0), for: \.hasChanges)
    object.didChange(.removal, valuesAt: IndexSet(integer: 0), for: \.hasChanges)
    _ = NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave)
    _ = object.mutableSetValue(forKeyPath: "home.tags")
    _ = object.mutableOrderedSetValue(forKeyPath: "songs")
    _ = object.perform(#selector(NSObject.description))
    _ = type(of: object).contextShouldIgnoreUnmodeledPropertyChanges as Bool
    object.awake(fromSnapshotEvents: [NSSnapshotEventType.undoInsertion, .refresh])
    context.detectConflicts(for: object)
    context.retainsRegisteredObjects = true
    context.stalenessInterval = 0
    _ = context.shouldHandleInaccessibleFault(
      object, for: object.objectID, triggeredByProperty: nil)
    let table = NSHashTable<NSManagedObject>.weakObjects()
    table.add(object)
    print(table.contains(object), table.allObjects.count)
    let map = NSMapTable<NSManagedObject, NSString>.weakToStrongObjects()
    map.setObject("x", forKey: object)
    print(map.object(forKey: object) ?? "", map.count, MAXFLOAT)
    withUnsafePointer(to: map) { key in
      objc_setAssociatedObject(object, key, map, objc_AssociationPolicy.OBJC_ASSOCIATION_RETAIN)
      print(objc_getAssociatedObject(object, key) ?? "", object_getClass(object) ?? NSNull.self)
      objc_removeAssociatedObjects(object)
    }
  }

  static func requests(_ object: NSManagedObject, _ request: NSFetchRequest<NSManagedObject>) {
    _ = NSFetchRequestExpression.expression(
      forFetch: NSExpression(forConstantValue: request),
      context: NSExpression(forConstantValue: nil), countOnly: false)
    NSExpression(format: "1 + 2").allowEvaluation()
    NSPredicate(value: true).allowEvaluation()
    _ = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "a"),
      rightExpression: NSExpression(forConstantValue: 1),
      customSelector: #selector(NSString.isEqual(to:)))
    _ = NSBatchUpdateRequest(entity: object.entity).entity
    _ = NSMergeConflict(
      source: object, newVersion: 1, oldVersion: 2, cachedSnapshot: nil, persistedSnapshot: nil)
    _ = NSConstraintConflict(
      constraint: ["a"], database: nil, databaseSnapshot: nil, conflictingObjects: [],
      conflictingSnapshots: [])
    _ = NSPersistentHistoryTransaction.fetchRequest
    _ = NSPersistentHistoryTransaction.entityDescription
    _ = NSPersistentStoreCoordinator.registeredStoreTypes.keys
    _ = object.entity.propertiesByName["a"]?.isIndexed
    _ = object.entity.compoundIndexes.count
    _ = try? NSManagedObjectModel.checksumsForVersionedModel(at: URL(fileURLWithPath: "/"))
    _ = [NSXMLStoreType, NSPersistentStoreConnectionPoolMaxSizeKey]
    print(NSCoreDataVersionNumber, NSSelectorFromString("answer:"), CFAbsoluteTimeGetCurrent())
  }
}
