// What errors of this module say: the facts are the parameters, the words are here.

extension CoreDataError {
  /// The same error with the object that it is about.
  fileprivate func at(
    _ object: ManagedObject, _ property: String? = nil, file: String? = nil
  ) -> CoreDataError {
    at(
      entity: object.entity.name, property: property, object: "\(object.objectID)", file: file)
  }
}

// MARK: - CastFailure

extension CoreDataError {
  /// The error where a device stops with a failed cast.
  ///
  /// Most often the value is a managed object and the type a subclass: during a migration all
  /// objects are plain ones.
  public static func castFailure(of value: Any, to type: Any.Type) -> CoreDataError {
    let advice =
      if value is ManagedObject, type == ManagedObjectID.self {
        "The request gives objects whatever its type says: set its resultType to .managedObjectIDResultType."
      } else if value is ManagedObject {
        "During a migration objects are plain NSManagedObjects: declare the type as "
          + "NSManagedObject and use value(forKey:)."
      } else {
        "Compare the declared type with the expression's value."
      }
    var error = CoreDataError(
      .coreData,
      "Could not cast value of type '\(className(of: value))' to '\(String(reflecting: type))'.",
      advice: advice)
    if value is ManagedObject, type != ManagedObjectID.self { error.mistake = .subclassCast }
    return error
  }

  /// The class as Core Data names it at run time.
  private static func className(of value: Any) -> String {
    if let object = value as? ManagedObject { return "NSManagedObject_\(object.entity.name)_" }
    return String(reflecting: Swift.type(of: value))
  }
}

// MARK: - ManagedObject+Validation

extension CoreDataError {
  static func missing(_ property: PropertyDescription) -> CoreDataError {
    CoreDataError(
      .validationMissingMandatoryProperty, "\(property.name) is a required value.",
      advice: property is AttributeDescription
        ? "Give '\(property.name)' a value in the mapping or the policy, a default in the model, "
          + "or make it optional. Values set in awakeFromInsert don't exist during a migration."
        : "Link '\(property.name)' in createRelationships or by a relationship mapping, or make "
          + "it optional.")
  }

  static func tooFew(
    _ relationship: RelationshipDescription, count: Int, least: Int
  ) -> CoreDataError {
    CoreDataError(
      .validationRelationshipLacksMinimumCount,
      "\(relationship.name) has too few items: \(count) of at least \(least).")
  }

  static func tooMany(_ relationship: RelationshipDescription, count: Int) -> CoreDataError {
    CoreDataError(
      .validationRelationshipExceedsMaximumCount,
      "\(relationship.name) has too many items: \(count) of at most \(relationship.maxCount).")
  }
}

// MARK: - BatchInsertRequest+Executing

extension CoreDataError {
  static func abstractInBatch(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Cannot insert an instance of the abstract entity '\(entity.name)'",
      advice: "Insert objects of one of its subentities."
    ).at(entity: entity.name)
  }
}

// MARK: - MergePolicy

extension CoreDataError {
  static func changedSinceRead(_ conflicts: [MergeConflict]) -> CoreDataError {
    let first = conflicts.first?.sourceObject.objectID
    var error = CoreDataError(
      .managedObjectMerge, "Could not merge changes.",
      advice: "\(rows(conflicts.count)) changed or deleted by another context since this one read "
        + "\(conflicts.count == 1 ? "it" : "them"); refresh and save again, or set a merge policy."
    ).at(entity: first?.entity.name, object: first?.description)
    error.conflictList = conflicts
    return error
  }

  private static func rows(_ count: Int) -> String {
    count == 1 ? "The row was" : "\(count) rows were"
  }

  static func constraintsViolated(_ conflicts: [ConstraintConflict]) -> CoreDataError {
    var error = CoreDataError(.managedObjectConstraintMerge, "Could not merge changes.")
    if let first = conflicts.first {
      error = constraintViolated(
        entity: first.entity.name, properties: first.constraint, values: first.key,
        objects: first.objects.map(\.objectID.current))
    }
    error.conflictList = conflicts
    return error
  }
}

// MARK: - UniquenessChecker

extension CoreDataError {
  /// Two objects with the values that a uniqueness constraint wants once.
  public static func constraintViolated(
    entity: String, properties: [String], values: [Value], objects: [ManagedObjectID]
  ) -> CoreDataError {
    let shown = values.map { $0.boxed.map { "\($0)" } ?? "nil" }.joined(separator: ", ")
    return CoreDataError(
      .managedObjectConstraintMerge, "Could not merge changes.",
      advice: "Two objects have the same \(properties.joined(separator: ", ")), which the model's "
        + "uniqueness constraint forbids; deduplicate before saving."
    ).at(
      entity: entity, property: properties.joined(separator: ", "),
      object: objects.map { "\($0)" }.joined(separator: ", ")
    ).with(value: shown)
  }
}

// MARK: - ManagedObjectContext+Announcing

extension CoreDataError {
  static var dirtyForever: CoreDataError {
    CoreDataError(
      .coreData,
      "Failed to process pending changes before save. The context is still dirty after 1000 "
        + "attempts.",
      advice: "willSave() changes an object each time it is called.")
  }
}

// MARK: - ManagedObjectContext+Objects

extension CoreDataError {
  static func abstractEntity(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Cannot insert an instance of the abstract entity '\(entity.name)'",
      advice: "Insert an object of one of its subentities, or make the entity concrete."
    ).at(entity: entity.name)
  }

  static func unknownEntity(_ name: String, in model: ManagedObjectModel) -> CoreDataError {
    CoreDataError(
      .coreData, "could not locate an entity named '\(name)' in this model.",
      advice: "Entities of the model: \(model.entitiesByName.keys.sorted().joined(separator: ", "))"
    ).at(entity: name)
  }

  static var noCoordinator: CoreDataError {
    CoreDataError(
      .coreData, "NSManagedObjectContext has neither a coordinator nor a parent context.",
      advice: "Set persistentStoreCoordinator or parent before the context is used.")
  }
}

// MARK: - ManagedObjectContext

extension CoreDataError {
  static var unfitParent: CoreDataError {
    CoreDataError(
      .coreData,
      "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or "
        + "NSMainQueueConcurrencyType.",
      advice: "Make the parent with init(concurrencyType:) and one of the two.")
  }
}

// MARK: - PersistentStoreCoordinator+Opening

extension CoreDataError {
  static func unsupportedStoreType(_ type: PersistentStore.StoreType) -> CoreDataError {
    CoreDataError(
      .persistentStoreInvalidType, "Unsupported store type '\(type.rawValue)'",
      advice: "Stores are of type SQLite or InMemory here.")
  }

  static var placeNeeded: CoreDataError {
    CoreDataError(
      .persistentStoreOpen, "An SQLite store needs the URL of its file.",
      advice: "Give a URL, or use a store of type InMemory.")
  }

  static func inUseAlready(_ store: PersistentStore) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "Can't add the same store twice",
      advice: "The coordinator has it already; see persistentStore(for:)."
    ).at(file: store.url?.path)
  }
}

// MARK: - PersistentStoreCoordinator

extension CoreDataError {
  static var noStores: CoreDataError {
    CoreDataError(
      .persistentStoreSave, "This NSPersistentStoreCoordinator has no persistent stores.",
      advice: "Add a store first.")
  }

  static func noStore(for entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .persistentStoreSave,
      "No persistent store of this NSPersistentStoreCoordinator takes objects of entity "
        + "'\(entity.name)'.",
      advice: "Add the entity to the configuration of one of the stores, or add a store for it."
    ).at(entity: entity.name)
  }

  static func sameStoreTwice(
    _ store: PersistentStore, _ rival: PersistentStore
  ) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "Can't add the same store twice",
      advice: store === rival
        ? "The coordinator has it already; see persistentStore(for:)."
        : "Both have the UUID \(store.identifier), as copies of a file have; use one coordinator "
          + "for each."
    ).at(file: store.url?.path)
  }

  static func foreignStore(_ store: PersistentStore) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "The store isn't in use by this coordinator.",
      advice: "Remove it from the coordinator it was added to."
    ).at(file: store.url?.path)
  }
}

// MARK: - StoreConfiguration

extension CoreDataError {
  static func unknownConfiguration(
    _ name: String, in model: ManagedObjectModel
  ) -> CoreDataError {
    let known = model.configurations.keys.sorted().joined(separator: ", ")
    return CoreDataError(
      .persistentStoreOpen,
      "Unable to find configuration named '\(name)' in specified managed object model.",
      advice: known.isEmpty
        ? "The model has no configurations; open the store without one."
        : "Configurations of the model: \(known)")
  }
}

// MARK: - FetchedResults

extension CoreDataError {
  static var unsortedResults: CoreDataError {
    CoreDataError(
      .coreData,
      "An instance of NSFetchedResultsController requires a fetch request with sort descriptors",
      advice: "Set at least one sort descriptor.")
  }
}

// MARK: - FetchedResultsController

extension CoreDataError {
  static func noObject(at path: IndexPath) -> CoreDataError {
    CoreDataError(.coreData, "no object at index \(path.row) in section at index \(path.section)")
  }

  static func noSection(titled title: String, at index: Int) -> CoreDataError {
    CoreDataError(.coreData, "no section with the index title '\(title)' at \(index)")
  }
}

// MARK: - FetchedRows

extension CoreDataError {
  static func sectionOutOfOrder(_ name: String, at index: Int) -> CoreDataError {
    CoreDataError(
      .coreData,
      "The fetched object at index \(index) has an out of order section name '\(name)'. "
        + "Objects must be sorted by section name",
      advice: "Make the first sort descriptor order objects as their sections are ordered.")
  }
}

// MARK: - SectionCache

extension CoreDataError {
  static func mutatedUnderCache(named name: String) -> CoreDataError {
    CoreDataError(
      .coreData,
      "FATAL ERROR: The persistent cache of section information does not match the current "
        + "configuration. You have illegally mutated the NSFetchedResultsController's fetch request, "
        + "its predicate, or its sort descriptor without either disabling caching or using "
        + "+deleteCacheWithName:",
      advice:
        "Call deleteCache(withName: \"\(name)\") before changing the request, or use no cache.")
  }
}

// MARK: - AggregateState

extension CoreDataError {
  static var sumTooLarge: CoreDataError {
    CoreDataError(
      .sqlite, "integer overflow",
      advice: "The sum of the values exceeds 64 bits; fetch their average, or the values.")
  }
}

// MARK: - FetchedColumn

extension CoreDataError {
  static func unfetchable(
    _ name: String, of entity: EntityDescription, _ reason: String
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "Invalid property (\(name)) passed to setPropertiesToFetch: \(reason)",
      advice: "Give names or key paths, property descriptions or expression descriptions."
    ).at(entity: entity.name)
  }

  static func notGrouped(
    _ expression: Expression?, _ entity: EntityDescription
  ) -> CoreDataError {
    let shown = expression?.expressionFormat ?? "SELF"
    return CoreDataError(
      .coreData,
      "SELECT clauses in queries with GROUP BY components can only contain properties named in the "
        + "GROUP BY or aggregate functions (\(shown) is not in the GROUP BY)",
      advice: "Add it to propertiesToGroupBy, or fetch an aggregate of it."
    ).at(entity: entity.name)
  }

  static func havingWithoutGroups(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Invalid fetch request: HAVING requires GROUP BY",
      advice: "Set propertiesToGroupBy, or use predicate."
    ).at(entity: entity.name)
  }
}

// MARK: - KeyPathCheck

extension CoreDataError {
  /// Core Data's exception for a key path that leads nowhere.
  static func unknownKeyPath(_ key: String, of entity: EntityDescription) -> CoreDataError {
    let names = entity.propertiesByName.keys.sorted().joined(separator: ", ")
    return CoreDataError(
      .coreData, "keypath \(key) not found in entity \(entity.name)",
      advice: "Properties of \(entity.name): \(names)"
    ).at(entity: entity.name, property: key)
  }
}

// MARK: - ManagedObjectContext+Fetching

extension CoreDataError {
  static var noCurrentContext: CoreDataError {
    CoreDataError(
      .coreData, "+[NSFetchRequest execute] was called outside of a context's block.",
      advice: "Call execute() in perform or performAndWait, or fetch(_:) of a context.")
  }

  static var groupsNeedDictionaries: CoreDataError {
    CoreDataError(
      .coreData, "Invalid fetch request: GROUP BY requires NSDictionaryResultType",
      advice: "Set resultType to .dictionaryResultType, or leave propertiesToGroupBy out.")
  }
}

// MARK: - InMemoryStore+Saving

extension CoreDataError {
  /// The conflict of two contexts over one row.
  public static func changedSinceRead(_ id: ManagedObjectID) -> CoreDataError {
    CoreDataError(
      .managedObjectMerge, "Could not merge changes.",
      advice: "The row was changed or deleted by another context since this one read it; "
        + "refresh the object and save again."
    ).at(entity: id.entity.name, object: "\(id)")
  }
}

// MARK: - SQLiteStore+Reading

extension CoreDataError {
  static func strangeRow(_ key: Int64, number: Int64, table: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleSchema,
      "Table \(table) has a row of an entity that doesn't belong there: "
        + "Z_PK \(key) has Z_ENT \(number)",
      advice: "the store is damaged; correct the row's Z_ENT in a copy")
  }
}

// MARK: - SQLiteStore+Saving

extension CoreDataError {
  /// The error for a value that no column of the property's type can hold.
  static func unfit(_ value: Value, _ property: PropertyDescription) -> CoreDataError {
    let shown = "\(value)".prefix(100)
    return CoreDataError(
      .managedObjectValidation, "The value doesn't fit the property '\(property.name)'",
      advice: "set a value of the property's type"
    ).with(value: String(shown))
  }
}

// MARK: - ManagedObjectContext+Identifiers

extension CoreDataError {
  static func reassignment(of object: ManagedObject) -> CoreDataError {
    CoreDataError(
      .coreData, "Can't reassign an object to a different store once it has been saved.",
      advice:
        "Insert a new object, copy the values, save it in the other store and delete this one."
    ).at(object)
  }

  static func unfitStore(
    _ store: PersistentStore, for object: ManagedObject
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "Can't assign an object to a store that does not contain the object's entity.",
      advice: "The store has the configuration '\(store.configurationName)'; add the entity to it, "
        + "or add the store to the context's coordinator first."
    ).at(object, file: store.url?.path)
  }
}

// MARK: - ManagedObjectContext+Saving

extension CoreDataError {
  static func externalRelationship(
    _ relationship: RelationshipDescription, from id: ManagedObjectID, to other: ManagedObjectID
  ) -> CoreDataError {
    CoreDataError(
      .managedObjectExternalRelationship,
      "Object being saved has relationship containing object from another store.",
      advice: "'\(relationship.name)' leads to \(other); keep both objects in one store "
        + "(assign(_:to:) before the first save), or use a fetched property."
    ).at(entity: id.entity.name, property: relationship.name, object: "\(id)")
  }

  /// The failure of a store when others were written already.
  static func incompleteSave(
    _ error: any Error, written: [PersistentStore]
  ) -> CoreDataError {
    let names = written.map { $0.url?.lastPathComponent ?? $0.identifier }.joined(separator: ", ")
    return CoreDataError(
      .persistentStoreIncompleteSave, "One or more of the stores returned an error during save.",
      advice: "Saved: \(names). The other objects are still unsaved; save again once the cause is "
        + "removed."
    ).with(value: nil, underlying: error)
  }
}

// MARK: - Attributes

extension CoreDataError {
  static func notAllowed(
    _ object: Any, for attribute: AttributeDescription, allowed: [AnyClass]
  ) -> CoreDataError {
    CoreDataError(
      .coreData,
      "Object of class \(Swift.type(of: object)) is not among allowed top level class list",
      advice: "The transformer \(attribute.valueTransformerName ?? "") keeps "
        + allowed.map { "\($0)" }.joined(separator: ", ")
        + "; for anything else an app registers a subclass of "
        + "NSSecureUnarchiveFromDataTransformer that allows it."
    ).at(property: attribute.name)
  }

  static func invalidURI(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationInvalidURI, "\(attribute.name) is invalid.")
  }

  static func tooShort(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationStringTooShort, "\(attribute.name) is too short.")
  }

  static func tooLong(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationStringTooLong, "\(attribute.name) is too long.")
  }

  static func notMatchingPattern(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationStringPatternMatching, "\(attribute.name) is invalid.")
  }

  static func tooEarly(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationDateTooSoon, "\(attribute.name) is too early.")
  }

  static func tooLate(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationDateTooLate, "\(attribute.name) is too late.")
  }

  static func tooSmall(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationNumberTooSmall, "\(attribute.name) is too small.")
  }

  static func tooLarge(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(.validationNumberTooLarge, "\(attribute.name) is too large.")
  }

  static func refused(
    _ attribute: AttributeDescription, by condition: ValidationCondition, _ predicate: Predicate?
  ) -> CoreDataError {
    var error = CoreDataError(
      .managedObjectValidation,
      condition.warning.isEmpty ? "\(attribute.name) is invalid." : condition.warning,
      advice: "Its values must fit \(condition.predicateFormat).")
    error.predicate = predicate
    return error
  }

  static func withoutType(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleSchema, "The attribute \(attribute.name) has no type",
      advice: "Set attributeType; only transient attributes may be without one."
    ).at(entity: attribute.entity?.name, property: attribute.name)
  }

  static func derivedInMemory(_ attribute: AttributeDescription) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleSchema, "Derived attributes are only supported by SQLite stores",
      advice: "Use a store of type SQLite, for tests one at /dev/null."
    ).at(entity: attribute.entity?.name, property: attribute.name)
  }
}

// MARK: - Requests

extension CoreDataError {
  static func missingVariable(_ variable: String, ofTemplate name: String) -> CoreDataError {
    CoreDataError(
      .coreData, "Missing substitution variable: $\(variable) of fetch request '\(name)'",
      advice: "Give a value for '\(variable)' in substitutionVariables.")
  }

  static func unsupported(_ request: PersistentStoreRequest) -> CoreDataError {
    CoreDataError(
      .coreData, "Unsupported persistent store request: \(type(of: request))",
      advice: "Execute a fetch, an asynchronous fetch or a batch request.")
  }

  static var fetchWithoutRequest: CoreDataError {
    CoreDataError(.coreData, "FETCH needs a fetch request as its first argument.")
  }

  static func toManyToFetch(_ keyPath: String, of entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Invalid to many relationship in setPropertiesToFetch: (\(keyPath))",
      advice: "Fetch attributes and to-one relationships; count a to-many one with "
        + "\(keyPath.prefix { $0 != "." }).@count."
    ).at(entity: entity.name, property: keyPath)
  }

  static func notPrefetchable(_ key: String, of entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Invalid key for prefetching: \(key) isn't a relationship of \(entity.name)",
      advice: "relationshipKeyPathsForPrefetching takes relationships only."
    ).at(entity: entity.name, property: key)
  }

  static func unsupportedSelector(
    _ selector: String, sorting entity: EntityDescription
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "unsupported NSSortDescriptor selector: \(selector)",
      advice: "Use compare:, caseInsensitiveCompare: or one of the localized comparisons."
    ).at(entity: entity.name)
  }

  static var noHistory: CoreDataError {
    CoreDataError(
      .persistentStoreUnsupportedRequestType, "No persistent history is kept here.",
      advice: "Leave out what follows from the history, or test it on a device: this engine writes "
        + "no transactions, and an empty history would be a wrong answer.")
  }
}

// MARK: - Objects

extension CoreDataError {
  static func unrecognized(_ selector: String, sentTo object: ManagedObject) -> CoreDataError {
    let entity = object.entity
    return CoreDataError(
      .coreData,
      "-[\(type(of: object)) \(selector)]: unrecognized selector sent to instance of \(entity.name)",
      advice:
        "Core Data makes this accessor only for a to-many relationship of that name, and those "
        + "with indexes only for an ordered one. To-many relationships of \(entity.name): "
        + entity.relationships.filter(\.isToMany).map(\.name).sorted().joined(separator: ", ")
    ).at(object)
  }

  /// A migration's objects are plain ones, whatever class their entity names.
  private static func className(of object: ManagedObject) -> String {
    let type = type(of: object)
    return type == ManagedObject.self ? "NSManagedObject" : String(reflecting: type)
  }

  static func undefinedKey(
    _ key: String, _ selector: String, of object: ManagedObject
  ) -> CoreDataError {
    let entity = object.entity
    return CoreDataError(
      .coreData,
      "[<\(className(of: object))> \(selector)]: the entity "
        + "\(entity.name) is not key value coding-compliant for the key \"\(key)\".",
      advice: "Properties of \(entity.name): "
        + entity.propertiesByName.keys.sorted().joined(separator: ", ")
    ).at(object, key)
  }

  static func nilValue(forKey key: String, of object: ManagedObject) -> CoreDataError {
    CoreDataError(
      .coreData,
      "[<\(className(of: object))> setNilValueForKey]: could not set nil as the "
        + "value for the key \(key)."
    ).at(object, key)
  }

  static func noInitializer(of type: ManagedObject.Type) -> CoreDataError {
    CoreDataError(
      .coreData,
      "Use of unimplemented initializer 'init(entity:insertInto:)' for class '\(String(reflecting: type))'",
      advice: "Override it, or make the class's other initializers 'convenience'.")
  }

  static func noMutableSet(
    forKey key: String, ordered isOrdered: Bool, of object: ManagedObject
  ) -> CoreDataError {
    CoreDataError(
      .coreData,
      "NSManagedObjects of entity '\(object.entity.name)' do not support "
        + "-mutable\(isOrdered ? "Ordered" : "")SetValueForKey: for the property '\(key)'",
      advice: "mutableSetValue(forKey:) is for to-many relationships that aren't ordered, "
        + "mutableOrderedSetValue(forKey:) for those that are."
    ).at(object, key)
  }

  static func entityNotLookedUp(_ name: String) -> CoreDataError {
    CoreDataError(
      .coreData,
      "This fetch request was created with a string name (\(name)), and cannot respond to -entity until "
        + "used by an NSManagedObjectContext",
      advice: "Ask for its entityName, or make it of a description.")
  }

  static func index(_ index: Int, beyond count: Int) -> CoreDataError {
    CoreDataError(
      .coreData,
      "-[NSMutableOrderedSet]: index \(index) beyond bounds "
        + (count == 0 ? "for empty ordered set" : "[0 .. \(count - 1)]"))
  }

  static func notFound(_ id: ManagedObjectID) -> CoreDataError {
    CoreDataError(
      .managedObjectReferentialIntegrity, "Attempt to access an object not found in store."
    ).at(entity: id.entity.name, object: "\(id)")
  }
}

// MARK: - Relationships

extension CoreDataError {
  static func differentContexts(
    _ relationship: RelationshipDescription, of object: ManagedObject
  ) -> CoreDataError {
    CoreDataError(
      .coreData,
      "Illegal attempt to establish a relationship '\(relationship.name)' between objects in "
        + "different contexts",
      advice: "In a policy, link objects of manager.destinationContext only; "
        + "manager.destinationInstances(forEntityMappingName:sourceInstances:) gives them."
    ).at(object, relationship.name).caused(by: .foreignContext)
  }

  static func unacceptable(
    _ value: String, of type: String, desired: String, for relationship: RelationshipDescription,
    of object: ManagedObject
  ) -> CoreDataError {
    CoreDataError(
      .coreData,
      "Unacceptable type of value for \(relationship.isToMany ? "to-many" : "to-one") relationship: "
        + "property = \"\(relationship.name)\"; desired type = \(desired); "
        + "given type = \(type); value = \(value)."
    ).at(object, relationship.name).caused(by: .wrongValueType)
  }

  static func collectionAdvice(_ desired: String) -> String {
    "A device raises here too. Give it \(desired)(array: …)."
  }

  /// Without an inverse nobody takes the reference to a deleted object away.
  static func dangling(
    _ relationship: RelationshipDescription, of object: ManagedObject
  ) -> CoreDataError {
    CoreDataError(
      .managedObjectValidation, "Dangling reference to an invalid object.",
      advice: "'\(relationship.name)' leads to a new object that was deleted before it was saved; "
        + "set another, or give the relationship an inverse."
    ).at(object, relationship.name)
  }

  static func deniedDelete(
    of object: ManagedObject, by relationship: RelationshipDescription, remaining: Int
  ) -> CoreDataError {
    CoreDataError(
      .validationRelationshipDeniedDelete,
      "Items cannot be deleted from \(relationship.name).",
      advice: "Delete or unlink the \(remaining) object(s) of '\(relationship.name)' first, "
        + "or change the relationship's delete rule."
    ).at(object, relationship.name)
  }
}

// MARK: - Writing

extension CoreDataError {
  static var sourceIsReadOnly: CoreDataError {
    CoreDataError(
      .fileWriteNoPermission, "The store is open for reading only",
      advice: "A migration never writes to its source; make changes in the destination context.")
  }

  static func deletionRefused(_ reason: String, _ object: ManagedObject) -> CoreDataError {
    CoreDataError(
      .persistentStoreSave, reason,
      advice: "Nothing was deleted. Delete the other objects first, or change the delete rule."
    ).at(object)
  }

  static func unsettableInBatch(
    _ property: PropertyDescription, _ advice: String
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "Invalid property '\(property.name)' in a batch request", advice: advice
    ).at(entity: property.entity?.name, property: property.name)
  }
}
