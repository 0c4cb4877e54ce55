/// Looks through one entity mapping before it runs, and finds its mistakes.
struct MappingCompiler {
  let mapping: EntityMapping
  let manager: MigrationManager

  // MARK: Entities

  func sourceEntity() throws -> EntityDescription? {
    try entity(mapping.sourceEntityName, in: manager.sourceContextModel, "source")
  }

  func destinationEntity() throws -> EntityDescription? {
    try entity(mapping.destinationEntityName, in: manager.destinationContextModel, "destination")
  }

  private func entity(
    _ name: String?, in model: ManagedObjectModel, _ side: String
  ) throws -> EntityDescription? {
    guard let name else { return nil }
    if let entity = model.entity(named: name) { return entity }
    throw CoreDataError(
      .migration, "the \(side) model has no entity named '\(name)'",
      advice: "Its entities: \(model.entitiesByName.keys.sorted().joined(separator: ", "))."
    ).at(entityMapping: mapping.name, entity: name)
  }

  // MARK: Source instances

  func sourceInstances(of entity: EntityDescription?) throws -> SourceInstances {
    guard mapping.fetchesSource, let entity else { return .none }
    guard let expression = mapping.sourceExpression else {
      return .request(try request(entity.name, "TRUEPREDICATE"))
    }
    guard case .fetch(let name, let predicate)? = GeneratedExpression(expression) else {
      return .expression(expression)
    }
    return .request(try request(name, predicate))
  }

  private func request(_ name: String, _ predicate: String) throws -> FetchRequest<ManagedObject> {
    do {
      return try manager.fetchRequest(forSourceEntityNamed: name, predicateString: predicate)
    } catch {
      throw CoreDataError(.migration, "The source predicate '\(predicate)' can't be used: \(error)")
        .at(entityMapping: mapping.name, entity: name).with(value: nil, underlying: error)
    }
  }

  // MARK: Properties

  func attributeSteps(
    into destination: EntityDescription?, from source: EntityDescription?
  ) throws -> [PropertyStep<AttributeDescription>] {
    try steps(mapping.attributeMappings, into: destination, "attribute") { attribute, expression in
      attributeWork(expression, for: attribute, from: source)
    }
  }

  func relationshipSteps(
    into destination: EntityDescription?, from source: EntityDescription?
  ) throws -> [PropertyStep<RelationshipDescription>] {
    try steps(mapping.relationshipMappings, into: destination, "relationship") { _, expression in
      relationshipWork(expression, from: source)
    }
  }

  /// The steps of all mappings that have an expression.
  private func steps<Property: PropertyDescription>(
    _ mappings: [PropertyMapping]?, into destination: EntityDescription?, _ kind: String,
    work: (Property, Expression) -> PropertyStep<Property>.Work
  ) throws -> [PropertyStep<Property>] {
    guard let mappings, let destination else { return [] }
    return try mappings.compactMap { property in
      guard let expression = property.valueExpression else { return nil }
      let name = property.name ?? ""
      guard let description = destination.property(named: name) as? Property else {
        throw unknownProperty(name, of: destination, kind)
      }
      return PropertyStep(
        property: description, mapping: property, work: work(description, expression))
    }
  }

  private func attributeWork(
    _ expression: Expression, for attribute: AttributeDescription, from source: EntityDescription?
  ) -> PropertyStep<AttributeDescription>.Work {
    switch GeneratedExpression(expression) {
    case .constant(let value)? where attribute.attributeType == .composite:
      return (try? Value(value, for: attribute)).map { .constant($0) } ?? .evaluate
    case .constant(let value)?:
      return value.coerced(to: attribute.attributeType).map { .constant($0) } ?? .evaluate
    case .sourceKey(let key)?:
      guard let original = source?.attribute(named: key) else { return .evaluate }
      return copy(original, to: attribute)
    default: return .evaluate
    }
  }

  private func copy(
    _ original: AttributeDescription, to attribute: AttributeDescription
  ) -> PropertyStep<AttributeDescription>.Work {
    let (from, to) = (original.attributeType, attribute.attributeType)
    // Each version has elements of its own.
    if to == .composite { return .evaluate }
    if from == to { return .copy(slot: original.slot) }
    return from.isNumeric && to.isNumeric ? .convert(slot: original.slot) : .evaluate
  }

  private func relationshipWork(
    _ expression: Expression, from source: EntityDescription?
  ) -> PropertyStep<RelationshipDescription>.Work {
    switch GeneratedExpression(expression) {
    case .destinationInstances(let mappingName, let key)?:
      guard let relationship = source?.relationship(named: key) else { return .evaluate }
      return .mapped(relationship, mappingName: mappingName)
    case .relatedInstances(let name, let key)? where name == key:
      return source?.relationship(named: key).map { .related($0) } ?? .evaluate
    default: return .evaluate
    }
  }

  private func unknownProperty(
    _ name: String, of entity: EntityDescription, _ kind: String
  ) -> CoreDataError {
    let known = entity.properties.map(\.name).joined(separator: ", ")
    return CoreDataError(
      .migration, "destination entity '\(entity.name)' has no \(kind) named '\(name)'",
      advice: "Its properties: \(known)."
    ).at(entityMapping: mapping.name, entity: entity.name, property: name)
  }
}
