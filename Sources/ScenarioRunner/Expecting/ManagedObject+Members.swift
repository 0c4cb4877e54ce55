extension ManagedObject {
  /// The objects a relationship leads to, whether one or many.
  func members(of relationship: RelationshipDescription) -> [ManagedObject] {
    if relationship.isToMany { return destinations(of: relationship) }
    return destination(of: relationship).map { [$0] } ?? []
  }

  /// Whether a property is nil or leads nowhere.
  func isEmpty(_ name: String) -> Bool {
    if let relationship = entity.relationship(named: name) {
      return members(of: relationship).isEmpty
    }
    return entity.attribute(named: name).map { attributeValue(at: $0.slot).isNull } ?? true
  }
}
