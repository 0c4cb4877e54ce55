import ObjectModel

/// A model as lines of text, so that a failed comparison shows what differs.
///
/// Has what an archived model keeps: no class names, user info, templates, or text of defaults.
func lines(of model: ManagedObjectModel) -> [String] {
  ["versions \(model.versionIdentifiers.sorted())"]
    + model.configurations.sorted { $0.key < $1.key }.map { "configuration \($0.key) \($0.value)" }
    + model.entities.flatMap { [line(of: $0)] + $0.properties.map { "  " + line(of: $0) } }
}

private func line(of entity: EntityDescription) -> String {
  let indexes = entity.storedIndexes.map { index in
    index.name + "(" + index.elements.map { "\($0.propertyName) \($0.isAscending)" }.joined() + ")"
  }
  return "\(entity.name): \(entity.superentityName ?? "-") abstract \(entity.isAbstract) "
    + "id \(entity.renamingIdentifier) modifier \(entity.versionHashModifier ?? "-") "
    + "unique \(entity.uniquenessConstraints) indexes \(indexes.sorted())"
}

private func line(of property: PropertyDescription) -> String {
  "\(property.slot) \(property.name) optional \(property.isOptional) "
    + "transient \(property.isTransient) id \(property.renamingIdentifier) "
    + "modifier \(property.versionHashModifier ?? "-") " + details(of: property)
}

private func details(of property: PropertyDescription) -> String {
  switch property {
  case let attribute as AttributeDescription:
    "\(attribute.attributeType) default \(attribute.typedDefaultValue) "
      + "bounds \(attribute.minimum) \(attribute.maximum) \(attribute.regularExpression ?? "-") "
      + "external \(attribute.allowsExternalBinaryDataStorage) "
      + "preserve \(attribute.preservesValueInHistoryOnDeletion) "
      + "transformer \(attribute.valueTransformerName ?? "-") indexed \(attribute.isIndexed) "
      + "class \(attribute.attributeValueClassName ?? "-") "
      + "derived \(attribute.compiledDerivation ?? "-")"
  case let relationship as RelationshipDescription:
    "-> \(relationship.destinationEntity.name) <- \(relationship.inverseRelationship?.name ?? "-") "
      + "\(relationship.deleteRule) \(relationship.minCount)...\(relationship.maxCount) "
      + "ordered \(relationship.isOrdered)"
  case let fetched as FetchedPropertyDescription: "fetches \(fetched.fetchRequest.entityName)"
  default: ""
  }
}
