// What was changed in an object, and what it was before.

extension ManagedObject {
  /// Whether a property that is stored differs from what was read or saved last.
  public var hasPersistentChangedValues: Bool {
    entity.properties.contains { !$0.isTransient && isChanged($0) }
  }

  /// The values of the properties that changed since the last fetch or save; nil as `NSNull`. Of a
  /// new object, those that aren't their defaults.
  public func changedValues() -> [String: Any] {
    dictionary(of: entity.properties.filter(isChanged))
  }

  /// The values that the properties changed since pending changes were processed last had before.
  /// Not known in a migration's own contexts.
  public func changedValuesForCurrentEvent() -> [String: Any] {
    guard let before = context?.event.valuesBefore[ObjectIdentifier(self)] else { return [:] }
    var result: [String: Any] = [:]
    for property in entity.properties where property.slot < values.count {
      if (property as? RelationshipDescription)?.isToMany == true { continue }
      guard before[property.slot] != values[property.slot] else { continue }
      result[property.name] = boxed(before[property.slot], of: property)
    }
    return result
  }

  /// The values at the last save or fetch, nil as `NSNull`: of attributes and to-one relationships;
  /// of to-many ones that are named.
  /// - Parameter keys: Which; nil for all attributes and to-one relationships.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    if isFault { fireFault() }
    let committed = state.contains(.inserted) ? [] : snapshot ?? values
    var result: [String: Any] = [:]
    for property in entity.properties
    where keys?.contains(property.name) ?? true && property.slot < committed.count {
      guard let relationship = property as? RelationshipDescription, relationship.isToMany else {
        result[property.name] = boxed(committed[property.slot], of: property)
        continue
      }
      if keys != nil { result[property.name] = committedMembers(of: relationship) }
    }
    return result
  }

  private func isChanged(_ property: PropertyDescription) -> Bool {
    if isFault && state.contains(.inserted) { fireFault() }
    if isFault || property.slot >= values.count { return false }
    if state.contains(.written), let relationship = property as? RelationshipDescription,
      relationship.isToMany
    {
      return destinationCount(of: relationship) > 0
    }
    if let destinations = (property as? RelationshipDescription)
      .flatMap({ toManyDestinationsIfTouched(of: $0) })
    {
      return destinations.hasChanges
    }
    if let snapshot, !state.contains(.inserted) {
      return snapshot[property.slot].withCurrentID != values[property.slot].withCurrentID
    }
    guard state.contains(.inserted) else { return false }
    let initial = (property as? AttributeDescription)?.typedDefaultValue ?? .null
    return values[property.slot] != initial
  }

  private func dictionary(of properties: [PropertyDescription]) -> [String: Any] {
    var result: [String: Any] = [:]
    for property in properties { result[property.name] = value(forKey: property.name) ?? NSNull() }
    return result
  }

  private func boxed(_ value: Value, of property: PropertyDescription) -> Any {
    if let attribute = property as? AttributeDescription {
      return value.boxed(as: attribute.attributeType) ?? NSNull()
    }
    guard let id = value.objectID else { return NSNull() }
    return context?.object(with: id) ?? NSNull()
  }

  private func committedMembers(of relationship: RelationshipDescription) -> Any {
    let ids = context?.destinationsOrException(of: relationship, from: objectID) ?? []
    let objects = ids.compactMap { context?.object(with: $0) }
    return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
  }
}
