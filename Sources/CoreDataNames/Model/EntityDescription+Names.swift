// An entity as Apple's header has it: what is optional there, settable there, and up to date while
// its model is still being built.

extension EntityDescription {
  public var name: String? {
    get { self.ObjectModel::name.isEmpty ? nil : self.ObjectModel::name }
    set { self.ObjectModel::name = newValue ?? "" }
  }

  public var managedObjectClassName: String! {
    get { self.ObjectModel::managedObjectClassName ?? "NSManagedObject" }
    set { self.ObjectModel::managedObjectClassName = newValue }
  }

  public var userInfo: [AnyHashable: Any]? {
    get { self.ObjectModel::userInfo }
    set { self.ObjectModel::userInfo = newValue.texts }
  }

  public var renamingIdentifier: String? {
    get { self.ObjectModel::renamingIdentifier }
    set { explicitRenamingIdentifier = newValue }
  }

  /// Own and inherited properties; to be set to the own ones.
  public var properties: [PropertyDescription] {
    get { propertiesSoFar }
    set {
      let inherited = Set(propertiesSoFar.filter { !ownProperties.contains($0) })
      ownProperties = newValue.filter { !inherited.contains($0) }
    }
  }

  public var propertiesByName: [String: PropertyDescription] {
    isFrozen ? self.ObjectModel::propertiesByName : propertiesSoFar.byName
  }

  public var attributesByName: [String: AttributeDescription] {
    isFrozen
      ? self.ObjectModel::attributesByName
      : propertiesSoFar.compactMap { $0 as? AttributeDescription }.byName
  }

  public var relationshipsByName: [String: RelationshipDescription] {
    isFrozen
      ? self.ObjectModel::relationshipsByName
      : propertiesSoFar.compactMap { $0 as? RelationshipDescription }.byName
  }

  public func relationships(
    forDestination entity: EntityDescription
  ) -> [RelationshipDescription] {
    relationshipsByName.values.filter { $0.destinationEntity === entity }
  }

  /// The direct subentities. Setting them makes this the superentity of each.
  public var subentities: [EntityDescription] {
    get {
      linkModelIfPossible()
      return subentitiesInCode ?? self.ObjectModel::subentities
    }
    set { subentitiesInCode = newValue }
  }

  public var subentitiesByName: [String: EntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  public var superentity: EntityDescription? {
    linkModelIfPossible()
    return self.ObjectModel::superentity
  }

  public var managedObjectModel: ManagedObjectModel {
    modelBeingBuilt ?? self.ObjectModel::managedObjectModel
  }

  /// Lists of names, or of attributes, whose values must be unique together.
  public var uniquenessConstraints: [[Any]] {
    get { self.ObjectModel::uniquenessConstraints }
    set {
      self.ObjectModel::uniquenessConstraints = newValue.map { constraint in
        constraint.map { ($0 as? PropertyDescription)?.name ?? "\($0)" }
      }
    }
  }

  public func isKindOf(entity: EntityDescription) -> Bool {
    linkModelIfPossible()
    return self.ObjectModel::isKindOf(entity: entity)
  }
}

extension [PropertyDescription] {
  fileprivate var byName: [String: PropertyDescription] { dictionary(self) }
}

extension [AttributeDescription] {
  fileprivate var byName: [String: AttributeDescription] { dictionary(self) }
}

extension [RelationshipDescription] {
  fileprivate var byName: [String: RelationshipDescription] { dictionary(self) }
}

private func dictionary<Property: PropertyDescription>(
  _ properties: [Property]
) -> [String: Property] {
  Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
}

extension [AnyHashable: Any]? {
  /// A model keeps texts only.
  var texts: [String: String] {
    Dictionary((self ?? [:]).map { ("\($0.key)", "\($0.value)") }) { first, _ in first }
  }
}
