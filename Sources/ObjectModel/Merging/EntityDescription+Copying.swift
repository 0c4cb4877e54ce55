// Copies of descriptions, for models that take entities from other models: a description belongs to
// one model for good.

extension EntityDescription {
  /// A description with the same content that belongs to no model yet, its own properties copied
  /// too.
  package func unattachedCopy() -> EntityDescription {
    let copy = EntityDescription(name: name)
    copy.managedObjectClassName = managedObjectClassName
    copy.isAbstract = isAbstract
    copy.superentityName = superentityName
    copy.ownProperties = ownProperties.map { $0.unattachedCopy() }
    copy.explicitRenamingIdentifier = explicitRenamingIdentifier
    copy.versionHashModifier = versionHashModifier
    copy.uniquenessConstraints = uniquenessConstraints
    copy.indexes = indexes
    copy.userInfo = userInfo
    copy.coreSpotlightDisplayNameFormat = coreSpotlightDisplayNameFormat
    return copy
  }
}

extension PropertyDescription {
  /// A description with the same content that belongs to no entity yet.
  package func unattachedCopy() -> PropertyDescription {
    let copy =
      switch self {
      case let attribute as AttributeDescription: attribute.copyOfAttribute()
      case let relationship as RelationshipDescription: relationship.copyOfRelationship()
      case let fetched as FetchedPropertyDescription:
        FetchedPropertyDescription(name: name, fetchRequest: fetched.fetchRequest)
      default: PropertyDescription(name: name)
      }
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.versionHashModifier = versionHashModifier
    copy.userInfo = userInfo
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    copy.isStoredInExternalRecord = isStoredInExternalRecord
    copy.explicitRenamingIdentifier = explicitRenamingIdentifier
    return copy
  }
}

extension AttributeDescription {
  fileprivate func copyOfAttribute() -> AttributeDescription {
    let copy =
      switch self {
      case is DerivedAttributeDescription:
        DerivedAttributeDescription(name: name, type: attributeType)
      case is CompositeAttributeDescription:
        CompositeAttributeDescription(name: name, type: attributeType)
      default: AttributeDescription(name: name, type: attributeType)
      }
    copy.typedDefaultValue = typedDefaultValue
    copy.defaultValueString = defaultValueString
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.valueTransformerName = valueTransformerName
    copy.attributeValueClassName = attributeValueClassName
    copy.usesScalarValueType = usesScalarValueType
    copy.isIndexed = isIndexed
    copy.minimum = minimum
    copy.maximum = maximum
    copy.regularExpression = regularExpression
    copy.validationConditions = validationConditions
    copy.derivationExpression = derivationExpression
    copy.filterPredicate = filterPredicate
    copy.compositeName = compositeName
    copy.elements = elements.compactMap { $0.unattachedCopy() as? AttributeDescription }
    copy.allowsCloudEncryption = allowsCloudEncryption
    return copy
  }
}

extension RelationshipDescription {
  fileprivate func copyOfRelationship() -> RelationshipDescription {
    let copy = RelationshipDescription(
      name: name, destinationEntityName: destinationEntityName, toMany: isToMany)
    copy.inverseName = inverseName
    copy.deleteRule = deleteRule
    copy.minCount = minCount
    copy.maxCount = maxCount
    copy.isOrdered = isOrdered
    return copy
  }
}
