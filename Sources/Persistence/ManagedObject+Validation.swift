// Validation, with Core Data's codes. Bounds are inclusive; an optional nil passes everything.

extension ManagedObject {
  enum ValidatedChange { case insertion, update, deletion }

  /// What is wrong with a change; for an app's subclass, what it says.
  final func errors(validating change: ValidatedChange) -> [CoreDataError] {
    if type(of: self) == ManagedObject.self {
      return change == .deletion ? deniedDeletion() : validationErrors()
    }
    do {
      switch change {
      case .insertion: try validateForInsert()
      case .update: try validateForUpdate()
      case .deletion: try validateForDelete()
      }
      return []
    } catch let error as CoreDataError {
      return error.details.isEmpty ? [error] : error.details
    } catch {
      let refusal = CoreDataError(.managedObjectValidation, error.localizedDescription)
        .at(entity: entity.name, object: "\(objectID)")
      return [refusal.with(value: nil, underlying: error)]
    }
  }

  final func throwIfInvalid(_ errors: [CoreDataError]) throws {
    if let error = CoreDataError.combining(errors) { throw error }
  }

  /// All failures, in the order of the properties.
  final func validationErrors() -> [CoreDataError] {
    if isFault && state.contains(.inserted) { fireFault() }
    if isFault { return [] }
    var errors: [CoreDataError] = []
    for attribute in entity.attributes where !attribute.isTransient {
      let value = values[attribute.slot]
      if let failure = AttributeValidation.failure(of: value, for: attribute) {
        errors.append(located(failure, attribute, value))
      }
    }
    for relationship in entity.relationships where !relationship.isTransient {
      if let failure = failure(of: relationship) {
        errors.append(located(failure, relationship, .null))
      }
    }
    return errors
  }

  private func failure(of relationship: RelationshipDescription) -> CoreDataError? {
    guard relationship.isToMany else {
      let isMissing = !relationship.isOptional && destinationID(of: relationship) == nil
      return isMissing ? .missing(relationship) : nil
    }
    // A required relationship without a minimum may be empty: so rows are that Core Data validated
    // and wrote (observed in 23 real stores).
    let least = relationship.minCount
    if least == 0 && relationship.maxCount == 0 { return nil }
    let count = destinationIDs(of: relationship).count
    // Optional and empty passes even with a minimum, as Core Data reads "optional".
    if count == 0 && relationship.isOptional { return nil }
    if count < least { return .tooFew(relationship, count: count, least: least) }
    if relationship.maxCount > 0 && count > relationship.maxCount {
      return .tooMany(relationship, count: count)
    }
    return nil
  }

  private func located(
    _ error: CoreDataError, _ property: PropertyDescription, _ value: Value
  ) -> CoreDataError {
    var located = error.at(entity: entity.name, property: property.name, object: "\(objectID)")
      .with(value: value.isNull ? "nil" : value.boxed.map { "\($0)" })
    located.validated = (self, value.boxed)
    return located
  }
}

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
