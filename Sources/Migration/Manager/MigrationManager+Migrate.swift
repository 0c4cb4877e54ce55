// Running a migration: the three passes.

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
    defer {
      for plan in run?.plans ?? [] { plan.finish() }
      recorder?.stop()
    }
    do {
      // Making a policy runs foreign code too.
      try ExceptionTrap.catching { try prepare(source, destination, mappings) }
      try runPasses()
    } catch {
      throw fail(error)
    }
  }

  private var recorder: FlightRecorder? { FlightRecorder.current }

  // MARK: Setting up

  /// The plans of a migration, made and checked as one that runs makes them.
  final func plans(
    from source: PersistentStore, to destination: PersistentStore, with mappings: MappingModel
  ) throws -> MigrationRun {
    defer { run = nil }
    try ExceptionTrap.catching { try prepare(source, destination, mappings) }
    let plans = run ?? MigrationRun([])
    for plan in plans.plans { plan.finish() }
    return plans
  }

  /// Traces what the three passes would have called; `reports` are in the order of the plans.
  final func noteHooks(of run: MigrationRun, _ reports: [EntityMappingReport]) {
    let made = Array(zip(run.plans.map(\.mapping.name), reports.map(\.destinationCount)))
    for (name, count) in made {
      trace.record(.begin, entityMapping: name)
      trace.record(.createDestinationInstances, entityMapping: name, count: count)
      trace.record(.endInstanceCreation, entityMapping: name)
    }
    for (name, count) in made {
      trace.record(.createRelationships, entityMapping: name, count: count)
      trace.record(.endRelationshipCreation, entityMapping: name)
    }
    for (name, _) in made { trace.record(.performCustomValidation, entityMapping: name) }
    for (name, _) in made { trace.record(.end, entityMapping: name) }
    let total = made.reduce(0) { $0 + $1.1 }
    trace.record(.validate, count: total)
    trace.record(.save, count: total)
    didProgress(1)
  }

  private func prepare(
    _ source: PersistentStore, _ destination: PersistentStore, _ mappings: MappingModel
  ) throws {
    try check(source, sourceModel, "source")
    try check(destination, destinationModel, "destination")
    try mappings.checkFit(source: sourceModel, destination: destinationModel)
    mappingModel = mappings
    sourceStore = source
    sourceContext = Self.context(of: source)
    sourceContext.isReadOnly = true
    destinationContext = Self.context(of: destination)
    let plans = try (mappings.entityMappings ?? []).map { mapping in
      try MappingPlan(mapping, policy: policy(for: mapping), manager: self)
    }
    run = MigrationRun(plans)
    writeNewObjectsEarly()
  }

  /// Has new objects written before the save where that can be undone; associations then find them by
  /// their keys.
  private func writeNewObjectsEarly() {
    destinationContext.writeNewObjectsEarly { [weak self] in
      for plan in self?.run?.plans ?? [] { plan.associations.holdDestinations() }
    }
    run?.forgetAssociations(findingIn: destinationContext)
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

  // MARK: Passes

  private func runPasses() throws {
    guard let run else { return }
    try visitEach(.instances, createInstances)
    try visitEach(.relationships, createRelationships)
    try visitEach(.validation) { plan in
      try hook(.performCustomValidation, plan) {
        try plan.policy.performCustomValidation(forMapping: plan.mapping, manager: self)
      }
    }
    for plan in run.plans {
      try visit(plan) {
        try hook(.end, plan) { try plan.policy.end(plan.mapping, manager: self) }
      }
    }
    run.current = nil
    recorder?.leave()
    try ExceptionTrap.catching { try validateAndSave() }
  }

  private func visitEach(_ pass: MigrationPass, _ body: (MappingPlan) throws -> Void) throws {
    guard let run else { return }
    run.pass = pass
    try timing(pass) {
      for plan in run.plans {
        try visit(plan) { try body(plan) }
        run.visitsDone += 1
        didProgress(run.progress)
      }
    }
  }

  /// Adds the time that `body` takes to a pass's.
  final func timing(_ pass: MigrationPass, _ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    let part = StepPart(pass)
    if let part { meter?.begin(part) }
    defer {
      passSeconds[pass, default: 0] += (ContinuousClock.now - start).seconds
      if let part { meter?.end(part) }
    }
    try body()
  }

  /// Runs one mapping's part of a pass. Exceptions in it become errors.
  private func visit(_ plan: MappingPlan, _ body: () throws -> Void) throws {
    run?.current = plan
    run?.object = nil
    try ExceptionTrap.catching(body)
  }

  /// Calls a hook that a mapping has once.
  private func hook(
    _ kind: MigrationTrace.Event.Kind, _ plan: MappingPlan, _ body: () throws -> Void
  ) throws {
    run?.object = nil
    try run?.checkStop()
    trace.record(kind, entityMapping: plan.mapping.name)
    recorder?.enter(kind, plan.mapping)
    try body()
    if didCallHook != nil { tell(kind, plan, nil) }
    try run?.checkStop()
  }

  private func tell(
    _ kind: MigrationTrace.Event.Kind, _ plan: MappingPlan, _ object: ManagedObject?
  ) {
    didCallHook?(
      HookCall(
        kind: kind, mapping: plan.mapping, pass: run?.pass.rawValue ?? "", object: object,
        manager: self))
  }

  /// Calls a hook for one object.
  private func hook(
    _ kind: MigrationTrace.Event.Kind, _ plan: MappingPlan, for object: ManagedObject,
    _ body: () throws -> Void
  ) throws {
    run?.object = object
    recorder?.enter(kind, plan.mapping, object: object)
    try body()
    if didCallHook != nil { tell(kind, plan, object) }
    try run?.checkStop()
    // An object that nobody has is used again.
    run?.object = nil
    try destinationContext.writeEarlyIfDue()
  }

  private func createInstances(_ plan: MappingPlan) throws {
    try hook(.begin, plan) { try plan.policy.begin(plan.mapping, with: self) }
    var count = 0
    do {
      defer {
        trace.record(.createDestinationInstances, entityMapping: plan.mapping.name, count: count)
      }
      try timingReads { clock in
        try forEachSource(of: plan) { source in
          count += 1
          try clock.time {
            try hook(.createDestinationInstances, plan, for: source) {
              try plan.policy.createDestinationInstances(
                forSource: source, in: plan.mapping, manager: self)
            }
          }
        }
      }
    }
    try hook(.endInstanceCreation, plan) {
      try plan.policy.endInstanceCreation(forMapping: plan.mapping, manager: self)
    }
  }

  /// Adds what `body` takes beside what the clock measures to the time of reading.
  private func timingReads(_ body: (inout MappingClock) throws -> Void) rethrows {
    let start = ContinuousClock.now
    var clock = MappingClock()
    defer { readSeconds += max(0, (ContinuousClock.now - start).seconds - clock.seconds) }
    try body(&clock)
  }

  private func forEachSource(
    of plan: MappingPlan, _ body: (ManagedObject) throws -> Void
  ) throws {
    switch plan.source {
    case .none: return
    case .request(let request): try sourceContext.enumerate(request, body)
    case .expression(let expression):
      let value = try expression.value(for: .null, variables: plan.variables)
      try plan.managedObjects(in: value).forEach(body)
    }
  }

  private func createRelationships(_ plan: MappingPlan) throws {
    var count = 0
    do {
      defer { trace.record(.createRelationships, entityMapping: plan.mapping.name, count: count) }
      plan.row = 0
      while plan.row < plan.associations.count {
        defer { plan.row += 1 }
        guard plan.associations.isFirst(plan.row) else { continue }
        guard let destination = plan.associations.destination(at: plan.row), destination.isAlive
        else { continue }
        count += 1
        try hook(.createRelationships, plan, for: destination) {
          try plan.policy.createRelationships(
            forDestination: destination, in: plan.mapping, manager: self)
        }
      }
    }
    try hook(.endRelationshipCreation, plan) {
      try plan.policy.endRelationshipCreation(forMapping: plan.mapping, manager: self)
    }
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
    destinationContext.abandonUnsavedRows()
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
