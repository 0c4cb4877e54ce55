// Models built in code, as Core Data allows it: descriptions are made, connected and changed in any
// order, and frozen when the model is first used.

extension ManagedObjectModel {
  /// A copy that may be changed, of a model that need not be changeable.
  package convenience init(copying model: ManagedObjectModel) {
    model.linkIfPossible()
    self.init(buildingOn: model.entities.map { $0.unattachedCopy() }, name: model.name)
    versionIdentifiers = model.versionIdentifiers
    configurations = model.configurations
    fetchRequestTemplates = model.fetchRequestTemplates
  }

  /// Changes a model that isn't in use. One in use traps, as Core Data raises "Can't modify an
  /// immutable model."
  package func modify(_ change: (ManagedObjectModel) -> Void) {
    precondition(!isInUse, "Can't modify an immutable model.")
    change(self)
    needsLinking = true
  }

  /// Takes entities in place of those the model has.
  package func replaceEntities(by new: [EntityDescription]) {
    modify { model in
      for entity in model.entities { entity.modelBeingBuilt = nil }
      model.entities = new
      for entity in new { entity.modelBeingBuilt = model }
    }
  }

  package func setConfiguration(_ name: String, entityNames: [String]) {
    modify { $0.configurations[name] = entityNames }
  }

  package func setFetchRequestTemplate(_ template: FetchRequestTemplate?, named name: String) {
    modify { $0.fetchRequestTemplates[name] = template }
  }

  package func setVersionIdentifiers(_ identifiers: [String]) {
    modify { $0.versionIdentifiers = identifiers }
  }

  /// Makes the model ready for stores, contexts and migrations: from now on it can't be changed.
  /// One whose descriptions don't fit together raises.
  public func prepareForUse() {
    if isInUse { return }
    do { try use() } catch { ExceptionTrap.raise(error) }
  }

  /// - Throws: ``ModelError`` when names clash or lead nowhere.
  package func use() throws {
    if isInUse { return }
    try link()
    isInUse = true
    freezeEntities()
  }

  /// Brings what follows from the descriptions up to date, as far as they fit together by now.
  package func linkIfPossible() {
    if isInUse || !needsLinking { return }
    do { try link() } catch {
      entitiesByName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    }
  }

  private func link() throws {
    guard needsLinking else { return }
    entities = entities.withSubentitiesInCode
    for entity in entities { entity.takeNamesOfDescriptions() }
    var linker = ModelLinker(entities: entities)
    entities = try linker.link()
    entitiesByName = linker.byName
    adoptEntities()
    needsLinking = false
  }

  func adoptEntities() {
    for entity in entities {
      entity.managedObjectModel = self
      entity.versionHashStorage.reset()
    }
  }

  func freezeEntities() {
    for entity in entities {
      // Descriptions refer to each other from now on by their place in the model.
      entity.subentitiesInCode = nil
      for relationship in entity.ownRelationships {
        relationship.destinationInCode = nil
        relationship.inverseInCode = nil
      }
      entity.isFrozen = true
      entity.attributePlaces = AttributePlaces(entity.attributes)
      for property in entity.ownProperties { property.freeze() }
    }
  }
}

extension [EntityDescription] {
  /// These entities and, after each, the subentities that it was given and that aren't among them.
  fileprivate var withSubentitiesInCode: [EntityDescription] {
    var known = Set(map(ObjectIdentifier.init))
    func isNew(_ entity: EntityDescription) -> Bool {
      known.insert(ObjectIdentifier(entity)).inserted
    }
    func hierarchy(_ entity: EntityDescription) -> [EntityDescription] {
      [entity] + (entity.subentitiesInCode ?? []).filter(isNew).flatMap(hierarchy)
    }
    return flatMap(hierarchy)
  }
}

extension EntityDescription {
  /// Puts names in place of the descriptions that the entity was connected with.
  fileprivate func takeNamesOfDescriptions() {
    for subentity in subentitiesInCode ?? [] where subentity.superentityName != name {
      subentity.superentityName = name
    }
    for property in ownProperties {
      property.entityBeingBuilt = self
      guard let relationship = property as? RelationshipDescription else { continue }
      if let destination = relationship.destinationInCode {
        relationship.destinationEntityName = destination.name
      }
      if let inverse = relationship.inverseInCode { relationship.inverseName = inverse.name }
    }
  }
}

// MARK: - Copies

extension ManagedObjectModel: NSCopying {
  /// A copy that may be changed until it is used.
  public func copy(with zone: NSZone?) -> Any { ManagedObjectModel(copying: self) }
}

extension EntityDescription: NSCopying {
  /// A copy that belongs to no model, with copies of its own properties.
  public func copy(with zone: NSZone?) -> Any { unattachedCopy() }
}

// MARK: - Descriptions being built

extension EntityDescription {
  /// Brings `properties`, `attributesByName` and the like up to date, if the model isn't in use yet.
  package func linkModelIfPossible() {
    if isFrozen { return }
    modelBeingBuilt?.linkIfPossible()
  }

  /// The properties that a description has before its model can be linked: the own ones.
  package var propertiesSoFar: [PropertyDescription] {
    linkModelIfPossible()
    let isLinked = isFrozen || modelBeingBuilt?.needsLinking == false
    return isLinked ? properties : ownProperties
  }
}
