// The plans of a mapping model without policies as something that can be done with rows in memory.

extension RowTransfer {
  /// What a migration by Core Data's own policy does with the rows of a store in memory; nothing for
  /// mappings that read nothing.
  /// - Parameter validation: What the new rows must pass.
  /// - Throws: ``LightweightObstacle`` where the plans ask for more than rows and values.
  static func all(
    of run: MigrationRun, into model: ManagedObjectModel, _ validation: MigrationValidation
  ) throws -> [(plan: MappingPlan, transfer: RowTransfer)] {
    var transfers: [(plan: MappingPlan, transfer: RowTransfer)] = []
    var families = Set<ObjectIdentifier>()
    for plan in run.plans {
      guard plan.usesDefaultPolicy else { throw LightweightObstacle(reason: "there are policies") }
      guard let transfer = try RowTransfer(plan, validation) else { continue }
      guard families.insert(ObjectIdentifier(transfer.destination.rootEntity)).inserted else {
        throw LightweightObstacle(reason: "'\(plan.name)' shares its destination")
      }
      transfers.append((plan, transfer))
    }
    for entity in model.entities where !entity.uniquenessConstraints.isEmpty {
      throw LightweightObstacle(reason: "values of '\(entity.name)' must be unique")
    }
    return transfers
  }

  /// Nil for a mapping that reads nothing.
  private init?(_ plan: MappingPlan, _ validation: MigrationValidation) throws {
    guard case .request(let request) = plan.source else {
      guard case .none = plan.source else {
        throw LightweightObstacle(reason: "'\(plan.name)' has a source expression of its own")
      }
      return nil
    }
    guard let source = plan.sourceEntity, request.entityName == source.name,
      let destination = plan.destinationEntity, !destination.isAbstract,
      destination.relationships.isEmpty, plan.relationships.isEmpty
    else { throw LightweightObstacle(reason: "'\(plan.name)' makes more than values") }
    self.init(from: source, to: destination)
    let slot = { (key: String) -> Int? in
      source.attribute(named: key).flatMap { $0.isStored ? $0.slot : nil }
    }
    let program = RowProgram(variable: MigrationVariable.source.rawValue, slot: slot)
    if let predicate = request.predicate {
      condition = RowProgram(variable: nil, slot: slot).test(predicate)
      if condition == nil { throw LightweightObstacle(reason: "'\(predicate)' asks for objects") }
    }
    for attribute in destination.attributes where attribute.isStored {
      try fill(attribute, plan, program)
      if needsCheck(attribute, validation) { checked.append(attribute) }
    }
  }

  /// A lightweight migration checks required values only.
  private func needsCheck(
    _ attribute: AttributeDescription, _ validation: MigrationValidation
  ) -> Bool {
    switch validation {
    case .full: AttributeValidation.hasRules(attribute)
    case .mandatoryValues: !attribute.isOptional
    }
  }

  private mutating func fill(
    _ attribute: AttributeDescription, _ plan: MappingPlan, _ program: RowProgram
  ) throws {
    if !attribute.isPlainValue {
      throw LightweightObstacle(reason: "'\(attribute.name)' is more than a value")
    }
    // A property may be mapped twice; the last one holds.
    guard let step = plan.attributes.last(where: { $0.property === attribute }) else {
      return fill(attribute, with: attribute.typedDefaultValue)
    }
    switch step.work {
    case .constant(let value): fill(attribute, with: value)
    case .copy(let slot) where isStored(slot): fill(attribute, fromSlot: slot)
    case .convert(let slot) where isStored(slot): fill(attribute) { $0[slot] }
    case .evaluate:
      guard attribute.attributeType != .transformable,
        let read = step.mapping.valueExpression.flatMap(program.reader)
      else { throw LightweightObstacle(reason: "'\(attribute.name)' asks for objects") }
      fill(attribute, from: read)
    default: throw LightweightObstacle(reason: "'\(attribute.name)' isn't in the source's rows")
    }
  }

  private func isStored(_ slot: Int) -> Bool {
    source.attributes.contains { $0.slot == slot && $0.isStored }
  }
}
