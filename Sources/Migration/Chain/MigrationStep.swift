/// One step of a chain: from one model to the next, with the mapping models on offer.
public struct MigrationStep {
  /// The step as people write it: `v1 -> v2`.
  public var name: String
  public var sourceModel: ManagedObjectModel
  public var destinationModel: ManagedObjectModel
  /// Mapping models that may serve, in the order in which those that fit run, all into one
  /// destination.
  public var mappings: [MappingCandidate]
  /// Whether a mapping may be inferred when none of `mappings` fits.
  public var infersMapping = true
  /// Hands the mappings to the migration manager as they are, without asking whether they fit, as
  /// code does that loads them by URL. A stale one then ends in the manager's mismatch error.
  public var isDirect = false
  /// Whether a store of another version may be migrated at all: `false` stands for an app that opens
  /// it without `NSMigratePersistentStoresAutomaticallyOption`.
  public var migratesAutomatically = true
  /// Whether an app's own migration manager runs the step.
  public var isManaged = false
  /// Whether that manager leaves an inferred mapping to Core Data's own migration inside the store, as it does unless
  /// the app says otherwise.
  public var usesStoreSpecificMigrationManager = true
  /// Whether the app's models are made in code, where Core Data doesn't find them for an old store.
  public var hasModelsInCode = false
  /// Whether the system migrates a store whose hierarchy loses its root; nil where it isn't named.
  public var migratesRemovedRoots: Bool?
  /// Whether it stands for an app that opens the store, so that Core Data itself looks for the source model.
  public var isOpening = false
  /// Whether Core Data itself looks for the mapping model, of which it takes one: the first that it comes upon.
  public var takesOneMapping = false
  /// How the second pass of a migration manager visits the objects.
  public var secondPass = SecondPass.once
  /// The stages that lead from the source model to the destination model, for an app that opens the
  /// store with `NSPersistentStoreStagedMigrationManagerOptionKey`. Mapping models play no part then.
  public var stages: StagedMigrationManager?
  /// How the steps between stages are called: what a model's name is in them.
  public var modelName: (ManagedObjectModel) -> String = { "\($0)" }
  /// Where mappings that were inferred are kept for other runs; nil to infer anew.
  package var inferences: InferredMappings?

  /// Whether a migration manager makes objects of an inferred mapping, with hooks, and with the whole of the
  /// destination model's validation.
  // Core Data: observed in a public library's tests: 134110, as in automatic migration, unless the flag is off.
  var makesObjects: Bool { isManaged && !usesStoreSpecificMigrationManager }

  /// - Parameter name: Nil for the names of the two models.
  public init(
    from sourceModel: ManagedObjectModel, to destinationModel: ManagedObjectModel,
    mappings: [MappingCandidate] = [], name: String? = nil
  ) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    self.mappings = mappings
    self.name = name ?? "\(sourceModel) -> \(destinationModel)"
  }
}
