import Migration

/// Builds a model from entities.
func model(_ name: String, _ entities: EntityDescription...) throws -> ManagedObjectModel {
  try ManagedObjectModel(entities: entities, name: name)
}

/// Builds an entity from its own properties.
func entity(
  _ name: String, parent: String? = nil, abstract: Bool = false, was: String? = nil,
  unique: [[String]] = [], _ properties: PropertyDescription...
) -> EntityDescription {
  let entity = EntityDescription(name: name)
  entity.superentityName = parent
  entity.isAbstract = abstract
  entity.explicitRenamingIdentifier = was
  entity.uniquenessConstraints = unique
  entity.ownProperties = properties
  return entity
}

/// An optional attribute; `required` and a default on demand.
func attribute(
  _ name: String, _ type: AttributeType = .string, required: Bool = false,
  default value: Value = .null, was: String? = nil, transient: Bool = false
) -> AttributeDescription {
  let attribute = AttributeDescription(name: name, type: type)
  attribute.isOptional = !required
  attribute.typedDefaultValue = value
  attribute.explicitRenamingIdentifier = was
  attribute.isTransient = transient
  return attribute
}

func toOne(
  _ name: String, _ destination: String, inverse: String? = nil, required: Bool = false,
  was: String? = nil
) -> RelationshipDescription {
  relationship(name, destination, toMany: false, inverse, required, was)
}

func toMany(
  _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false,
  required: Bool = false, was: String? = nil
) -> RelationshipDescription {
  let relationship = relationship(name, destination, toMany: true, inverse, required, was)
  relationship.isOrdered = ordered
  return relationship
}

private func relationship(
  _ name: String, _ destination: String, toMany: Bool, _ inverse: String?, _ required: Bool,
  _ was: String?
) -> RelationshipDescription {
  let relationship = RelationshipDescription(
    name: name, destinationEntityName: destination, toMany: toMany)
  relationship.inverseName = inverse
  relationship.isOptional = !required
  relationship.explicitRenamingIdentifier = was
  return relationship
}
