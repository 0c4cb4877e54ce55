/// Why no store watches over something that a uniqueness constraint names.
// Core Data: the constraints of an entity are "attribute or relationship names"; only what is a column of the
// entity's table can be in a unique index.
package enum ConstraintObstacle: Sendable {
  case unknown
  case toMany
  case transient
  case withoutType
  case composite
  case fetched
  /// A path across a relationship.
  case elsewhere

  /// What it is, after its name.
  package var description: String {
    switch self {
    case .unknown: "which isn't there"
    case .toMany: "a to-many relationship"
    case .transient: "which is transient"
    case .withoutType: "an attribute without type"
    case .composite: "a composite attribute"
    case .fetched: "a fetched property"
    case .elsewhere: "a property of another entity"
    }
  }
}

extension EntityDescription {
  /// What keeps a name from being kept unique; nil for stored attributes, elements of composites and to-one
  /// relationships.
  package func obstacle(toUniquenessOf name: String) -> ConstraintObstacle? {
    let keys = name.components(separatedBy: ".")
    guard let first = property(named: keys[0]), let property = property(at: keys) else {
      return .unknown
    }
    if keys.count > 1, first is RelationshipDescription { return .elsewhere }
    if property is FetchedPropertyDescription { return .fetched }
    if first.isTransient || property.isTransient { return .transient }
    if let relationship = property as? RelationshipDescription {
      return relationship.isToMany ? .toMany : nil
    }
    switch (property as? AttributeDescription)?.attributeType {
    case .composite: return .composite
    case .undefined, nil: return .withoutType
    default: return nil
    }
  }
}
