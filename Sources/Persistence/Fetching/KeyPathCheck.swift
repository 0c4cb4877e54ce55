/// Looks for keys that an entity doesn't have, before anything is fetched.
///
/// A property of a subentity isn't a property of the fetched entity, even where all objects happen
/// to have it: Core Data raises then, and so would the first object that lacks it.
struct KeyPathCheck {
  let entity: EntityDescription

  func check(_ query: StoreQuery) throws {
    try query.predicate?.forEachKeyPath { try check($0) }
    for descriptor in query.sortDescriptors { try check(descriptor) }
  }

  /// - Throws: `CoreDataError` for a key that is neither a property nor one that every object
  ///   answers.
  func check(_ keys: [String]) throws {
    var current = entity
    for (position, key) in keys.enumerated() {
      guard let property = current.property(named: key) else {
        if Self.general.contains(key) || key.hasPrefix("@") { return }
        throw CoreDataError.unknownKeyPath(key, of: current)
      }
      if let attribute = property as? AttributeDescription {
        return try check(keys[(position + 1)...], in: attribute)
      }
      guard let relationship = property as? RelationshipDescription else { return }
      current = relationship.destinationEntity
    }
  }

  /// Only the elements of a composite are known; what text answers, predicates know.
  private func check(
    _ keys: ArraySlice<String>, in attribute: AttributeDescription
  ) throws {
    guard attribute.attributeType == .composite, attribute.element(at: keys) == nil else { return }
    throw CoreDataError.unknownKeyPath(
      ([attribute.name] + keys).joined(separator: "."), of: attribute.entity)
  }

  private func check(_ descriptor: SortDescriptor) throws {
    if let key = descriptor.key {
      try check(key.contains(".") ? key.components(separatedBy: ".") : [key])
    }
    guard let selector = descriptor.selectorName else { return }
    if SortDescriptor.TextOrder(selectorName: selector) == nil {
      throw CoreDataError.unsupportedSelector(selector, sorting: entity)
    }
  }

  /// What every object answers besides its properties.
  private static let general: Set = ["self", "SELF", "objectID", "entity"]
}
