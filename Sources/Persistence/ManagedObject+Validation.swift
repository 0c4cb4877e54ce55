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
      return [refusal(by: error)]
    }
  }

  /// An app's own error as one of validation.
  private func refusal(by error: any Error) -> CoreDataError {
    CoreDataError(.managedObjectValidation, error.localizedDescription)
      .at(entity: entity.name, object: "\(objectID)").with(value: nil, underlying: OwnError(error))
  }

  final func throwIfInvalid(_ errors: [CoreDataError]) throws {
    if let error = CoreDataError.combining(errors) { throw error }
  }

  /// Checks all properties: those of an app's subclass one by one, by the method it may override.
  /// - Throws: The one error there is, an app's own as it is; else 1560 with all of them.
  final func validateProperties() throws {
    if type(of: self) == ManagedObject.self { return try throwIfInvalid(validationErrors()) }
    if isFault && state.contains(.inserted) { fireFault() }
    if isFault { return }
    var errors: [any Error] = []
    for property in entity.properties where !property.isTransient && concernsValidation(property) {
      do { try validateOwnValue(of: property) } catch { errors.append(error) }
    }
    if errors.count == 1 { throw errors[0] }
    try throwIfInvalid(
      errors.flatMap { error in
        (error as? CoreDataError).map { $0.details.isEmpty ? [$0] : $0.details }
          ?? [refusal(by: error)]
      })
  }

  /// Members of a to-many relationship aren't read for nothing.
  private func concernsValidation(_ property: PropertyDescription) -> Bool {
    guard let relationship = property as? RelationshipDescription else {
      return property is AttributeDescription
    }
    let isTouched = toMany.indices.contains(relationship.slot) && toMany[relationship.slot] != nil
    return !relationship.isToMany || isTouched || relationship.minCount > 0
      || relationship.maxCount > 0 || PropertyValidators.validator(of: property, for: self) != nil
  }

  private func validateOwnValue(of property: PropertyDescription) throws {
    var value = modelledValue(forKey: property.name).map { $0 as AnyObject }
    let old = value
    try validateValue(&value, forKey: property.name)
    if value !== old { setValue(value, forKey: property.name) }
  }

  final func validate(_ value: UnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    guard let property = entity.property(named: key) else { return }
    switch property {
    case let attribute as AttributeDescription:
      let typed = try Value(value.pointee, for: attribute)
      if let failure = AttributeValidation.failure(of: typed, for: attribute) {
        throw located(failure, property: attribute, value: typed)
      }
    case let relationship as RelationshipDescription:
      if let failure = failure(of: relationship, count: Self.count(of: value.pointee)) {
        throw located(failure, property: relationship, value: .null)
      }
    default: break
    }
    try PropertyValidators.validator(of: property, for: self)?(self, value)
  }

  private static func count(of value: AnyObject?) -> Int {
    switch value {
    case nil: 0
    case let set as NSSet: set.count
    case let set as NSOrderedSet: set.count
    default: 1
    }
  }

  /// All failures, in the order of the properties.
  final func validationErrors() -> [CoreDataError] {
    if isFault && state.contains(.inserted) { fireFault() }
    if isFault { return [] }
    var errors: [CoreDataError] = []
    for attribute in entity.attributes where !attribute.isTransient {
      let value = values[attribute.slot]
      if let failure = AttributeValidation.failure(of: value, for: attribute) {
        errors.append(located(failure, property: attribute, value: value))
      }
    }
    for relationship in entity.relationships where !relationship.isTransient {
      if let failure = failure(of: relationship) {
        errors.append(located(failure, property: relationship, value: .null))
      }
    }
    return errors
  }

  private func failure(of relationship: RelationshipDescription) -> CoreDataError? {
    failure(
      of: relationship,
      count: relationship.isToMany
        ? destinationIDs(of: relationship).count
        : destinationID(of: relationship) == nil ? 0 : 1)
  }

  /// - Parameter count: How many objects the relationship leads to; asked for only where it matters.
  private func failure(
    of relationship: RelationshipDescription, count: @autoclosure () -> Int
  ) -> CoreDataError? {
    guard relationship.isToMany else {
      return !relationship.isOptional && count() == 0 ? .missing(relationship) : nil
    }
    // A required relationship without a minimum may be empty.
    // Core Data: observed in 23 real stores, whose rows it validated and wrote.
    let least = relationship.minCount
    if least == 0 && relationship.maxCount == 0 { return nil }
    let count = count()
    // Optional and empty passes even with a minimum, as Core Data reads "optional".
    if count == 0 && relationship.isOptional { return nil }
    if count < least { return .tooFew(relationship, count: count, least: least) }
    if relationship.maxCount > 0 && count > relationship.maxCount {
      return .tooMany(relationship, count: count)
    }
    return nil
  }

  private func located(
    _ error: CoreDataError, property: PropertyDescription, value: Value
  ) -> CoreDataError {
    var located = error.at(entity: entity.name, property: property.name, object: "\(objectID)")
      .with(value: value.isNull ? "nil" : value.boxed.map { "\($0)" })
    located.validated = (self, value.boxed)
    return located
  }
}
