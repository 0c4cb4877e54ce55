extension ManagedObject {
  /// The objects a relationship leads to, whether one or many.
  func members(of relationship: RelationshipDescription) -> [ManagedObject] {
    if relationship.isToMany { return destinations(of: relationship) }
    return destination(of: relationship).map { [$0] } ?? []
  }

  /// Whether a property is nil or leads nowhere.
  func isEmpty(_ property: PropertyDescription) -> Bool {
    if let relationship = property as? RelationshipDescription {
      return members(of: relationship).isEmpty
    }
    return attributeValue(at: property.slot).isNull
  }
}
