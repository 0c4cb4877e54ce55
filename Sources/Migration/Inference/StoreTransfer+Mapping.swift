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
      // What is kept in several columns isn't in one column of the source.
      if [.composite, .objectID].contains(attribute.attributeType) {
        throw LightweightObstacle(reason: "'\(attribute.name)' is more than a column")
      }
      guard let origin = mapping.attributeMapping(named: attribute.name)?.valueExpression else {
        continue
      }
      guard let found = attributeOrigin(origin) else {
        throw LightweightObstacle(reason: "'\(attribute.name)' is computed")
      }
      fill(attribute, from: found)
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
