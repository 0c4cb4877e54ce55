/// What goes into an entity's version hash, in words that a person can compare.
enum EntityShape {
  /// By property name, and under `""` for the entity itself.
  static func words(for entity: EntityDescription) -> [String: String] {
    let properties = entity.properties.compactMap { property in
      words(for: property).map { (property.name, $0) }
    }
    return Dictionary(firstOf: properties + [("", own(entity))])
  }

  private static func own(_ entity: EntityDescription) -> String {
    var parts = [entity.isAbstract ? "abstract entity" : "entity"]
    if let parent = entity.superentityName { parts.append("parent \(parent)") }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }.sorted()
    if !constraints.isEmpty { parts.append("unique \(constraints.joined(separator: " "))") }
    parts += modifier(entity.versionHashModifier)
    return parts.joined(separator: ", ")
  }

  /// Nil for what isn't in the hash.
  private static func words(for property: PropertyDescription) -> String? {
    if property.isTransient { return nil }
    let common =
      [property.isOptional ? "optional" : "required"] + modifier(property.versionHashModifier)
    switch property {
    case let attribute as AttributeDescription: return words(for: attribute, common)
    case let relationship as RelationshipDescription: return words(for: relationship, common)
    default: return nil
    }
  }

  private static func words(for attribute: AttributeDescription, _ common: [String]) -> String {
    if let derivation = attribute.derivationExpression { return "derived \(derivation)" }
    var parts = [attribute.attributeType.name] + common
    if attribute.allowsExternalBinaryDataStorage { parts.append("external storage") }
    if attribute.preservesValueInHistoryOnDeletion { parts.append("preserved after deletion") }
    return parts.joined(separator: ", ")
  }

  private static func words(
    for relationship: RelationshipDescription, _ common: [String]
  ) -> String {
    let kind = relationship.isToMany ? "to-many" : "to-one"
    var parts = ["\(kind) \(relationship.destinationEntityName)"] + common
    if let inverse = relationship.inverseName { parts.append("inverse \(inverse)") }
    if relationship.isOrdered { parts.append("ordered") }
    if relationship.minCount != 0 { parts.append("at least \(relationship.minCount)") }
    if relationship.isToMany, relationship.maxCount > 0 {
      parts.append("at most \(relationship.maxCount)")
    }
    return parts.joined(separator: ", ")
  }

  private static func modifier(_ text: String?) -> [String] {
    text.map { ["modifier '\($0)'"] } ?? []
  }
}
