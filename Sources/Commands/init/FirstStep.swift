/// The step that a first scenario is about: the newest one of a model, and the files it takes.
struct FirstStep {
  /// Nil for a model with a single version.
  let source: ManagedObjectModel?
  let destination: ManagedObjectModel
  /// The mapping files that fit the step, in their order.
  let mappings: [PlacedMapping]
  let verdict: StepVerdict

  /// The version to start from.
  var start: ManagedObjectModel { source ?? destination }

  /// - Throws: ``Diagnostics`` for a model without versions.
  init(newestOf model: VersionedModel, mappings folder: MappingFolder) throws {
    let pair = try Self.newestPair(of: model)
    try self.init(from: pair.source, to: pair.destination, of: model, mappings: folder)
  }

  /// - Throws: ``Diagnostics`` where it isn't certain that the versions follow each other, and for mapping
  ///   files that contradict each other.
  init(
    from source: ManagedObjectModel?, to destination: ManagedObjectModel, of model: VersionedModel,
    mappings folder: MappingFolder
  ) throws {
    self.source = source
    self.destination = destination
    guard let source else {
      (mappings, verdict) = ([], .unchanged)
      return
    }
    if let refusal = model.order.refusal(through: [source.shownName, destination.shownName]) {
      throw Diagnostics(file: model.url.relativePath, "\(refusal)")
    }
    let fitting = folder.candidates.fitting(source: source, destination: destination)
    verdict = CheckedStep(from: source, to: destination, fitting: fitting).verdict
    mappings = folder.running(from: source, to: destination)
    if let error = verdict.error, !fitting.isEmpty {
      throw Diagnostics(file: model.url.relativePath, error.reason)
    }
  }

  /// - Throws: As the other; ``Diagnostics`` for versions that the model hasn't.
  init(from source: String, to destination: String, in input: ModelInput) throws {
    guard let source = input.model.version(named: source),
      let destination = input.model.version(named: destination)
    else {
      throw Diagnostics(file: input.model.url.relativePath, "there is no such step in it")
    }
    try self.init(from: source, to: destination, of: input.model, mappings: input.mappings)
  }

  /// A step of which nothing more can be told.
  init(untold source: ManagedObjectModel, _ destination: ManagedObjectModel) {
    (self.source, self.destination) = (source, destination)
    (mappings, verdict) = ([], .unchanged)
  }

  /// The step to the current version, or the last one before it that changes anything to Core Data.
  private static func newestPair(
    of model: VersionedModel
  ) throws -> (source: ManagedObjectModel?, destination: ManagedObjectModel) {
    let versions = model.versions
    guard let last = versions.last else {
      throw Diagnostics(file: model.url.relativePath, "there is no version in it")
    }
    let current = versions.lastIndex { $0.name == model.currentVersionName }
    let end = current.flatMap { $0 > 0 ? $0 : nil } ?? versions.count - 1
    guard end > 0 else { return (nil, last) }
    let changing = (1...end).last {
      versions[$0 - 1].entityVersionHashesByName != versions[$0].entityVersionHashesByName
    }
    let place = changing ?? end
    return (versions[place - 1], versions[place])
  }

  /// The entities that rows are made of: what the step changes, and what mapping files map all the same.
  var entities: [String] {
    let changed = SampleRows.entities(
      changedFrom: start, to: source.map { _ in destination })
    let mapped = mappings.compactMap(\.candidate).flatMap(\.model.entityMappings)
      .compactMap(\.sourceEntityName)
    return (changed + mapped).uniqued()
  }

  /// The properties before the step that one after it may be made of.
  func properties(behind property: SampleRows.Property) -> [SampleRows.Property] {
    guard let entity = start.entity(named: property.entity),
      entity.relationship(named: property.name) == nil
    else { return [] }
    if entity.attribute(named: property.name) != nil { return [property] }
    // A new one may come from an object that this one leads to.
    var (entities, place) = ([entity], 0)
    while place < entities.count {
      entities += entities[place].toOneRelationships.map(\.destinationEntity)
        .filter { !entities.contains($0) }.uniqued()
      place += 1
    }
    return entities.flatMap { entity in
      (entity.attributes.map(\.name) + entity.toOneRelationships.map(\.name)).map {
        SampleRows.Property(entity: entity.name, name: $0)
      }
    }
  }

  /// The classes of the policies that the mapping models name.
  var policyClasses: [String] { mappings.compactMap(\.candidate).policyClasses }

  /// `Model 1 -> Model 2`, or the only version's name.
  var title: String {
    source.map { "\($0.shownName) -> \(destination.shownName)" } ?? destination.shownName
  }
}

extension EntityDescription {
  fileprivate var toOneRelationships: [RelationshipDescription] {
    relationships.filter { !$0.isToMany }
  }
}
