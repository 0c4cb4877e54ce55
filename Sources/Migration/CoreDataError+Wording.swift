// What errors of this module say: the facts are the parameters, the words are here.

// MARK: - AutomaticMigration

extension CoreDataError {
  static func incompatibleStore(
    _ metadata: [String: Any], with model: ManagedObjectModel
  ) -> CoreDataError {
    let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    let entities = model.entitiesThatDiffer(from: stored)
    var error = CoreDataError(
      .persistentStoreIncompatibleVersionHash,
      "The model used to open the store is incompatible with the one used to create the store",
      advice: "Entities that differ from '\(model)': \(entities.joined(separator: ", ")). "
        + "Allow automatic migration, or migrate the store first."
    ).at(entity: entities.first)
    error.metadata = metadata
    return error
  }
}

// MARK: - MappingChoice

extension CoreDataError {
  /// The 134130 for a store of several models, of which only some have versions.
  static func noSource(_ merged: ManagedObjectModel) -> CoreDataError {
    CoreDataError(
      .migrationMissingSourceModel, "Can't find model for source store",
      advice:
        "'\(merged)' is merged from several models, and only some of them have an older version: "
        + "Core Data then finds no single source model. Migrate with code that merges the models itself "
        + "(mergedModel(from:forStoreMetadata:)), or give each model a version.")
  }
}

extension CoreDataError {
  /// The 134130 for models that an app makes in code.
  // Core Data: observed in two reports, of models that work with a migration manager.
  static func modelsInCode(_ source: ManagedObjectModel) -> CoreDataError {
    CoreDataError(
      .migrationMissingSourceModel, "Can't find model for source store",
      advice:
        "'\(source)' is made in code, and Core Data looks for models in bundles only. Migrate with a migration manager, "
        + "by stages that refer to the models, or put the models into the app's bundle.")
  }
}

// MARK: - MappingInference

extension CoreDataError {
  /// The error for a change that needs a mapping model.
  static func notInferable(
    _ reason: String, entity: String, property: String? = nil, advice: String? = nil
  ) -> CoreDataError {
    CoreDataError(
      .inferredMappingModel, reason,
      advice: advice ?? "Write a mapping model for this step, or change the model in smaller steps."
    ).at(entity: entity, property: property)
  }
}

extension CoreDataError {
  static let ambiguousAdvice =
    "What a device does here is unknown: it may infer the step. Give each element an identifier of its own, or "
    + "write a mapping model for this step."
}

// MARK: - EntityMigrationPolicy

extension CoreDataError {
  /// The error for a `FUNCTION` call to a method that the policy doesn't have.
  public static func unrecognizedSelector(
    _ selector: String, policy: EntityMigrationPolicy
  ) -> CoreDataError {
    if type(of: policy) == EntityMigrationPolicy.self {
      return CoreDataError(
        .migration, "policy NSEntityMigrationPolicy does not respond to \(selector)",
        advice: "The entity mapping names no policy of the app's: give it the one with this method."
      ).caused(by: .unknownSelector)
    }
    return CoreDataError(
      .migration, "policy \(String(reflecting: type(of: policy))) does not respond to \(selector)",
      advice: "Compare the selector with the method's Swift name: base name, then each label, "
        + "each argument with a colon: 'filename(forLibraryWith:)' is 'filenameForLibraryWith:'."
    ).caused(by: .unknownSelector)
  }
}

// MARK: - MigrationManager+Migrate

extension CoreDataError {
  /// The error for a policy class that can't be found.
  /// - Parameter known: The names of the app's policies; nil where nobody knows.
  static func missingPolicy(_ name: String, known: [String]?) -> CoreDataError {
    let source = "Compare module and class with the policy's source"
    let comparing =
      switch known {
      case nil: "\(source)."
      case []?:
        "\(source): no class there is an NSEntityMigrationPolicy that can be found by its name, as "
          + "a private one can't."
      case let known?: "\(source); its policies: \(known.joined(separator: ", "))."
      }
    return CoreDataError(
      .migration, "Couldn't create mapping policy for class named (\(name))",
      advice: name.contains(".")
        ? comparing : "Swift classes are known as Module.Class; name the module too."
    ).caused(by: .missingPolicy(className: name))
  }

  static func policyNeeded(_ mapping: EntityMapping) -> CoreDataError {
    CoreDataError(
      .migration, "custom entity mapping \(mapping.name ?? "") needs a migration policy",
      advice: "Name the policy's class, or make the mapping a transform mapping."
    ).at(entityMapping: mapping.name, entity: mapping.destinationEntityName)
  }
}

// MARK: - MigrationManager+Passes

extension CoreDataError {
  static func abstractDestination(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .migration, "Cannot insert an instance of the abstract entity '\(entity.name)'",
      advice: "Map these objects to an entity that isn't abstract, or remove them first."
    ).at(entity: entity.name)
  }
}

// MARK: - MigrationManager+Saving

extension CoreDataError {
  /// A lightweight migration's error for a required property without a value.
  /// Core Data: observed in reports of apps' crashes.
  static func missingMandatoryValue(
    of property: PropertyDescription, entityMapping: String?, object: ManagedObjectID
  ) -> CoreDataError {
    let kind = property is RelationshipDescription ? "relationship" : "attribute"
    let text = "Validation error missing attribute values on mandatory destination \(kind)"
    func located(_ error: CoreDataError) -> CoreDataError {
      error.at(
        entityMapping: entityMapping, entity: object.entity.name, property: property.dottedName,
        object: "\(object)")
    }
    let error = CoreDataError(
      .migration, "Cannot migrate store in-place: \(text)",
      advice:
        "Give '\(property.dottedName)' a default value or make it optional; an empty store would "
        + "hide this.")
    return located(error).with(value: nil, underlying: located(CoreDataError(.migration, text)))
  }

  /// Core Data: observed up to iOS 15 in a public app's test.
  static func removedRoot(_ doubt: InferenceDoubt) -> CoreDataError {
    CoreDataError(
      .migration,
      "Cannot migrate store in-place: I/O error for database at the store's URL.  SQLite error code:1, '"
        + "\(InferenceDoubt.noTable(doubt.before.first ?? ""))'",
      advice: "\(doubt). Keep the root entity, or write a mapping model for this step."
    ).at(entity: doubt.entity)
  }

  /// A migration's error for a violated uniqueness constraint.
  /// Core Data: observed in two logs of devices, for a migration inside the store; of one by a manager assumed.
  /// - Parameter model: The destination's, for a migration inside the store.
  static func uniquenessViolation(
    _ cause: CoreDataError, inside model: ManagedObjectModel?
  ) -> CoreDataError {
    let advice = cause.advice ?? "Remove the duplicates before this step, or in a policy."
    guard let model else {
      var refused = CoreDataError(
        .migration, "migration failed due to a violated uniqueness constraint", advice: advice)
      (refused.place, refused.underlying) = (cause.place, cause)
      return refused
    }
    let table = cause.place.entity.flatMap { model.entity(named: $0)?.rootEntity.name } ?? ""
    let columns = (cause.place.property ?? "").components(separatedBy: ", ")
      .map { "Z\(table).Z\($0)".uppercased() }.joined(separator: ", ")
    var inner = CoreDataError(
      .migrationConstraintViolation,
      "Constraint unique violation: UNIQUE constraint failed: \(columns)")
    var refused = CoreDataError(
      .migration, "Cannot migrate store in-place: constraint violation during attempted migration",
      advice: advice)
    (inner.place, inner.underlying) = (cause.place, cause)
    (refused.place, refused.underlying, refused.value) = (cause.place, inner, cause.value)
    return refused
  }
}

// MARK: - PropertyMapping

extension CoreDataError {
  /// Core Data's exception for a key that one of its own classes doesn't have.
  static func undefinedKey(_ key: String, of className: String) -> CoreDataError {
    CoreDataError(
      .coreData,
      "[<\(className)> valueForUndefinedKey:]: this class is not key value coding-compliant "
        + "for the key \(key).")
  }
}

// MARK: - PersistentStoreCoordinator+Moving

extension CoreDataError {
  static func noFile(_ type: PersistentStore.StoreType) -> CoreDataError {
    CoreDataError(
      .persistentStoreInvalidType, "Stores of type '\(type.rawValue)' can't be files here",
      advice: "Stores at URLs are of type SQLite.")
  }
}

// MARK: - StagePlan

extension CoreDataError {
  static func backwards(
    _ source: ManagedObjectModel, _ target: ManagedObjectModel
  ) -> CoreDataError {
    CoreDataError(
      .stagedMigrationBackwardMigration,
      "A store file cannot be migrated backwards with staged migration.",
      advice: "'\(target)' comes before '\(source)' in the stages; put the stages in the order in "
        + "which the versions were released.")
  }
}

// MARK: - Mapping models

extension CoreDataError {
  static func misfits(_ misfits: [String]) -> CoreDataError {
    CoreDataError(
      .migration, "Mismatch between mapping and source/destination models",
      advice: "The mapping was made for other versions of the models: "
        + misfits.joined(separator: "; ") + ". Rebuild or rebind the mapping.")
  }

  static var modelsOfMappingNotFound: CoreDataError {
    CoreDataError(
      .migrationMissingMappingModel, "The models that the mapping is for can't be found",
      advice: "Keep the versioned model beside the mapping model.")
  }

  static func unknownRelationship(_ name: String, of source: EntityDescription?) -> CoreDataError {
    CoreDataError(
      .migration, "source entity '\(source?.name ?? "none")' has no relationship named '\(name)'",
      advice: "Its relationships: "
        + (source?.relationships.map(\.name).joined(separator: ", ") ?? "none") + "."
    ).at(entity: source?.name, property: name)
  }

  static var sourceExpressionGivesNoObjects: CoreDataError {
    CoreDataError(.migration, "the source expression doesn't give managed objects")
  }

  static func noValue(of expression: Expression, _ cause: any Error) -> CoreDataError {
    CoreDataError(.migration, "The value expression \(expression) has no value: \(cause)")
      .with(value: nil, underlying: cause)
  }

  static func unreadableExpression(_ error: MappingFileError) -> CoreDataError {
    CoreDataError(
      .migration, "The value expression in the mapping model can't be read: \(error.note)"
    )
    .with(value: nil, underlying: error)
  }

  static func notRunning(_ mapping: EntityMapping) -> CoreDataError {
    CoreDataError(
      .migration, "entity mapping '\(mapping.name ?? "")' isn't part of the running migration")
  }

  static var noMappingModel: CoreDataError {
    CoreDataError(.migrationMissingMappingModel, "Can't find mapping model for migration")
  }

  static func noEntity(
    _ name: String, in model: ManagedObjectModel, _ side: String
  ) -> CoreDataError {
    CoreDataError(
      .migration, "the \(side) model has no entity named '\(name)'",
      advice: "Its entities: \(model.entitiesByName.keys.sorted().joined(separator: ", "))."
    ).at(entity: name)
  }

  static func unusablePredicate(_ predicate: String, _ cause: any Error) -> CoreDataError {
    CoreDataError(.migration, "The source predicate '\(predicate)' can't be used: \(cause)")
      .with(value: nil, underlying: cause)
  }

  static func noProperty(
    _ name: String, of entity: EntityDescription, _ kind: String
  ) -> CoreDataError {
    let known = entity.properties.map(\.name).joined(separator: ", ")
    return CoreDataError(
      .migration, "destination entity '\(entity.name)' has no \(kind) named '\(name)'",
      advice: "Its properties: \(known)."
    ).at(entity: entity.name, property: name)
  }
}

// MARK: - Stores

extension CoreDataError {
  static func readOnly(_ url: URL) -> CoreDataError {
    CoreDataError(
      .migration, "A store that is opened for reading only can't be migrated",
      advice: "Open it for writing once, or migrate a copy."
    ).at(file: url.path)
  }

  static func placeIsTaken(_ url: URL) -> CoreDataError {
    CoreDataError(
      .persistentStoreOperation, "There is already a file at the new store's URL",
      advice: "Destroy that store first, or choose another URL."
    ).at(file: url.path)
  }

  static func incompatible(_ side: String, entities: [String]) -> CoreDataError {
    CoreDataError(
      .persistentStoreIncompatibleVersionHash,
      "The model used to open the store is incompatible with the one used to create the store",
      advice: "The \(side) store differs from the manager's \(side) model in: "
        + entities.joined(separator: ", ") + "."
    ).at(entity: entities.first)
  }

  static func noSourceStore(_ url: URL) -> CoreDataError {
    CoreDataError(.migrationManagerSourceStore, "There is no store at the source's URL")
      .at(file: url.path)
  }

  static func destinationIsSource(_ url: URL) -> CoreDataError {
    CoreDataError(
      .migrationManagerDestinationStore, "The destination is the source itself",
      advice: "Migrate to another URL, then replace the old store."
    ).at(file: url.path)
  }

  static func unknownStoreType(_ type: String) -> CoreDataError {
    CoreDataError(
      .persistentStoreInvalidType, "The store type '\(type)' is unknown",
      advice: "Stores at URLs are of type SQLite.")
  }

  static var notInFile: CoreDataError {
    CoreDataError(.persistentStoreOperation, "Only stores in files can be copied as files")
  }
}

// MARK: - Policies and functions

extension CoreDataError {
  static func nilArgument(
    _ number: Int, of selector: String, wanted: String
  ) -> CoreDataError {
    CoreDataError(
      .migration, "Unexpectedly found nil for argument \(number) of \(selector)",
      advice: "Declare the parameter optional (\(wanted)?), or give it a value in the mapping.")
  }

  static func argumentCount(_ count: Int, of method: String, wanted: Int) -> CoreDataError {
    CoreDataError(
      .migration,
      "\(method) takes \(wanted) argument\(wanted == 1 ? "" : "s"), the expression gives \(count)",
      advice: "FUNCTION needs one argument for each ':' of the selector.")
  }

  static func uncallable(_ method: String, _ obstacle: String) -> CoreDataError {
    CoreDataError(
      .migration, "\(method) \(obstacle)",
      advice: "Mark the method @objc, and have it take and return objects: NSNumber for numbers "
        + "and Booleans.")
  }

  static func functionNeeds(_ what: String, _ selector: String) -> CoreDataError {
    CoreDataError(.migration, "\(selector) needs \(what)")
  }

  static func managerDoesNotRespond(to selector: String, known: [String]) -> CoreDataError {
    CoreDataError(
      .migration, "the migration manager does not respond to \(selector)",
      advice: "It responds to: \(known.joined(separator: ", "))."
    ).caused(by: .unknownSelector)
  }
}

// MARK: - Stages

extension CoreDataError {
  static func unstagedVersion(checksum: String) -> CoreDataError {
    CoreDataError(
      .managedObjectModelReferenceNotFound,
      "Cannot use staged migration with an unknown model version.",
      advice: "The store has the version with checksum \(checksum); name it in a stage.")
  }

  // Core Data: the sentence is observed in a report of a developer; its code is assumed.
  static func unstagedModel(_ model: ManagedObjectModel) -> CoreDataError {
    CoreDataError(
      .managedObjectModelReferenceNotFound,
      "Cannot use staged migration with an unknown coordinator model version.",
      advice:
        "The app's model \(model.name.map { "'\($0)' " } ?? "")has the checksum \(model.versionChecksum); "
        + "name it in the last stage.")
  }

  // Core Data: the sentence is observed in a public library; its code is assumed.
  static var stagedWithoutOptions: CoreDataError {
    CoreDataError(
      .migration,
      "Staged Migration was requested with NSPersistentStoreStagedMigrationManagerOptionKey but without setting "
        + "NSMigratePersistentStoresAutomaticallyOption and NSInferMappingModelAutomaticallyOption to YES.",
      advice: "Set both options, or open the store by a description, where both are set.")
  }

  static func duplicateChecksum(
    _ checksum: String, first: MigrationStage, second: MigrationStage
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "Duplicate version checksums across stages detected.",
      advice: "\(checksum) is in \(first) and in \(second).")
  }

  static func noVersionHashes(_ url: URL) -> CoreDataError {
    CoreDataError(
      .stagedMigrationFrameworkVersionMismatch,
      "The store was written by a framework too old for staged migration",
      advice: "Its metadata has no version hashes; migrate it by a mapping model first."
    ).at(file: url.path)
  }

  /// - Parameter checksums: Of the models that have the name.
  static func unresolved(
    _ reference: ManagedObjectModelReference, checksums: [String]
  ) -> CoreDataError {
    CoreDataError(
      .managedObjectModelReferenceNotFound, "Can't resolve the reference to \(reference)",
      advice: checksums.isEmpty
        ? "There is no such model; check its name and place."
        : "The model was changed after the checksum was taken: it is "
          + checksums.joined(separator: ", ") + " now.")
  }
}

// MARK: - Versions

extension CoreDataError {
  static func noSourceModel(advice: String) -> CoreDataError {
    CoreDataError(
      .migrationMissingSourceModel, "Can't find model for source store", advice: advice)
  }

  static func unknownTarget(_ target: ManagedObjectModel) -> CoreDataError {
    CoreDataError(
      .migrationMissingSourceModel, "Can't find the target model '\(target)' among the versions")
  }
}
