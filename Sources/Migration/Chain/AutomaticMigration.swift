/// What opening a store with a model does, by Core Data's rules: make it, open it, or migrate it in
/// one step straight to that model.
public struct AutomaticMigration {
  /// The model the coordinator was made with.
  public var model: ManagedObjectModel
  /// The models in the app's bundle, all versions.
  public var models: [ManagedObjectModel]
  /// The mapping models in the app's bundle, in its order.
  public var mappings: [MappingCandidate] = []
  /// `NSMigratePersistentStoresAutomaticallyOption`.
  public var migratesAutomatically = true
  /// `NSInferMappingModelAutomaticallyOption`.
  public var infersMappingAutomatically = true

  public init(
    to model: ManagedObjectModel, models: [ManagedObjectModel], mappings: [MappingCandidate] = []
  ) {
    self.model = model
    self.models = models
    self.mappings = mappings
  }

  /// What happens with a store.
  public enum Decision {
    /// There is none: it is created.
    case create
    /// It has the model already: no policy is called.
    case open
    /// It is migrated with a mapping that was chosen.
    case migrate(MigrationStep, MappingChoice)
  }

  /// Decides what opening does.
  /// - Parameter metadata: The store's; nil when there is no store.
  /// - Throws: `CoreDataError`: `.persistentStoreIncompatibleVersionHash` (134100) when it needed
  ///   to be migrated and may not, `.migrationMissingSourceModel` (134130),
  ///   `.migrationMissingMappingModel` (134140).
  public func decision(metadata: [String: Any]?) throws -> Decision {
    guard let metadata else { return .create }
    if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return .open }
    guard migratesAutomatically else {
      throw CoreDataError.incompatibleStore(metadata, with: model)
    }
    let source = try models.model(for: metadata)
    // Of several mapping models that fit, Core Data takes the first of the bundle.
    func fits(_ mapping: MappingCandidate) -> Bool {
      mapping.model.fits(source: source, destination: model)
    }
    let first = mappings.firstIndex(where: fits)
    let offered = mappings.indices.filter { $0 == first || !fits(mappings[$0]) }
    var step = MigrationStep(from: source, to: model, mappings: offered.map { mappings[$0] })
    step.infersMapping = infersMappingAutomatically
    let choice = try step.chooseMapping()
    if choice.kind == .custom { step.mappings = choice.mappings }
    return .migrate(step, choice)
  }
}

extension [ManagedObjectModel] {
  /// The model that a store was written with.
  /// - Throws: `CoreDataError.migrationMissingSourceModel` (134130), naming the version that comes
  ///   nearest and how it differs.
  public func model(for metadata: [String: Any]) throws -> ManagedObjectModel {
    if let found = first(where: {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }) {
      return found
    }
    var error = CoreDataError.noSourceModel(advice: nearest(to: metadata))
    error.metadata = metadata
    throw error
  }

  private func nearest(to metadata: [String: Any]) -> String {
    let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    let differences = map { model in (model, model.entitiesThatDiffer(from: stored)) }
    guard let (model, entities) = differences.min(by: { $0.1.count < $1.1.count }) else {
      return "No model is known."
    }
    if allSatisfy({ $0.entities.allSatisfy { stored[$0.name] == nil } }) {
      return "No model has any of the store's entities. Is this the store of another app?"
    }
    let which = count == 1 ? "The only model is" : "The nearest of \(count) models is"
    return "\(which) '\(model)'; it differs in: \(entities.joined(separator: ", ")). "
      + "Is the version that wrote the store missing here, perhaps a newer one, "
      + "or was a model changed after it was released?"
  }
}
