// Key-value coding: Apple's spelling with `Any?`, and typed twins that throw.

extension ManagedObject: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    guard let property = entity.property(named: key) else {
      return try unmodelledValue(forKey: key)
    }
    guard let relationship = property as? RelationshipDescription else {
      if let fetched = property as? FetchedPropertyDescription {
        return try fetchedValue(of: fetched)
      }
      return attributeValue(at: property.slot)
    }
    if relationship.isToMany {
      let members = destinations(of: relationship).map { Value.object($0) }
      return .collection(ValueCollection(relationship.isOrdered ? .orderedSet : .set, members))
    }
    return destination(of: relationship).map { .object($0) } ?? .null
  }

  /// What an object answers besides its properties.
  private func unmodelledValue(forKey key: String) throws -> Value {
    switch key {
    case "objectID": .object(objectID)
    case "entity": .object(entity)
    case "self": .object(self)
    case _ where type(of: self) != ManagedObject.self:
      Value(evaluating: value(forUndefinedKey: key))
    default: throw undefinedKey(key, "valueForUndefinedKey:")
    }
  }

  /// Sets a property from a typed value.
  /// - Throws: What Core Data raises for an unknown key or a value of the wrong type.
  public final func setTypedValue(_ value: Value, forKey key: String) throws {
    switch entity.property(named: key) {
    case let attribute as AttributeDescription:
      setAttributeValue(try Value(value, for: attribute), at: attribute.slot)
    case let relationship as RelationshipDescription:
      try setRelationship(relationship, to: value)
    case _ where type(of: self) != ManagedObject.self: setValue(value.boxed, forUndefinedKey: key)
    default: throw undefinedKey(key, "setValue:forUndefinedKey:")
    }
  }

  private func setRelationship(_ relationship: RelationshipDescription, to value: Value) throws {
    let objects = try managedObjects(in: value, for: relationship)
    if relationship.isToMany {
      try setDestinations(objects, of: relationship)
    } else {
      try setDestination(objects.first, of: relationship)
    }
  }

  /// The objects in a value that is set for a relationship: one, a collection, or none.
  private func managedObjects(
    in value: Value, for relationship: RelationshipDescription
  ) throws -> [ManagedObject] {
    switch value {
    case .null: return []
    case .object(let object as ManagedObject): return [object]
    case .object(let id as ManagedObjectID): return context.map { [$0.object(with: id)] } ?? []
    case .collection(let collection):
      return try collection.elements.flatMap { try managedObjects(in: $0, for: relationship) }
    default: throw unacceptable(value, for: relationship)
    }
  }

  // MARK: Apple's spelling

  /// The value of a property: numbers as `NSNumber`, a to-one relationship as `ManagedObject`, a
  /// to-many as `NSSet` or `NSOrderedSet` (which cast to `Set<ManagedObject>`).
  public final func value(forKey key: String) -> Any? {
    if let place = entity.attributePlace(named: key) {
      if isFault { fireFault() }
      switch values[place.slot] {
      case .string(let text): return text
      case .null: return nil
      case .transformable(let value):
        return value.object(transformerName: entity.attribute(named: key)?.valueTransformerName)
      case let value: return value.boxed(as: place.type)
      }
    }
    if let attribute = entity.attribute(named: key) {
      return attributeValue(at: attribute.slot).boxed(as: attribute.attributeType)
    }
    do { return try typedValue(forKey: key).boxed } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }

  /// The value at the end of a path of keys, through to-one relationships; through a to-many one,
  /// the collection of the values.
  public final func value(forKeyPath keyPath: String) -> Any? {
    do {
      return try Expression(forKeyPath: keyPath).value(for: .object(self), variables: [:]).boxed
    } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }

  /// Sets what is at the end of a path of keys: through to-one relationships, and into composite
  /// attributes.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    do {
      try set(value, at: keyPath.components(separatedBy: ".")[...])
    } catch { ExceptionTrap.raise(error) }
  }

  private func set(_ value: Any?, at keys: ArraySlice<String>) throws {
    guard let key = keys.first, keys.count > 1 else {
      return setValue(value, forKey: keys.first ?? "")
    }
    if let attribute = entity.attribute(named: key), attribute.attributeType == .composite {
      let old = attributeValue(at: attribute.slot)
      let new = try attribute.setting(value, at: keys.dropFirst(), in: old)
      return setAttributeValue(new, at: attribute.slot)
    }
    if case .object(let object as ManagedObject) = try typedValue(forKey: key) {
      try object.set(value, at: keys.dropFirst())
    }
  }

  public final func setValue(_ value: Any?, forKey key: String) {
    if let place = entity.attributePlace(named: key),
      let exact = Value.exactly(value, of: place.type)
    {
      return setAttributeValue(exact, at: place.slot)
    }
    do {
      if let attribute = entity.attribute(named: key) {
        return setAttributeValue(try Value(value, for: attribute), at: attribute.slot)
      }
      // Finding out what an object of an unknown class is takes a dozen casts.
      if let object = value as? ManagedObject, let relationship = entity.relationship(named: key),
        !relationship.isToMany
      {
        return try setDestination(object, of: relationship)
      }
      try setTypedValue(Value(value), forKey: key)
    } catch { ExceptionTrap.raise(error) }
  }

  public final func primitiveValue(forKey key: String) -> Any? { value(forKey: key) }
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
    setValue(value, forKey: key)
  }
  /// Fires the fault, if the object is one.
  public final func willAccessValue(forKey key: String?) { fireFault() }
  public final func didAccessValue(forKey key: String?) {}
  public final func willChangeValue(forKey key: String) {}
  public final func didChangeValue(forKey key: String) {}

  /// The values of several properties; nil as `NSNull`.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = value(forKey: key) ?? NSNull() }
    return values
  }

  /// Sets several properties, in the order of their names; `NSNull` as nil.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) { setValue(value, forKey: key) }
  }

  // MARK: Exceptions

  final func undefinedKey(_ key: String, _ selector: String) -> CoreDataError {
    CoreDataError(
      .coreData,
      "[<\(entity.managedObjectClassName ?? "NSManagedObject")> \(selector)]: the entity "
        + "\(entity.name) is not key value coding-compliant for the key \"\(key)\".",
      advice: "Properties of \(entity.name): "
        + entity.propertiesByName.keys.sorted().joined(separator: ", ")
    ).at(entity: entity.name, property: key, object: "\(objectID)")
  }

  private func unacceptable(
    _ value: Value, for relationship: RelationshipDescription
  ) -> CoreDataError {
    let shown = value.boxed.map { "\($0)" } ?? "nil"
    let desired = relationship.isToMany ? "NSSet" : relationship.destinationEntity.name
    return CoreDataError(
      .coreData,
      "Unacceptable type of value for \(relationship.isToMany ? "to-many" : "to-one") relationship: "
        + "property = \"\(relationship.name)\"; desired type = \(desired); "
        + "given type = \(value.className); value = \(shown)."
    ).at(entity: entity.name, property: relationship.name, object: "\(objectID)").with(value: shown)
  }
}
