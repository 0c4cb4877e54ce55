/// Uniqueness constraints over what isn't a column. What isn't there at all is an unknown name.
struct UnkeptConstraintRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.flatMap { entity in
      entity.uniquenessConstraints.flatMap { $0 }.uniqued().compactMap { name in
        guard let obstacle = entity.obstacle(toUniquenessOf: name) else { return nil }
        if case .unknown = obstacle { return nil }
        return LintFinding(
          .constraintNotKept, entity: entity.name, property: name,
          "a uniqueness constraint names it, \(obstacle.description): no store keeps it unique")
      }
    }
  }
}

/// Constraints beside relationships that the object at the other end can't do without: merging two equal objects would
/// leave one without.
// Core Data: observed; the report of one public app, whose model didn't compile.
struct MandatoryInverseRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.filter { !$0.uniquenessConstraints.isEmpty }.flatMap { entity in
      entity.relationships.compactMap { relationship in
        guard let inverse = relationship.inverseRelationship, !inverse.isOptional,
          !inverse.isToMany
        else { return nil }
        return LintFinding(
          .mandatoryInverse, entity: entity.name, property: relationship.name,
          "has the required inverse \(inverse.entity.name).\(inverse.name), and \(entity.name) has a uniqueness "
            + "constraint: Xcode may refuse to compile the model",
          advice:
            "Make \(inverse.entity.name).\(inverse.name) optional, or look for equal objects in the app."
        )
      }
    }
  }
}

/// Names in a version that lead nowhere.
struct UnknownNameRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    configurations(version) + requests(version) + version.entities.flatMap(properties)
  }

  private func configurations(_ version: ManagedObjectModel) -> [LintFinding] {
    version.configurations.sorted { $0.key < $1.key }.flatMap { name, members in
      members.filter { version.entity(named: $0) == nil }.map {
        LintFinding(
          .unknownName, entity: $0, property: nil,
          "is in configuration '\(name)', but not in the model")
      }
    }
  }

  private func requests(_ version: ManagedObjectModel) -> [LintFinding] {
    version.fetchRequestTemplates.sorted { $0.key < $1.key }
      .filter { version.entity(named: $0.value.entityName) == nil }.map { name, request in
        LintFinding(
          .unknownName, entity: request.entityName, property: nil,
          "fetch request '\(name)' fetches it, but the model doesn't have it")
      }
      + version.entities.flatMap(\.ownProperties).compactMap { property in
        guard let fetched = property as? FetchedPropertyDescription,
          version.entity(named: fetched.fetchRequest.entityName) == nil
        else { return nil }
        return LintFinding(
          .unknownName, entity: property.entity.name, property: property.name,
          "fetches '\(fetched.fetchRequest.entityName)', which the model doesn't have")
      }
  }

  private func properties(of entity: EntityDescription) -> [LintFinding] {
    let constraints = entity.uniquenessConstraints.flatMap { $0 }
    let indexed = entity.indexes.flatMap { index in
      index.elements.map(\.propertyName).filter { !$0.isEmpty }
    }
    return missing(constraints, in: entity, "a uniqueness constraint names it")
      + missing(indexed, in: entity, "an index names it")
  }

  private func missing(
    _ names: [String], in entity: EntityDescription, _ reason: String
  ) -> [LintFinding] {
    names.uniqued().filter { entity.property(at: $0.components(separatedBy: ".")) == nil }.map {
      LintFinding(
        .unknownName, entity: entity.name, property: $0, "\(reason), but the entity doesn't have it"
      )
    }
  }
}

/// Entities whose tables can't be made: their names stand in statements without quotes.
// Core Data: observed; a public report (openradar 19714793) has a syntax error in SQL for an entity `Foo Bar`, and that
// only Xcode's editor checks names.
struct EntityNameRule: VersionRule {
  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.filter { entity in
      entity.name.unicodeScalars.contains {
        $0.isASCII && !$0.properties.isAlphabetic && $0.properties.numericType == nil
          && !"_$".unicodeScalars.contains($0)
      }
    }.map {
      LintFinding(
        .entityNameNotAllowed, entity: $0.name, property: nil,
        "has a character in its name that no table's may have: Core Data's statement has a syntax error, and the store "
          + "can't be opened",
        advice: "Name entities by letters, digits and underscores.")
    }
  }
}

/// Properties that are named like a method of every managed object: Xcode and Core Data refuse them.
// Core Data: documented; NSPropertyDescription's name can't be that of a method of NSObject or NSManagedObject without
// parameters. Core Data: observed; two public apps have an attribute `hash`, so that one isn't refused.
struct ReservedNameRule: VersionRule {
  private static let names: Set = [
    "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues",
    "changedValuesForCurrentEvent", "class", "copy", "dealloc", "debugDescription", "description",
    "didSave", "didTurnIntoFault", "entity", "faultingState", "finalize", "hasChanges",
    "hasPersistentChangedValues", "init", "isDeleted", "isFault", "isInserted", "isProxy",
    "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "prepareForDeletion", "release",
    "retain", "retainCount", "self", "superclass", "willSave", "willTurnIntoFault", "zone",
  ]

  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.flatMap(\.ownProperties).filter { Self.names.contains($0.name) }.map {
      LintFinding(
        .reservedName, of: $0,
        "is named like a method of every managed object: Xcode may refuse to compile the model",
        advice: "Give it another name, and its present one as the renaming identifier.")
    }
  }
}
