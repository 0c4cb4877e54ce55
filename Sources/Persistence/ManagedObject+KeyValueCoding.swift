// Key-value coding: Apple's spelling with `Any?`, and typed twins that throw.

extension ManagedObject: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    if let own = ownAccessor(key) { return Value(evaluating: own.read(self)) }
    guard let property = entity.property(named: key) else {
      return try unmodelledValue(forKey: key)
    }
    guard let relationship = property as? RelationshipDescription else {
      if let fetched = property as? FetchedPropertyDescription {
        return try fetchedValue(of: fetched)
      }
      let value = attributeValue(at: property.slot)
      // What is made by a transformer that the attribute names, the value keeps.
      if case .transformable(let kept) = value, let attribute = property as? AttributeDescription {
        _ = kept.object(transformerName: attribute.valueTransformerName)
      }
      return value
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
    default:
      if let name = entity.attributeName(ofPrimitiveKey: key) {
        try typedValue(forKey: name)
      } else if type(of: self) != ManagedObject.self {
        Value(evaluating: value(forUndefinedKey: key))
      } else {
        throw CoreDataError.undefinedKey(key, "valueForUndefinedKey:", of: self)
      }
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
    default: throw CoreDataError.undefinedKey(key, "setValue:forUndefinedKey:", of: self)
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
  /// to-many as `NSSet` or `NSOrderedSet` (which cast to `Set<ManagedObject>`). A class's own accessor
  /// comes first (Apple's reference of `value(forKey:)`).
  public final func value(forKey key: String) -> Any? {
    if let own = ownAccessor(key) { return own.read(self) }
    return modelledValue(forKey: key)
  }

  /// The accessor that an app's class declares itself: `@objc var`, and not `@NSManaged`.
  @inline(__always)
  private final func ownAccessor(_ key: String) -> ObjectiveCNames.Accessor? {
    type(of: self) == ManagedObject.self
      ? nil : ObjectiveCNames.accessor(key, of: type(of: self))
  }

  /// ``value(forKey:)`` of what the model has, whatever accessors the class declares.
  public final func modelledValue(forKey key: String) -> Any? {
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
    if let relationship = entity.relationship(named: key), relationship.isToMany {
      if relationship.isOrdered { return mutableOrderedSetValue(forKey: key) }
      let set = NSSet(array: destinations(of: relationship))
      GivenSets.note(set, of: self, key: key)
      return set
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
      _ = try attribute.element(at: keys.dropFirst())?.fitting(value, isChecked: true)
      let new = try attribute.setting(value, at: keys.dropFirst(), in: old)
      return setAttributeValue(new, at: attribute.slot)
    }
    if case .object(let object as ManagedObject) = try typedValue(forKey: key) {
      try object.set(value, at: keys.dropFirst())
    }
  }

  /// Sets a property, by the class's own accessor if it has one. As on a device the value must be of the
  /// property's class, or it raises; and so does nil for a property that the class declares as a number.
  public final func setValue(_ value: Any?, forKey key: String) {
    if value == nil, type(of: self) != ManagedObject.self,
      ObjectiveCNames.isScalar(key, of: type(of: self))
    {
      return setNilValueForKey(key)
    }
    if let write = ownAccessor(key)?.write {
      do { return try write(self, value) } catch { return ExceptionTrap.raise(error) }
    }
    setModelledValue(value, forKey: key)
  }

  /// ``setValue(_:forKey:)`` of what the model has, whatever accessors the class declares. A class that
  /// overrides ``willChangeValue(forKey:)`` or ``didChangeValue(forKey:)`` hears of it.
  // Core Data: observed in public apps, which set properties that depend on others in these overrides.
  public final func setModelledValue(_ value: Any?, forKey key: String) {
    guard ObjectiveCNames.hearsOfChanges(self), entity.property(named: key) != nil else {
      return setUntold(value, forKey: key)
    }
    willChangeValue(forKey: key)
    setUntold(value, forKey: key)
    didChangeValue(forKey: key)
  }

  private final func setUntold(_ value: Any?, forKey key: String) {
    if let place = entity.attributePlace(named: key),
      let exact = Value.exactly(value, of: place.type)
    {
      return setAttributeValue(exact, at: place.slot)
    }
    do { try set(value, of: key) } catch { ExceptionTrap.raise(error) }
  }

  private func set(_ value: Any?, of key: String) throws {
    switch entity.property(named: key) {
    case let attribute as AttributeDescription: try set(value, of: attribute)
    case let relationship as RelationshipDescription:
      // Finding out what an object of an unknown class is takes a dozen casts.
      if !relationship.isToMany, let object = value as? ManagedObject {
        return try setDestination(object, of: relationship)
      }
      try set(value, of: relationship)
    default:
      guard let name = entity.propertyName(ofSetterKey: key) else {
        if type(of: self) != ManagedObject.self { return setValue(value, forUndefinedKey: key) }
        throw CoreDataError.undefinedKey(key, "setValue:forUndefinedKey:", of: self)
      }
      try set(value, of: name)
    }
  }

  private func set(_ value: Any?, of attribute: AttributeDescription) throws {
    if value is NSNull, attribute.attributeType.valueClassName != nil {
      throw CoreDataError.unacceptable(value, for: attribute)
    }
    setAttributeValue(try attribute.fitting(value, isChecked: true), at: attribute.slot)
  }

  /// A to-many relationship takes an `NSSet`, an ordered one an `NSOrderedSet`, and nothing else; a
  /// Swift `Set` is an `NSSet` on a device.
  private func set(_ value: Any?, of relationship: RelationshipDescription) throws {
    guard let value else { return try setRelationship(relationship, to: .null) }
    let typed = value is NSNull ? nil : Value(value)
    switch typed {
    case .null: try setRelationship(relationship, to: .null)
    case .collection(let collection) where collection.kind == relationship.collectionKind:
      try setDestinations(
        try collection.elements.map {
          guard case .object(let object as ManagedObject) = $0 else {
            throw unacceptable($0.boxed as Any, for: relationship)
          }
          return object
        }, of: relationship)
    default: throw unacceptable(value, for: relationship)
    }
  }

  /// The value that the object holds. A fault is fired.
  // Core Data: observed in a public app, whose policy reads the members of a relationship so, and has a test.
  public final func primitiveValue(forKey key: String) -> Any? { modelledValue(forKey: key) }

  /// Sets what the object holds. Nobody notices: the object isn't changed by it, and the other side of a
  /// relationship isn't either, except between ``willChangeValue(forKey:)`` and
  /// ``didChangeValue(forKey:)``.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
    let isNoticed = context?.changingKeys.contains(ChangingKey(self, key)) ?? true
    if isNoticed || state.contains(.written) { return setUntold(value, forKey: key) }
    do {
      switch entity.property(named: key) {
      case let attribute as AttributeDescription:
        fireFault()
        values[attribute.slot] = try attribute.fitting(value)
      case let relationship as RelationshipDescription where !relationship.isToMany:
        fireFault()
        let object = value as? ManagedObject
        if value != nil && object == nil { throw unacceptable(value as Any, for: relationship) }
        values[relationship.slot] = object.map { .object($0.objectID) } ?? .null
      case let relationship as RelationshipDescription:
        try setMembersUnnoticed(value, of: relationship)
      default: setUntold(value, forKey: key)
      }
    } catch { ExceptionTrap.raise(error) }
  }

  private func setMembersUnnoticed(_ value: Any?, of relationship: RelationshipDescription) throws {
    let objects = try managedObjects(in: Value(value), for: relationship)
    let destinations = toManyDestinations(of: relationship)
    for id in destinationIDs(of: relationship) { destinations.remove(id) }
    for object in objects { destinations.add(object.objectID) }
    destinations.tellObserver()
  }

  /// Fires the fault, if the object is one.
  public final func willAccessValue(forKey key: String?) { fireFault() }
  public final func didAccessValue(forKey key: String?) {}

  /// ``willChangeValue(forKey:)``, whatever the class makes of it.
  public final func beginChange(ofKey key: String) {
    guard let context, entity.property(named: key) != nil else { return }
    willChange()
    context.changingKeys.insert(ChangingKey(self, key))
  }

  public final func endChange(ofKey key: String) {
    context?.changingKeys.remove(ChangingKey(self, key))
  }

  /// The values of several properties; nil as `NSNull`.
  public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = value(forKey: key) ?? NSNull() }
    return values
  }

  /// Sets several properties, in the order of their names; `NSNull` as nil.
  public final func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  // MARK: Exceptions

  private func unacceptable(
    _ value: Value, for relationship: RelationshipDescription
  ) -> CoreDataError {
    unacceptable(value.boxed as Any, for: relationship)
  }

  func unacceptable(_ value: Any, for relationship: RelationshipDescription) -> CoreDataError {
    let shown = "\(value)"
    let desired =
      switch relationship.collectionKind {
      case .set: "NSSet"
      case .orderedSet: "NSOrderedSet"
      default: relationship.destinationEntity.name
      }
    var error = CoreDataError.unacceptable(
      shown, of: CoreDataError.givenType(value), desired: desired, for: relationship, of: self
    ).with(value: shown)
    if relationship.isToMany { error.advice = CoreDataError.collectionAdvice(desired) }
    return error
  }
}

/// A property of an object that is being changed by its primitive value.
struct ChangingKey: Hashable {
  private let object: ObjectIdentifier
  private let key: String

  init(_ object: ManagedObject, _ key: String) {
    (self.object, self.key) = (ObjectIdentifier(object), key)
  }
}

extension RelationshipDescription {
  /// What a to-many relationship's value is; nil for a to-one.
  fileprivate var collectionKind: ValueCollection.Kind? {
    isToMany ? (isOrdered ? .orderedSet : .set) : nil
  }
}

extension EntityDescription {
  /// The attribute that `primitiveUpdatedAt` stands for, when it is no property itself: Core Data makes
  /// such accessors for every attribute.
  fileprivate func attributeName(ofPrimitiveKey key: String) -> String? {
    guard key.hasPrefix("primitive"), key.count > 9 else { return nil }
    return name(fromCapitalized: key.dropFirst(9))
  }

  /// The property whose setter key-value coding finds for a key that names none: `Date` and `date`
  /// both lead to `setDate:`, and `primitiveDate` to `setPrimitiveDate:`.
  fileprivate func propertyName(ofSetterKey key: String) -> String? {
    attributeName(ofPrimitiveKey: key) ?? name(fromCapitalized: key[...])
  }

  private func name(fromCapitalized key: Substring) -> String? {
    guard key.first?.isUppercase == true else { return nil }
    let name = key.prefix(1).lowercased() + key.dropFirst()
    return property(named: name) == nil ? nil : name
  }
}

extension AttributeDescription {
  /// The value as the attribute has it. Where it is checked, a Decimal, in a composite too, takes no other number.
  func fitting(_ given: Any?, isChecked: Bool = false) throws -> Value {
    // Others hold no numbers, and may be large.
    if attributeType.isNumeric || attributeType == .boolean || attributeType == .composite {
      try Value(given).forEachLeaf(of: self) { value, leaf in
        if isChecked, value.isPlainNumber(forDecimal: leaf) {
          throw CoreDataError.unacceptable(value.boxed, for: leaf)
        }
        if value.isUnfit(for: leaf) { AppCodeWitness.tell(.unfitNumber) }
      }
    }
    return try Value(given, for: self)
  }
}
