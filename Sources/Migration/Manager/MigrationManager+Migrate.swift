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
    try migrate(from: source, to: destination, with: mappings, by: nil)
  }

  /// - Parameter plan: What `mappings` was compiled to for the models of the two stores; nil to compile it.
  final func migrate(
    from source: PersistentStore, to destination: PersistentStore, with mappings: MappingModel,
    by plan: MigrationPlan?
  ) throws {
    failurePlace = nil
    passSeconds = [:]
    readSeconds = 0
    sourceCounts = [:]
    sqlDifferences = []
    stepDoubts = []
    recorder = .current
    run = nil
    isMigrating = true
    defer {
      isMigrating = false
      for program in run?.programs ?? [] { program.finish() }
      recorder?.stop()
      endProgress()
    }
    do {
      // Making a policy runs foreign code too.
      try ExceptionTrap.catching {
        try prepare(source, destination: destination, mappings: mappings, compiled: plan)
      }
      try checkEarlyCancellation()
      try runPasses()
    } catch {
      throw fail(error)
    }
  }

  // MARK: Setting up

  /// Makes everything ready: contexts, and a program for each mapping.
  private func prepare(
    _ source: PersistentStore, destination: PersistentStore, mappings: MappingModel,
    compiled: MigrationPlan?
  ) throws {
    try check(source, model: sourceModel, side: "source")
    try check(destination, model: destinationModel, side: "destination")
    let plan =
      try compiled
      ?? MigrationPlan(
        compiling: mappings, from: source.model, to: destination.model, checks: .everything)
    mappingModel = mappings
    sourceStore = source
    sourceContext = Self.context(of: source)
    sourceContext.isReadOnly = true
    sourceContext.didFindSQLDifference = { [weak self] in self?.note($0) }
    destinationContext = Self.context(of: destination)
    let programs = try zip(mappings.entityMappings ?? [], plan.entities).map { mapping, plan in
      EntityMappingProgram(mapping, plan, policy: try policy(for: plan), manager: self)
    }
    run = MigrationRun(
      programs, checks: plan.checks, in: destinationContext, isMetered: meter != nil)
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
    destinationContext.givesNewestFirst =
      givesNewestFirst
      && destinationContext.persistentStoreCoordinator.persistentStores.first is InMemoryStore
    destinationContext.spillNewObjects { [weak holder = run?.holder] in
      holder?.holdDestinations()
    }
  }

  private static func context(of store: PersistentStore) -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    return ManagedObjectContext(coordinator: coordinator, announces: false)
  }

  private func check(_ store: PersistentStore, model: ManagedObjectModel, side: String) throws {
    if store.model === model { return }
    let (found, wanted) = (store.model.entityVersionHashesByName, model.entityVersionHashesByName)
    if found == wanted { return }
    let different = Set(found.keys).union(wanted.keys).filter { found[$0] != wanted[$0] }.sorted()
    throw CoreDataError.incompatible(side, entities: different)
  }

  private func policy(for plan: EntityPlan) throws -> EntityMigrationPolicy {
    guard let name = plan.policyClassName else { return EntityMigrationPolicy() }
    if let policy = try policyProvider.makePolicy(named: name) { return policy }
    throw CoreDataError.missingPolicy(name, known: policyProvider.policyNames).at(
      entityMapping: plan.name, entity: plan.destination?.name)
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
    if error.originalMistake == .nilArgument { stepDoubts.append(.nilArgument(error.reason)) }
    var located = error.at(
      pass: place.pass, entityMapping: place.entityMapping, entity: place.entity,
      object: place.object)
    located.place.sourceObject = error.place.sourceObject ?? place.sourceObject
    return located
  }

  /// What the object of the second pass's running hook was made from; an identifier of the
  /// destination leads nowhere when the destination isn't kept.
  private var sourceOfObjectInSecondPass: ManagedObject? {
    guard let run, run.pass == .relationships, let object = run.object, let program = run.current
    else { return nil }
    return sourceInstance(of: object, in: program)
  }
}

extension ManagedObject {
  /// Whether the object wasn't deleted by a policy after it was made.
  var isAlive: Bool { managedObjectContext != nil && !isDeleted }
}

// MARK: - Files

// The migration manager under Apple's own signature: stores by URL.

extension MigrationManager {
  final func migrateStore(from sourceURL: URL, with mappings: MappingModel?, to dURL: URL) throws {
    guard let mappings else {
      throw CoreDataError.noMappingModel
    }
    if hasMigrated { AppCodeWitness.tell(.managerUsedAgain) }
    hasMigrated = true
    guard PersistentStoreFiles(sourceURL).exist else {
      throw CoreDataError.noSourceStore(sourceURL)
    }
    let isOnePlace = sourceURL.resolvingSymlinksInPath() == dURL.resolvingSymlinksInPath()
    if isOnePlace, !isStoreSpecific(mappings) { throw CoreDataError.destinationIsSource(dURL) }
    let file = try StoreFile(readingFrom: sourceURL)
    let hashes = file.metadata["NSStoreModelVersionHashes"] as? [String: Data]
    let source = try SQLiteStore(
      file, configuration: StoreConfiguration(model: sourceModel, holding: hashes))
    // Closing what was only read loses nothing.
    defer { try? source.close() }
    let partial = mappings.part(
      from: source.configuration, to: destinationConfiguration(of: source))
    mappingModel = partial
    try FaultPlan.witnessing(sourceURL, to: dURL) {
      if isOnePlace {
        try migrate(from: source, replacing: dURL, with: partial)
      } else if !PersistentStoreFiles(dURL).isVacant {
        try migrate(from: source, appendingTo: dURL, with: partial)
      } else {
        try migrate(from: source, creating: dURL, with: partial)
      }
    }
  }

  /// The configuration of the source's name, where the new model has it.
  // Core Data: assumed to be the result's; a public suite migrates such stores.
  private func destinationConfiguration(of source: SQLiteStore) -> StoreConfiguration {
    (try? StoreConfiguration(model: destinationModel, named: source.configuration.name))
      ?? StoreConfiguration(model: destinationModel)
  }

  /// Works on a copy, which takes the destination's place in the end: a policy may have saved in
  /// between, and nothing of a migration that fails may stay.
  private func migrate(
    from source: SQLiteStore, appendingTo url: URL, with mappings: MappingModel
  ) throws {
    try replace(url) { copy in
      try PersistentStoreFiles(url).copy(to: copy)
      let destination = try SQLiteStore(
        StoreFile(updating: copy.url), configuration: destinationConfiguration(of: source))
      // A second closing does nothing; after an error the copy is removed.
      defer { try? destination.close() }
      try migrate(from: source, to: destination, with: mappings)
      // What can't be told of a migration is no failure of it.
      try? tellDoubts(from: source, to: destination)
      try destination.close()
    }
  }

  /// The store is what it was until the new one is whole.
  // Core Data: observed in a public library's tests, which migrate every store so.
  private func migrate(
    from source: SQLiteStore, replacing url: URL, with mappings: MappingModel
  ) throws {
    try replace(url) { new in
      try migrate(from: source, creating: new.url, with: mappings)
      try source.close()
    }
  }

  private func replace(_ url: URL, by fill: (PersistentStoreFiles) throws -> Void) throws {
    let new = try PersistentStoreFiles(url).makeTemporaryNeighbour()
    do {
      try fill(new)
      try PersistentStoreFiles(url).replace(by: new)
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? new.remove()
      throw error
    }
  }

  private func migrate(
    from source: SQLiteStore, creating url: URL, with mappings: MappingModel
  ) throws {
    func byObjects(_ plan: MigrationPlan?) throws {
      try filling(url, like: source) { try migrate(from: source, to: $0, with: mappings, by: plan) }
    }
    guard isStoreSpecific(mappings) else { return try byObjects(nil) }
    try checkEarlyCancellation()
    let plan = try MigrationPlan(
      compiling: mappings, from: source.model, to: destinationModel, checks: .mandatoryValues)
    func inPlace() throws {
      try filling(url, like: source) { _ = try SQLExecutor.fill($0, from: source, by: plan) }
      run = nil
      tellProgress(1)
      endProgress()
    }
    var refusals: [String] = []
    try firstSupported([inPlace, { try byObjects(plan) }], refusals: &refusals) { try $0() }
  }

  /// Tells an app's code that migrates by itself, within a step, what is unknown of its migration.
  private func tellDoubts(from source: SQLiteStore, to destination: SQLiteStore) throws {
    // The rows of entities outside of a configuration aren't there to be counted.
    if AppCodeWitness.current == nil || !source.configuration.isWhole { return }
    var step = MigrationStep(from: source.model, to: destinationModel)
    step.way = .manager(usesStoreSpecificMigrationManager: isStoreSpecific(mappingModel))
    if !mappingModel.isInferred {
      (step.way, step.mappings) = (.direct, [MappingCandidate(name: "", model: mappingModel)])
    }
    var run = StepRun(
      step, of: MigrationChain(steps: [step]), isLast: true,
      report: StepReport(of: step, stepDoubts))
    let plan = try run.makeWork(from: source).plans[0]
    run.reports[0].runs = [.init(name: "", plan: plan, entityMappings: [], trace: MigrationTrace())]
    try run.noteLosses(from: source, to: destination)
    run.reports[0].tellDoubts()
  }

  /// Whether Core Data migrates inside the store, whatever manager it was asked of.
  private func isStoreSpecific(_ mappings: MappingModel) -> Bool {
    usesStoreSpecificMigrationManager && !isOfOwnClass && mappings.isInferred
  }

  /// Makes a store and keeps it if `body` fills it.
  private func filling(
    _ url: URL, like source: SQLiteStore, _ body: (SQLiteStore) throws -> Void
  ) throws {
    let destination = try SQLiteStore.create(
      at: url, configuration: destinationConfiguration(of: source),
      identifier: source.identifier)
    do {
      try destination.beginBulk()
      try body(destination)
      // What can't be told of a migration is no failure of it.
      try? tellDoubts(from: source, to: destination)
      try destination.endBulk()
      try destination.close()
    } catch {
      // The first error is the one to tell.
      try? destination.discard()
      throw error
    }
  }

  static func checkType(_ type: String) throws {
    if type == "SQLite" { return }
    throw CoreDataError.unknownStoreType(type)
  }
}
