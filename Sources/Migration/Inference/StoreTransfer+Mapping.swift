// An inferred mapping model as something that SQLite can do by itself.

extension StoreTransfer {
  /// What an inferred mapping model does with the rows of an SQLite store.
  ///
  /// - Parameters:
  ///   - source: The model of the source store.
  ///   - destination: The model of the destination store.
  /// - Throws: ``LightweightObstacle`` where a mapping asks for more than columns and keys.
  init(
    of mappings: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws {
    var entities: [Entity] = []
    for mapping in mappings.entityMappings where mapping.fetchesSource {
      guard let old = mapping.sourceEntityName.flatMap({ source.entity(named: $0) }),
        let new = mapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { continue }
      var entity = Entity(name: mapping.name, source: old, destination: new)
      try entity.fill(by: mapping)
      entities.append(entity)
    }
    self.init(entities: entities)
  }
}

/// Why a lightweight migration runs in a migration manager, though both stores are SQLite files.
struct LightweightObstacle: Error {
  let reason: String
}

extension StoreTransfer.Entity {
  /// Takes the property mappings over.
  fileprivate mutating func fill(by mapping: EntityMapping) throws {
    for attribute in destination.attributes where attribute.isStored {
      if attribute.attributeType == .objectID {
        throw LightweightObstacle(reason: "'\(attribute.name)' is more than a column")
      }
      guard let origin = mapping.attributeMapping(named: attribute.name)?.valueExpression else {
        continue
      }
      guard let found = attributeOrigin(origin) else {
        throw LightweightObstacle(reason: "'\(attribute.name)' is computed")
      }
      try fill(attribute, by: found)
    }
    for relationship in destination.relationships {
      guard let origin = mapping.relationshipMapping(named: relationship.name)?.valueExpression
      else { continue }
      guard case .relatedInstances(let name, let keyPath)? = GeneratedExpression(origin),
        name == keyPath, let old = source.relationship(named: name)
      else { throw LightweightObstacle(reason: "'\(relationship.name)' is computed") }
      link(relationship, from: old)
    }
  }

  /// A composite is filled element by element.
  private mutating func fill(
    _ attribute: AttributeDescription, by origin: StoreTransfer.AttributeOrigin
  ) throws {
    guard attribute.attributeType == .composite else { return fill(attribute, from: origin) }
    switch origin {
    case .attribute(let original) where original.attributeType == .composite:
      for element in attribute.elements { try fill(element, elementOf: original) }
    case .value(let value):
      for (index, element) in attribute.elements.enumerated() {
        try fill(element, by: .value(value.composite?.values[index] ?? .null))
      }
    default: throw LightweightObstacle(reason: "'\(attribute.name)' is more than a column")
    }
  }

  /// - Parameter composite: The source's composite, without which there is no default either.
  private mutating func fill(
    _ element: AttributeDescription, by origin: StoreTransfer.AttributeOrigin,
    of composite: AttributeDescription
  ) throws {
    guard case .value(let value) = origin, !value.isNull else {
      return try fill(element, by: origin)
    }
    if element.attributeType == .composite {
      throw LightweightObstacle(reason: "'\(element.name)' is more than a column")
    }
    fill(element, from: .element(origin, of: composite))
  }

  private mutating func fill(
    _ element: AttributeDescription, elementOf composite: AttributeDescription
  ) throws {
    let identifier = element.renamingIdentifier
    guard let original = composite.elements.first(where: { $0.renamingIdentifier == identifier })
    else { return try fill(element, by: .value(element.typedDefaultValue), of: composite) }
    let isNewlyRequired = original.isOptional && !element.isOptional
    if isNewlyRequired, !element.typedDefaultValue.isNull, element.attributeType != .composite {
      let origin = StoreTransfer.AttributeOrigin.attributeOrValue(
        original, element.typedDefaultValue)
      return fill(element, from: .element(origin, of: composite))
    }
    try fill(element, by: .attribute(original))
  }

  private func attributeOrigin(_ expression: Expression) -> StoreTransfer.AttributeOrigin? {
    switch GeneratedExpression(expression) {
    case .constant(let value)?: .value(value)
    case .sourceKey(let key)?: source.attribute(named: key).map { .attribute($0) }
    case .sourceKeyOrDefault(let key, let value)?:
      source.attribute(named: key).map { .attributeOrValue($0, value) }
    default: nil
    }
  }
}
