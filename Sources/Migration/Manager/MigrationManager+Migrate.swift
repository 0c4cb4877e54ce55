// Running a migration: what comes before the passes, and after them.

extension MigrationManager {
  /// Migrates everything in `source` that a mapping model takes, into `destination`.
  ///
  /// - Parameters:
  ///   - source: The store to read; its model is the source model. Left untouched.
  ///   - destination: The store to write. On an error nothing has been saved in it.
  ///   - mappings: What to do, in this order in each pass.
  /// - Throws: Whatever a policy throws or raises, or cancels with; `CoreDataError`:
  ///   `.persistentStoreIncompatibleVersionHash` when a store hasn't the manager's model,
  ///   `.migration` for a mapping that can't run, a validation code, or what saving throws.
  public final func migrate(
    from source: PersistentStore, to destination: PersistentStore, with mappings: MappingModel
  ) throws {
    failurePlace = nil
    passSeconds = [:]
    readSeconds = 0
    sourceCounts = [:]
    sqlDifferences = []
    recorder = .current
    run = nil
    isMigrating = true
    defer {
      isMigrating = false
      for plan in run?.plans ?? [] { plan.finish() }
      recorder?.stop()
      endProgress()
    }
    do {
      // Making a policy runs foreign code too.
      try ExceptionTrap.catching { try prepare(source, destination, mappings) }
      try checkEarlyCancellation()
      try runPasses()
    } catch {
      throw fail(error)
    }
  }

  // MARK: Setting up

  /// Makes everything ready: contexts, and a plan for each mapping.
  final func prepare(
    _ source: PersistentStore, _ destination: PersistentStore, _ mappings: MappingModel
  ) throws {
    try check(source, sourceModel, "source")
    try check(destination, destinationModel, "destination")
    try mappings.checkFit(source: sourceModel, destination: destinationModel)
    mappingModel = mappings
    sourceStore = source
    sourceContext = Self.context(of: source)
    sourceContext.isReadOnly = true
    sourceContext.didFindSQLDifference = { [weak self] in self?.note($0) }
    destinationContext = Self.context(of: destination)
    for context in [sourceContext, destinationContext] {
      context.didFetch = { [weak self] in self?.run?.current?.fetchedCount += $0 }
    }
    let plans = try (mappings.entityMappings ?? []).map { mapping in
      try MappingPlan(mapping, policy: policy(for: mapping), manager: self)
    }
    run = MigrationRun(plans, in: destinationContext)
    spillNewObjects()
    run?.forgetAssociations()
  }

  /// A policy may ask for another name with each object: so many are worth telling.
  private static let mostDifferences = 100

  private func note(_ difference: SQLDifference) {
    var difference = difference
    let mapping = run?.current?.mapping.name ?? ""
    let isPolicys = run?.object != nil
    difference.place =
      isPolicys ? "a fetch by the policy of \(mapping)" : "the source predicate of \(mapping)"
    guard sqlDifferences.count < Self.mostDifferences, !sqlDifferences.contains(difference) else {
      return
    }
    sqlDifferences.append(difference)
  }

  /// Has new objects spilled to rows where that can be undone; associations then find them by their keys.
  private func spillNewObjects() {
    destinationContext.spillNewObjects { [weak holder = run?.holder] in
      holder?.holdDestinations()
    }
  }

  private static func context(of store: PersistentStore) -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    return ManagedObjectContext(coordinator: coordinator, announces: false)
  }

  private func check(_ store: PersistentStore, _ model: ManagedObjectModel, _ side: String) throws {
    if store.model === model { return }
    let (found, wanted) = (store.model.entityVersionHashesByName, model.entityVersionHashesByName)
    if found == wanted { return }
    let different = Set(found.keys).union(wanted.keys).filter { found[$0] != wanted[$0] }.sorted()
    throw CoreDataError(
      .persistentStoreIncompatibleVersionHash,
      "The model used to open the store is incompatible with the one used to create the store",
      advice: "The \(side) store differs from the manager's \(side) model in: "
        + different.joined(separator: ", ") + "."
    ).at(entity: different.first)
  }

  private func policy(for mapping: EntityMapping) throws -> EntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName, !name.isEmpty else {
      if mapping.mappingType != .customEntityMappingType { return EntityMigrationPolicy() }
      throw CoreDataError.policyNeeded(mapping)
    }
    if let policy = try policyProvider.makePolicy(named: name) { return policy }
    throw CoreDataError.missingPolicy(name).at(
      entityMapping: mapping.name, entity: mapping.destinationEntityName)
  }

  // MARK: The end

  /// Notes where the migration failed and lets go of what it made.
  private func fail(_ error: any Error) -> any Error {
    var place = CoreDataError.Place()
    place.pass = run?.pass.rawValue
    place.entityMapping = run?.current?.mapping.name
    place.property = run?.current?.failedProperty
    place.object = run?.object.map { "\($0.objectID)" }
    place.entity = run?.object?.entity.name
    place.sourceObject = sourceOfObjectInSecondPass.map { "\($0.objectID)" }
    failurePlace = place
    if run?.cancellation != nil { trace.record(.cancel, entityMapping: place.entityMapping) }
    destinationContext.abandonNewObjects()
    destinationContext.rollback()
    guard let error = error as? CoreDataError else { return error }
    var located = error.at(
      pass: place.pass, entityMapping: place.entityMapping, entity: place.entity,
      object: place.object)
    located.place.sourceObject = error.place.sourceObject ?? place.sourceObject
    return located
  }

  /// What the object of the second pass's running hook was made from; an identifier of the
  /// destination leads nowhere when the destination isn't kept.
  private var sourceOfObjectInSecondPass: ManagedObject? {
    guard let run, run.pass == .relationships, let object = run.object, let plan = run.current
    else { return nil }
    return sourceInstance(of: object, in: plan)
  }
}

extension ManagedObject {
  /// Whether the object wasn't deleted by a policy after it was made.
  var isAlive: Bool { managedObjectContext != nil && !isDeleted }
}

extension CoreDataError {
  /// The error for a policy class that can't be found.
  static func missingPolicy(_ name: String) -> CoreDataError {
    CoreDataError(
      .migration, "Couldn't create mapping policy for class named (\(name))",
      advice: name.contains(".")
        ? "Compare module and class with the policy's source."
        : "Swift classes are known as Module.Class; name the module too.")
  }

  static func policyNeeded(_ mapping: EntityMapping) -> CoreDataError {
    CoreDataError(
      .migration, "custom entity mapping \(mapping.name ?? "") needs a migration policy",
      advice: "Name the policy's class, or make the mapping a transform mapping."
    ).at(entityMapping: mapping.name, entity: mapping.destinationEntityName)
  }
}
