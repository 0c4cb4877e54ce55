// The end of a migration: validation of everything new, and the one save.

extension MigrationManager {
  final func validateAndSave() throws {
    let count = destinationContext.insertedObjectCount
    run?.pass = .validation
    trace.record(.validate, count: count)
    try timing(.validation) {
      switch validation {
      case .full: try validateFully()
      case .mandatoryValues: try checkMandatoryValues()
      }
    }
    run?.pass = .save
    trace.record(.save, count: count)
    destinationContext.keepsDerivedTimes = validation == .mandatoryValues
    do { try timing(.save, saveAll) } catch { throw refused(error) }
  }

  private func saveAll() throws {
    if forgetsObjects {
      try destinationContext.saveAndForgetObjects()
    } else {
      try destinationContext.saveWithoutValidation()
    }
  }

  private func validateFully() throws {
    do { try destinationContext.validate() } catch let error as CoreDataError {
      throw tracingOrigins(of: error)
    }
  }

  /// The only check of a migration inside a store: it sees columns, not objects. A to-many
  /// relationship has none, and real stores hold many required ones that are empty.
  private func checkMandatoryValues() throws {
    for plan in run?.plans ?? [] {
      guard let entity = plan.destinationEntity else { continue }
      let required = entity.properties.filter { $0.needsValueInItsColumn }
      if required.isEmpty { continue }
      for row in 0..<plan.associations.count {
        guard let object = plan.associations.destination(at: row) else { continue }
        for property in required where object.attributeValue(at: property.slot).isNull {
          throw tracingOrigins(
            of: .missingMandatoryValue(
              of: property, entityMapping: plan.mapping.name, object: object.objectID))
        }
      }
    }
  }

  /// What a migration calls a violated uniqueness constraint.
  private func refused(_ error: any Error) -> any Error {
    guard let cause = error as? CoreDataError, cause.code == .managedObjectConstraintMerge else {
      return error
    }
    return CoreDataError.uniquenessViolation(
      cause, code: validation == .full ? .migration : .migrationConstraintViolation)
  }
}

extension PropertyDescription {
  fileprivate var needsValueInItsColumn: Bool {
    if isOptional || isTransient { return false }
    // What is derived has its value once it is saved.
    if (self as? AttributeDescription)?.isDerived == true { return false }
    return (self as? RelationshipDescription)?.isToMany != true
  }
}

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
        entityMapping: entityMapping, entity: object.entity.name, property: property.name,
        object: "\(object)")
    }
    let error = CoreDataError(
      .migration, "Cannot migrate store in-place: \(text)",
      advice: "Give '\(property.name)' a default value or make it optional; an empty store would "
        + "have hidden this.")
    return located(error).with(value: nil, underlying: located(CoreDataError(.migration, text)))
  }

  /// A migration's error for a violated uniqueness constraint.
  static func uniquenessViolation(
    _ cause: CoreDataError, code: CoreDataErrorCode
  ) -> CoreDataError {
    var refused = CoreDataError(
      code, "migration failed due to a violated uniqueness constraint",
      advice: cause.advice ?? "Remove the duplicates before this step, or in a policy.")
    refused.place = cause.place
    refused.underlying = cause
    return refused
  }
}
