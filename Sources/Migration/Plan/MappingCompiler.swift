/// One entity mapping looked through: its entities, where its source instances come from, and what fills
/// each property. Both ways to carry out a migration start from this.
struct CompiledMapping {
  let mapping: EntityMapping
  let sourceEntity: EntityDescription?
  let destinationEntity: EntityDescription?
  let source: SourceInstances
  /// In the order of the property mappings.
  let attributes: [PropertyStep<AttributeDescription, ValueSource>]
  let relationships: [PropertyStep<RelationshipDescription, LinkSource>]

  /// Whether somebody else's code, or an error, comes before the mapping's rows.
  var needsPolicy: Bool {
    mapping.entityMigrationPolicyClassName?.isEmpty == false
      || mapping.mappingType == .customEntityMappingType
  }
}

/// One property to be set on each destination object.
struct PropertyStep<Property: PropertyDescription, Source> {
  let property: Property
  let mapping: PropertyMapping
  let source: Source
}

/// Where a mapping's source instances come from.
enum SourceInstances {
  /// Nothing is read: an add or remove mapping.
  case none
  /// One entity's rows, streamed.
  case request(FetchRequest<ManagedObject>)
  /// What an expression gives.
  case expression(Expression)

  /// The entity of which all objects are sources, and none of subentities.
  var wholeEntityName: String? {
    guard case .request(let request) = self, request.predicate == nil, request.fetchLimit == 0,
      request.fetchOffset == 0, !request.includesSubentities
    else { return nil }
    return request.entityName
  }
}

/// Looks through one entity mapping before it runs, and finds its mistakes: the one place where
/// expressions become sources of values and links.
struct MappingCompiler {
  let mapping: EntityMapping
  /// The models of the stores: entities and properties are found in these.
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  /// - Throws: `CoreDataError` `.migration` for an unknown entity or property, and for a predicate that
  ///   can't be used.
  func compiled() throws -> CompiledMapping {
    let (from, to) = (try sourceEntity(), try destinationEntity())
    return CompiledMapping(
      mapping: mapping, sourceEntity: from, destinationEntity: to,
      source: try sourceInstances(of: from), attributes: try attributeSteps(into: to, from: from),
      relationships: try relationshipSteps(into: to, from: from))
  }

  // MARK: Entities

  private func sourceEntity() throws -> EntityDescription? {
    try entity(mapping.sourceEntityName, in: source, "source")
  }

  private func destinationEntity() throws -> EntityDescription? {
    try entity(mapping.destinationEntityName, in: destination, "destination")
  }

  private func entity(
    _ name: String?, in model: ManagedObjectModel, _ side: String
  ) throws -> EntityDescription? {
    guard let name else { return nil }
    if let entity = model.entity(named: name) { return entity }
    throw CoreDataError.noEntity(name, in: model, side).at(entityMapping: mapping.name)
  }

  // MARK: Source instances

  private func sourceInstances(of entity: EntityDescription?) throws -> SourceInstances {
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
      return try FetchRequest(forSourceEntityNamed: name, predicateString: predicate)
    } catch {
      throw CoreDataError.unusablePredicate(predicate, error)
        .at(entityMapping: mapping.name, entity: name)
    }
  }

  // MARK: Properties

  private func attributeSteps(
    into destination: EntityDescription?, from source: EntityDescription?
  ) throws -> [PropertyStep<AttributeDescription, ValueSource>] {
    try steps(mapping.attributeMappings, into: destination, "attribute") { attribute, expression in
      valueSource(expression, for: attribute, from: source)
    }
  }

  private func relationshipSteps(
    into destination: EntityDescription?, from source: EntityDescription?
  ) throws -> [PropertyStep<RelationshipDescription, LinkSource>] {
    try steps(mapping.relationshipMappings, into: destination, "relationship") { _, expression in
      linkSource(expression, from: source)
    }
  }

  /// The steps of all mappings that have an expression.
  private func steps<Property: PropertyDescription, Source>(
    _ mappings: [PropertyMapping]?, into destination: EntityDescription?, _ kind: String,
    source: (Property, Expression) -> Source
  ) throws -> [PropertyStep<Property, Source>] {
    guard let mappings, let destination else { return [] }
    return try mappings.compactMap { property in
      guard let expression = property.valueExpression else { return nil }
      let name = property.name ?? ""
      guard let description = destination.property(named: name) as? Property else {
        throw unknownProperty(name, of: destination, kind)
      }
      return PropertyStep(
        property: description, mapping: property, source: source(description, expression))
    }
  }

  private func valueSource(
    _ expression: Expression, for attribute: AttributeDescription, from source: EntityDescription?
  ) -> ValueSource {
    switch GeneratedExpression(expression) {
    case .constant(let value)? where attribute.attributeType == .composite:
      // What can't be converted ahead is an error for the row that it is computed for.
      return (try? Value(value, for: attribute)).map { .constant($0) } ?? .expression(expression)
    case .constant(let value)?:
      return value.coerced(to: attribute.attributeType).map { .constant($0) }
        ?? .expression(expression)
    case .sourceKey(let key)?:
      return source?.attribute(named: key).flatMap { carried($0, to: attribute) }
        ?? .expression(expression)
    case .sourceKeyOrDefault(let key, let value)?:
      guard let original = source?.attribute(named: key),
        let value = value.coerced(to: attribute.attributeType), !value.isNull
      else { return .expression(expression) }
      switch carried(original, to: attribute) {
      case .copied?, .converted?: return .fallback(original, value)
      default: return .expression(expression)
      }
    default: return .expression(expression)
    }
  }

  /// Nil where setting the attribute does more than converting a number.
  private func carried(
    _ original: AttributeDescription, to attribute: AttributeDescription
  ) -> ValueSource? {
    switch (original.attributeType, attribute.attributeType) {
    // Each version has elements of its own.
    case (.composite, .composite): .elements(of: original)
    case (.composite, _), (_, .composite): nil
    case (let from, let to) where from == to: .copied(original)
    case (let from, let to): Self.convert(from, to) ? .converted(original) : nil
    }
  }

  private static func convert(_ from: AttributeType, _ to: AttributeType) -> Bool {
    from.isNumeric && to.isNumeric
      || from == .boolean && [.integer16, .integer32, .integer64].contains(to)
  }

  private func linkSource(
    _ expression: Expression, from source: EntityDescription?
  ) -> LinkSource {
    switch GeneratedExpression(expression) {
    case .destinationInstances(let mappingName, let key)?:
      source?.relationship(named: key).map { .mapped($0, by: mappingName) }
        ?? .expression(expression)
    case .relatedInstances(let name, let key)? where name == key:
      source?.relationship(named: key).map { .related($0) } ?? .expression(expression)
    default: .expression(expression)
    }
  }

  private func unknownProperty(
    _ name: String, of entity: EntityDescription, _ kind: String
  ) -> CoreDataError {
    .noProperty(name, of: entity, kind).at(entityMapping: mapping.name)
  }
}
