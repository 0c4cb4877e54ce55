/// One step of a chain: from one model to the next, with the mapping models on offer.
public struct MigrationStep {
  /// How an app gets from one version to another.
  public enum Way {
    /// It opens the store with `NSMigratePersistentStoresAutomaticallyOption`, and Core Data itself looks for
    /// the source model.
    case opening
    /// The same from a model that the app has found, as one does that passes its versions one by one.
    case stepwise
    /// It opens the store with `NSPersistentStoreStagedMigrationManagerOptionKey`: stages lead from the source
    /// model to the destination model. Mapping models play no part then.
    case staged(StagedMigrationManager)
    /// A migration manager of its own runs what fits or is inferred. It leaves an inferred mapping to Core Data's own
    /// migration inside the store, unless the app says otherwise.
    case manager(usesStoreSpecificMigrationManager: Bool)
    /// A migration manager of its own gets the mapping models as they are, as from code that loads them by URL.
    /// A stale one ends in the manager's mismatch error.
    case direct
    /// It opens the store without `NSMigratePersistentStoresAutomaticallyOption`, so that a store of another
    /// version isn't migrated at all.
    case notAllowed
  }

  /// The step as people write it: `v1 -> v2`.
  public var name: String
  public var sourceModel: ManagedObjectModel
  public var destinationModel: ManagedObjectModel
  public var way = Way.stepwise
  /// The app's own migration manager where `way` has one; nil for one of Core Data's class.
  public var manager: ManagerSetup?
  /// Mapping models that may serve, in the order in which those that fit run, all into one
  /// destination.
  public var mappings: [MappingCandidate]
  /// Whether a mapping may be inferred when none of `mappings` fits.
  public var infersMapping = true
  /// Whether the app's models are made in code, where Core Data doesn't find them for an old store.
  public var hasModelsInCode = false
  /// Whether the system migrates a store whose hierarchy loses its root; nil where it isn't named.
  public var migratesRemovedRoots: Bool?
  /// Whether Core Data itself looks for the mapping model, of which it takes one: the first that it comes upon.
  public var takesOneMapping = false
  /// The entities that the destination has outside the configuration that the store holds.
  package var leavingEntities: [String] = []
  /// How the second pass of a migration manager visits the objects.
  public var secondPass = SecondPass.once
  /// How the steps between stages are called: what a model's name is in them.
  public var modelName: (ManagedObjectModel) -> String = { "\($0)" }
  /// What is known of it before it runs.
  package var doubts: [StepDoubt] = []
  /// Where mappings that were inferred are kept for other runs; nil to infer anew.
  package var inferences: InferredMappings?

  /// Whether a migration manager makes objects of an inferred mapping, with hooks, and with the whole of the
  /// destination model's validation.
  // Core Data: observed in a public library's tests: 134110, as in automatic migration, unless the flag is off.
  var makesObjects: Bool {
    if case .manager(usesStoreSpecificMigrationManager: false) = way { true } else { false }
  }

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

  /// Whether a migration manager of the app's own is given what fits or is inferred.
  var isManaged: Bool {
    if case .manager = way { true } else { false }
  }
}

/// A migration manager as an app makes it and sets it up.
public struct ManagerSetup {
  /// Makes one of the app's class; nil for Core Data's own.
  public var make:
    ((_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> MigrationManager)?
  /// What policies find in the manager's `userInfo`.
  public var userInfo: [AnyHashable: Any]?

  public init(
    make: ((ManagedObjectModel, ManagedObjectModel) -> MigrationManager)? = nil,
    userInfo: [AnyHashable: Any]? = nil
  ) {
    self.make = make
    self.userInfo = userInfo
  }
}
