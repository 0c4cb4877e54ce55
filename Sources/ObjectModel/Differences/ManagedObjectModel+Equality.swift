// Whether two models are the same, whatever objects they are.

extension ManagedObjectModel {
  /// Whether both have the same content: entities with all their features, configurations, version identifiers
  /// and fetch request templates. Names of versions are the files', and don't count.
  // Core Data: observed in public migrators, which look for a store's model among those they loaded by
  // `isEqual` and `==`.
  func hasContent(of other: ManagedObjectModel) -> Bool {
    // The quickest first: nearly all versions differ in it.
    return entityVersionHashesByName == other.entityVersionHashesByName
      && versionIdentifiers == other.versionIdentifiers
      && configurations.mapValues(Set.init) == other.configurations.mapValues(Set.init)
      && fetchRequestTemplates == other.fetchRequestTemplates
      && entities.allSatisfy { entity in
        other.entitiesByName[entity.name].map { entity.hasContent(of: $0) } ?? false
      }
  }
}

extension EntityDescription {
  /// Whether another entity of this name has the same features and the same properties.
  func hasContent(of other: EntityDescription) -> Bool {
    guard ModelFeature.values(of: self) == ModelFeature.values(of: other),
      ownProperties.count == other.ownProperties.count
    else { return false }
    let others = Dictionary(other.ownProperties.map { ($0.name, $0) }) { first, _ in first }
    return ownProperties.allSatisfy { property in
      others[property.name].map { property.hasContent(of: $0) } ?? false
    }
  }
}

extension PropertyDescription {
  func hasContent(of other: PropertyDescription) -> Bool {
    guard ModelFeature.values(of: self) == ModelFeature.values(of: other) else { return false }
    guard let attribute = self as? AttributeDescription, let other = other as? AttributeDescription
    else { return true }
    return attribute.validationConditions == other.validationConditions
  }
}
