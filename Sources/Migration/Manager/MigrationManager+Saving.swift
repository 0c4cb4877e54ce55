// The end of a migration: validation of everything new, and the one save.

extension MigrationManager {
  final var checks: MigrationPlan.Checks { run?.checks ?? .everything }

  final func validateAndSave() throws {
    let count = destinationContext.insertedObjectCount
    run?.pass = .validation
    trace.record(.validate, count: count)
    try timing(.validation) {
      switch checks {
      case .everything: try validateFully()
      case .mandatoryValues: try checkMandatoryValues()
      }
    }
    run?.pass = .save
    trace.record(.save, count: count)
    destinationContext.keepsDerivedTimes = checks == .mandatoryValues
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

  private func checkMandatoryValues() throws {
    for program in run?.programs ?? [] {
      let required = program.requiredValues
      if required.isEmpty { continue }
      var missing = [Int](repeating: 0, count: required.count)
      var refusal: (index: Int, error: CoreDataError)?
      for row in 0..<program.associations.count {
        guard let object = program.associations.destination(at: row) else { continue }
        for (index, value) in required.enumerated()
        where value.isMissing(in: object.attributeValue(at:)) {
          missing[index] += 1
          if value.wasRequired || refusal != nil { continue }
          let error = tracingOrigins(
            of: .missingMandatoryValue(
              of: value.property, entityMapping: program.mapping.name, object: object.objectID))
          refusal = (index, error)
        }
      }
      if let refusal {
        var error = refusal.error
        error.concernedCount = missing[refusal.index]
        throw error
      }
      for (value, count) in zip(required, missing) where count > 0 {
        trace.recordMissing(value, count: count, entityMapping: program.mapping.name)
      }
    }
  }

  /// What a migration calls a violated uniqueness constraint.
  private func refused(_ error: any Error) -> any Error {
    guard let cause = error as? CoreDataError, cause.code == .managedObjectConstraintMerge else {
      return error
    }
    return CoreDataError.uniquenessViolation(
      cause, inside: checks == .everything ? nil : destinationModel)
  }
}

extension EntityMappingProgram {
  /// What its destination instances must have.
  fileprivate var requiredValues: [RequiredValue] {
    plan.destination?.requiredValues(
      source: { attribute in attributes.last { $0.property === attribute }?.source },
      origin: { relationship in
        relationships.last { $0.property === relationship }?.source.relationship
      }) ?? []
  }
}

extension MigrationTrace {
  /// Tells of rows that lack a required value as they did before the step.
  func recordMissing(_ value: RequiredValue, count: Int, entityMapping: String) {
    warn(
      "\(count == 1 ? "1 object lacks" : "\(count) objects lack") the required '\(value.property.dottedName)', as in the "
        + "source store; a migration in place leaves such rows, and saving them fails",
      entityMapping: entityMapping)
  }
}

// MARK: - Objects that were refused

// To which mapping and which source object a refused new object belongs.

extension MigrationManager {
  /// A validation error with the entity mapping and the source of each object it is about.
  ///
  /// Takes time in proportion to all new objects, so it is for errors only.
  final func tracingOrigins(of error: CoreDataError) -> CoreDataError {
    let refused = error.details.isEmpty ? [error] : error.details
    let origins = origins(of: Set(refused.compactMap(\.place.object)))
    func traced(_ error: CoreDataError) -> CoreDataError {
      guard let origin = error.place.object.flatMap({ origins[$0] }) else { return error }
      var traced = error.at(entityMapping: origin.mapping)
      traced.place.sourceObject = origin.source
      return traced
    }
    if error.details.isEmpty { return traced(error) }
    var several = error
    several.details = error.details.map(traced)
    return several
  }

  private typealias Origin = (mapping: String?, source: String?)

  /// Where the objects with some descriptions come from; the first mapping counts.
  private func origins(of objects: Set<String>) -> [String: Origin] {
    var found: [String: Origin] = [:]
    for program in run?.programs ?? [] {
      for row in 0..<program.associations.count {
        let object = program.associations.destinationID(at: row).map { "\($0)" } ?? ""
        guard objects.contains(object), found[object] == nil else { continue }
        let source = sourceInstance(program.associations.sourceKey(at: row))
        found[object] = (program.mapping.name, source.map { "\($0.objectID)" })
      }
    }
    return found
  }
}
