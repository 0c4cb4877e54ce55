/// Makes the property mappings of one entity mapping: what is written, and what Xcode generates.
struct PropertyMappingBuilder {
  let draft: EntityMappingDraft
  let drafts: [EntityMappingDraft]
  let sourceModel: ManagedObjectModel
  let source: EntityDescription?
  let destination: EntityDescription

  func attributeMappings() throws -> [PropertyMapping] {
    let attributes = destination.attributes.filter { !$0.isDerived }
    try check(draft.attributes, against: attributes) { .unknownAttribute($0) }
    return try mappings(attributes, draft.attributes) { attribute in
      guard source?.attribute(named: attribute.name) != nil else { return nil }
      return GeneratedExpression.sourceKey(attribute.name).expression
    }
  }

  func relationshipMappings() throws -> [PropertyMapping] {
    try check(draft.relationships, against: destination.relationships) { .unknownRelationship($0) }
    return try mappings(destination.relationships, draft.relationships) { relationship in
      guard let original = source?.relationship(named: relationship.name) else { return nil }
      return generated(original, keyPath: original.name)
    }
  }

  private func check(
    _ selection: EntityMappingDraft.PropertySelection, against properties: [PropertyDescription],
    _ unknown: (String) -> MappingBuilderError.Kind
  ) throws {
    let names = Set(properties.map(\.name))
    if let name = selection.written.keys.filter({ !names.contains($0) }).min() {
      throw MappingBuilderError(unknown(name), in: draft)
    }
  }

  /// The mappings in the order of the properties' names, as Xcode writes them.
  private func mappings<Property: PropertyDescription>(
    _ properties: [Property], _ selection: EntityMappingDraft.PropertySelection,
    generate: (Property) -> Expression?
  ) throws -> [PropertyMapping] {
    try properties.sorted { $0.name < $1.name }.compactMap { property in
      if let written = selection.written[property.name] {
        let mapping = PropertyMapping(
          name: property.name,
          valueExpression: try expression(written, property.name) { generate(property) })
        if case .unreadable(let error) = written { mapping.unreadable = error }
        return mapping
      }
      guard case .sameNamed = selection, let expression = generate(property) else { return nil }
      return PropertyMapping(name: property.name, valueExpression: expression)
    }
  }

  private func expression(
    _ written: EntityMappingDraft.PropertySource, _ property: String, generate: () -> Expression?
  ) throws -> Expression? {
    switch written {
    case .text(let text):
      do { return try Expression.parse(text, arguments: []) } catch {
        throw MappingBuilderError(.expression(property: property, error), in: draft)
      }
    case .expression(let expression): return expression
    case .generated: return generate()
    case .instances(let keyPath, let mappingName):
      return try instances(property, keyPath: keyPath ?? property, mappingName: mappingName)
    case .nothing: return nil
    case .unreadable: return .expressionForEvaluatedObject()
    }
  }

  // MARK: Relationships

  /// One mapping takes the relationship's objects: that one by name. Several do: by relationship.
  /// Core Data: observed in compiled mapping models.
  private func generated(_ original: RelationshipDescription, keyPath: String) -> Expression {
    let takers = takers(of: original.destinationEntity)
    if takers.count == 1 {
      return GeneratedExpression.destinationInstances(
        mappingName: takers[0].name, keyPath: keyPath
      ).expression
    }
    return GeneratedExpression.relatedInstances(
      relationshipName: original.name, keyPath: keyPath
    ).expression
  }

  /// The entity mappings that make something of an entity's objects.
  private func takers(of entity: EntityDescription) -> [EntityMappingDraft] {
    drafts.filter { draft in
      let taken = draft.sourceEntityName.flatMap { sourceModel.entity(named: $0) }
      return draft.destinationEntityName != nil && taken?.isKindOf(entity: entity) == true
    }
  }

  /// The explicit form of a relationship mapping: a key path, a mapping, or both.
  private func instances(
    _ property: String, keyPath: String, mappingName: String?
  ) throws -> Expression? {
    if let mappingName {
      guard drafts.contains(where: { $0.name == mappingName }) else {
        throw MappingBuilderError(.unknownMapping(mappingName, property: property), in: draft)
      }
      return GeneratedExpression.destinationInstances(
        mappingName: mappingName, keyPath: keyPath
      ).expression
    }
    if keyPath.isEmpty {
      // Core Data: assumed, of an empty key path, to be what other mappings make of the source object itself; no test
      // decides it, since only Xcode compiles mapping models.
      let others = source.map(takers)?.filter { $0.name != draft.name } ?? []
      return others.count == 1
        ? GeneratedExpression.destinationInstances(mappingName: others[0].name, keyPath: "")
          .expression
        : nil
    }
    guard let original = relationship(at: keyPath) else { return nil }
    return generated(original, keyPath: keyPath)
  }

  /// The relationship a key path ends with; collection operators are passed over.
  private func relationship(at keyPath: String) -> RelationshipDescription? {
    var entity = source
    var found: RelationshipDescription?
    for key in keyPath.split(separator: ".") where !key.hasPrefix("@") {
      guard let next = entity?.relationship(named: String(key)) else { return nil }
      found = next
      entity = next.destinationEntity
    }
    return found
  }
}
