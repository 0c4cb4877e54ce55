extension ManagedObjectModel {
  /// A model with the entities of several, as `mergedModel(from:)` makes it.
  ///
  /// An entity that several models have must be the same in all of them, by version hash; the first
  /// one is taken. Configurations of one name become one. Of fetch request templates of one name the
  /// first is taken.
  /// - Throws: ``ModelError`` of kind `differentEntities` (Core Data raises "Can't merge models with
  ///   two different entities named …").
  /// - Complexity: O(*n*) in the number of entities and properties.
  public convenience init(byMerging models: [ManagedObjectModel], name: String? = nil) throws {
    var merger = ModelMerger()
    for model in models { try merger.add(model) }
    try self.init(
      entities: merger.entities.map { $0.unattachedCopy() }, name: name,
      versionIdentifiers: merger.versionIdentifiers, configurations: merger.configurations,
      fetchRequestTemplates: merger.fetchRequestTemplates)
    entitiesUsedWithCloudKit = models.flatMap(\.entitiesUsedWithCloudKit)
  }
}

/// Gathers what several models have.
private struct ModelMerger {
  private(set) var entities: [EntityDescription] = []
  private(set) var versionIdentifiers: [String] = []
  private(set) var configurations: [String: [String]] = [:]
  private(set) var fetchRequestTemplates: [String: FetchRequestTemplate] = [:]
  private var byName: [String: EntityDescription] = [:]

  mutating func add(_ model: ManagedObjectModel) throws {
    for entity in model.entities { try add(entity) }
    versionIdentifiers += model.versionIdentifiers.filter { !versionIdentifiers.contains($0) }
    configurations.merge(model.configurations) { old, new in
      old + new.filter { !old.contains($0) }
    }
    fetchRequestTemplates.merge(model.fetchRequestTemplates) { first, _ in first }
  }

  private mutating func add(_ entity: EntityDescription) throws {
    guard let known = byName[entity.name] else {
      byName[entity.name] = entity
      entities.append(entity)
      return
    }
    if known.versionHash == entity.versionHash { return }
    let models = [known, entity].compactMap { $0.managedObjectModel.name }
    throw ModelError(kind: .differentEntities(models: models), entity: entity.name)
  }
}
