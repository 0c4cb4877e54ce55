/// Finds the steps from a store's version to another, one version after the other.
public struct ProgressiveMigrator {
  /// All versions, oldest first.
  public var versions: [ManagedObjectModel]
  /// The mapping models on offer; each step takes those that are for it.
  public var mappings: [MappingCandidate]
  public var infersMappings = true

  public init(versions: [ManagedObjectModel], mappings: [MappingCandidate] = []) {
    self.versions = versions
    self.mappings = mappings
  }

  /// The steps from the version a store was written with to `target`: neighbour by neighbour,
  /// downward when the target is older. None when the store has the target's model already.
  /// - Throws: `CoreDataError.migrationMissingSourceModel` (134130) when no version fits the store,
  ///   or the target isn't among the versions.
  public func steps(
    fromStoreWith metadata: [String: Any], to target: ManagedObjectModel
  ) throws -> [MigrationStep] {
    if target.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return [] }
    let source = try versions.model(for: metadata)
    guard let start = index(of: source), let end = index(of: target) else {
      throw CoreDataError.unknownTarget(target)
    }
    return path(from: start, to: end)
  }

  private func index(of model: ManagedObjectModel) -> Int? {
    versions.firstIndex { $0 === model }
      ?? versions.firstIndex { $0.entityVersionHashesByName == model.entityVersionHashesByName }
  }

  private func path(from start: Int, to end: Int) -> [MigrationStep] {
    let direction = end > start ? 1 : -1
    return stride(from: start, to: end, by: direction).map { index in
      let (source, destination) = (versions[index], versions[index + direction])
      var step = MigrationStep(
        from: source, to: destination,
        mappings: mappings.filter { $0.concerns(source, destination) })
      step.infersMapping = infersMappings
      return step
    }
  }
}
