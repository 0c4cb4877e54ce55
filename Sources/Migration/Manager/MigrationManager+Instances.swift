// What Core Data's own policy does with one object.

extension MigrationManager {
  /// Inserts one destination object, applies the attribute mappings and associates it.
  final func createDestinationInstance(
    forSource source: ManagedObject, in mapping: EntityMapping, policy: EntityMigrationPolicy
  ) throws {
    let plan = try runningPlan(for: mapping)
    guard let entity = plan.destinationEntity else { return }
    if entity.isAbstract { throw CoreDataError.abstractDestination(entity) }
    let destination = destinationContext.insertNewObject(for: entity)
    for step in plan.attributes { try apply(step, plan, source, destination) }
    plan.associations.associate(source, destination)
  }

  private func apply(
    _ step: PropertyStep<AttributeDescription, ValueSource>, _ plan: MappingPlan,
    _ source: ManagedObject, _ destination: ManagedObject
  ) throws {
    let attribute = step.property
    let value: Value
    switch step.source {
    case .copied(let original) where plan.reads(source):
      value = source.attributeValue(at: original.slot)
    case .converted(let original) where plan.reads(source):
      value = try Value(source.attributeValue(at: original.slot), for: attribute)
    case .fallback(let original, let fallback) where plan.reads(source):
      let found = source.attributeValue(at: original.slot)
      value = found.isNull ? fallback : try Value(found, for: attribute)
    case .constant(let constant):
      value = constant
    default:
      value = try Value(self.value(of: step, plan, source, destination), for: attribute)
    }
    destination.setAttributeValue(value, at: attribute.slot)
  }

  /// Applies the relationship mappings to one destination object.
  final func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping,
    policy: EntityMigrationPolicy
  ) throws {
    let plan = try runningPlan(for: mapping)
    if plan.relationships.isEmpty { return }
    let source = sourceInstance(of: destination, in: plan)
    for step in plan.relationships { try apply(step, plan, source, destination) }
  }

  private func apply(
    _ step: PropertyStep<RelationshipDescription, LinkSource>, _ plan: MappingPlan,
    _ source: ManagedObject?, _ destination: ManagedObject
  ) throws {
    let value: Value
    switch (step.source, source) {
    case (.mapped(let relationship, let name), let source?) where plan.reads(source):
      let sources = source.objects(of: relationship)
      value = .array(destinationInstances(forEntityMappingName: name, sourceInstances: sources))
    case (.related(let relationship), let source?) where plan.reads(source):
      let related = destinationInstances(
        of: source.objects(of: relationship), under: run?.plans(reachedBy: relationship) ?? [])
      value = .array(linkable(related, to: step.property))
    default:
      value = try self.value(of: step, plan, source, destination)
    }
    try destination.setTypedValue(value, forKey: step.property.name)
  }

  /// What a property mapping's expression gives. A method it calls can't throw, so it may have
  /// cancelled the migration: at this property, then.
  private func value<Property, Source>(
    of step: PropertyStep<Property, Source>, _ plan: MappingPlan, _ source: ManagedObject?,
    _ destination: ManagedObject
  ) throws -> Value {
    let value = try plan.value(of: step, source: source, destination: destination)
    if run?.cancellation != nil { plan.failedProperty = step.property.name }
    return value
  }

  /// The objects that a relationship can lead to. A migration inside the store drops the others,
  /// for example when the destination was narrowed to a subentity; a mapping model's are an error.
  private func linkable(
    _ objects: [ManagedObject], to relationship: RelationshipDescription
  ) -> [ManagedObject] {
    guard validation == .mandatoryValues else { return objects }
    return objects.filter { $0.entity.isKindOf(entity: relationship.destinationEntity) }
  }

  /// The source of a destination object: that of the row the second pass is at, else by look-up.
  final func sourceInstance(of destination: ManagedObject, in plan: MappingPlan) -> ManagedObject? {
    let table = plan.associations
    if plan.row < table.count, table.isDestination(destination, at: plan.row) {
      return sourceInstance(table.sourceKey(at: plan.row))
    }
    return table.rows(of: destination).first.flatMap { sourceInstance(table.sourceKey(at: $0)) }
  }

  private func runningPlan(for mapping: EntityMapping) throws -> MappingPlan {
    if let plan = run?.plan(for: mapping) { return plan }
    throw CoreDataError(
      .migration, "entity mapping '\(mapping.name ?? "")' isn't part of the running migration")
  }
}

extension CoreDataError {
  fileprivate static func abstractDestination(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .migration, "Cannot insert an instance of the abstract entity '\(entity.name)'",
      advice: "Map these objects to an entity that isn't abstract, or remove them before."
    ).at(entity: entity.name)
  }
}

extension ManagedObject {
  /// The objects a relationship leads to, to-one or to-many.
  fileprivate func objects(of relationship: RelationshipDescription) -> [ManagedObject] {
    if relationship.isToMany { return destinations(of: relationship) }
    return destination(of: relationship).map { [$0] } ?? []
  }
}
