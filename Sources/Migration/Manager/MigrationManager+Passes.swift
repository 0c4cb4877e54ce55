// The three passes, and the hooks of policies that they call.

extension MigrationManager {
  final func runPasses() throws {
    guard let run else { return }
    try visitEach(.instances, createInstances)
    try visitEach(.relationships, createRelationships)
    try visitEach(.validation) { plan in
      try hook(.performCustomValidation, plan) {
        try plan.policy.performCustomValidation(forMapping: plan.mapping, manager: self)
      }
    }
    for plan in run.plans { try end(plan) }
    run.current = nil
    recorder?.leave()
    try ExceptionTrap.catching { try validateAndSave() }
  }

  /// Calls the last hook of a mapping, and notes what it did, since the save may come before it.
  private func end(_ plan: EntityMappingProgram) throws {
    let before = plan.usesDefaultPolicy ? nil : EndState(destinationContext)
    func note(_ what: String?) {
      guard let what else { return }
      stepDoubts.append(.end(mapping: plan.mapping.name ?? "", what: what))
    }
    do {
      try visit(plan) {
        try hook(.end, plan) { try plan.policy.end(plan.mapping, manager: self) }
      }
    } catch {
      note("threw an error")
      throw error
    }
    note(before?.difference(in: destinationContext))
  }

  private func visitEach(_ pass: MigrationPass, _ body: (EntityMappingProgram) throws -> Void)
    throws
  {
    guard let run else { return }
    run.pass = pass
    try timing(pass) {
      for plan in run.plans {
        try visit(plan) { try body(plan) }
        run.visitsDone += 1
        tellProgress(run.progress)
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
  private func visit(_ plan: EntityMappingProgram, _ body: () throws -> Void) throws {
    run?.current = plan
    run?.object = nil
    try ExceptionTrap.catching {
      run?.trap = .innermost
      defer { run?.trap = nil }
      try body()
    }
  }

  /// Calls a hook that a mapping has once.
  private func hook(
    _ kind: MigrationTrace.Event.Kind, _ plan: EntityMappingProgram, _ body: () throws -> Void
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
    _ kind: MigrationTrace.Event.Kind, _ plan: EntityMappingProgram, _ object: ManagedObject?
  ) {
    didCallHook?(
      HookCall(
        kind: kind, mapping: plan.mapping, pass: run?.pass.rawValue ?? "", object: object,
        manager: self))
  }

  /// Calls a hook for one object.
  private func hook(
    _ kind: MigrationTrace.Event.Kind, _ plan: EntityMappingProgram, for object: ManagedObject,
    of run: MigrationRun?, _ body: () throws -> Void
  ) throws {
    run?.object = object
    recorder?.enter(kind, plan.mapping, object: object)
    try body()
    if didCallHook != nil { tell(kind, plan, object) }
    try run?.checkStop()
    // An object that nobody has is used again.
    run?.object = nil
    try run?.destinationContext.spillIfDue()
  }

  private func createInstances(_ plan: EntityMappingProgram) throws {
    try hook(.begin, plan) { try plan.policy.begin(plan.mapping, with: self) }
    var count = 0
    // Not asked for with each object.
    let (policy, mapping, run, isMetered) = (plan.policy, plan.mapping, run, meter != nil)
    do {
      defer {
        trace.record(.createDestinationInstances, entityMapping: plan.mapping.name, count: count)
      }
      try timingReads { mappingSeconds in
        try forEachSource(of: plan) { source in
          count += 1
          let start = isMetered ? ContinuousClock.now : nil
          defer { if let start { mappingSeconds += (ContinuousClock.now - start).seconds } }
          try hook(.createDestinationInstances, plan, for: source, of: run) {
            try policy.createDestinationInstances(
              forSource: source, in: mapping, manager: self)
          }
        }
      }
    }
    if let name = plan.source.wholeEntityName { sourceCounts[name] = count }
    try hook(.endInstanceCreation, plan) {
      try plan.policy.endInstanceCreation(forMapping: plan.mapping, manager: self)
    }
  }

  /// Adds what `body` takes beside mapping, whose seconds it counts, to the time of reading; where it is measured.
  private func timingReads(_ body: (inout Double) throws -> Void) rethrows {
    var mappingSeconds = 0.0
    if meter == nil { return try body(&mappingSeconds) }
    let start = ContinuousClock.now
    defer { readSeconds += max(0, (ContinuousClock.now - start).seconds - mappingSeconds) }
    try body(&mappingSeconds)
  }

  private func forEachSource(
    of plan: EntityMappingProgram, _ body: (ManagedObject) throws -> Void
  ) throws {
    switch plan.source {
    case .none: return
    case .request(let request): try sourceContext.enumerate(request, body)
    case .expression(let expression):
      let value = try expression.value(for: .null, variables: plan.variables)
      try plan.managedObjects(in: value).forEach(body)
    }
  }

  private func createRelationships(_ plan: EntityMappingProgram) throws {
    if plan.mayLinkObjects || didCallHook != nil {
      try linkObjects(of: plan)
    } else {
      // Calls that do nothing are only counted.
      plan.row = plan.associations.count
      trace.record(
        .createRelationships, entityMapping: plan.mapping.name,
        count: plan.associations.aliveDestinationCount)
    }
    try hook(.endRelationshipCreation, plan) {
      try plan.policy.endRelationshipCreation(forMapping: plan.mapping, manager: self)
    }
  }

  private func linkObjects(of plan: EntityMappingProgram) throws {
    var count = 0
    defer { trace.record(.createRelationships, entityMapping: plan.mapping.name, count: count) }
    var first = 0
    // Not asked for with each object.
    let called = (policy: plan.policy, mapping: plan.mapping, run: run)
    if secondPass == .reversed {
      first = plan.associations.count
      for row in (0..<first).reversed() {
        plan.row = row
        try linkObject(of: plan, called, &count)
      }
    }
    for _ in 0..<(secondPass == .twice ? 2 : 1) {
      plan.row = first
      // Policies may associate more while it lasts.
      while plan.row < plan.associations.count {
        defer { plan.row += 1 }
        try linkObject(of: plan, called, &count)
      }
    }
  }

  /// Calls the hook for the object in the row that a plan is at, unless an earlier row has it.
  @inline(__always)
  private func linkObject(
    of plan: EntityMappingProgram,
    _ called: (policy: EntityMigrationPolicy, mapping: EntityMapping, run: MigrationRun?),
    _ count: inout Int
  ) throws {
    let associations = plan.associations
    guard associations.isFirst(plan.row),
      let destination = associations.destination(at: plan.row), destination.isAlive
    else { return }
    count += 1
    try hook(.createRelationships, plan, for: destination, of: called.run) {
      try called.policy.createRelationships(
        forDestination: destination, in: called.mapping, manager: self)
    }
  }
}

// MARK: - Instances

extension MigrationManager {
  /// Inserts one destination object, applies the attribute mappings and associates it.
  final func createDestinationInstance(
    forSource source: ManagedObject, in mapping: EntityMapping, policy: EntityMigrationPolicy
  ) throws {
    let plan = try runningPlan(for: mapping)
    guard let entity = plan.destinationEntity else { return }
    if entity.isAbstract { throw CoreDataError.abstractDestination(entity) }
    let destination = destinationContext.insertNewObject(for: entity)
    for step in plan.attributes { try apply(step, plan, source, destination) }
    plan.associations.associate(source, destination)
  }

  private func apply(
    _ step: PropertyStep<AttributeDescription, ValueSource>, _ plan: EntityMappingProgram,
    _ source: ManagedObject, _ destination: ManagedObject
  ) throws {
    let attribute = step.property
    let value: Value
    switch step.source {
    case .copied(let original) where plan.reads(source):
      value = source.attributeValue(at: original.slot)
    case .converted(let original) where plan.reads(source):
      value = try Value(source.attributeValue(at: original.slot), for: attribute)
    case .fallback(let original, let fallback) where plan.reads(source):
      let found = source.attributeValue(at: original.slot)
      value = found.isNull ? fallback : try Value(found, for: attribute)
    case .constant(let constant):
      value = constant
    default:
      value = try Value(self.value(of: step, plan, source, destination), for: attribute)
    }
    destination.setAttributeValue(value, at: attribute.slot)
  }

  /// Applies the relationship mappings to one destination object.
  final func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping,
    policy: EntityMigrationPolicy
  ) throws {
    let plan = try runningPlan(for: mapping)
    if plan.relationships.isEmpty { return }
    let source = sourceInstance(of: destination, in: plan)
    if secondPass == .relationshipsReversed {
      for step in plan.relationships.reversed() { try apply(step, plan, source, destination) }
    } else {
      for step in plan.relationships { try apply(step, plan, source, destination) }
    }
  }

  private func apply(
    _ step: PropertyStep<RelationshipDescription, LinkSource>, _ plan: EntityMappingProgram,
    _ source: ManagedObject?, _ destination: ManagedObject
  ) throws {
    let value: Value
    switch (step.source, source) {
    case (.mapped(let relationship, let name), let source?) where plan.reads(source):
      let sources = source.objects(of: relationship)
      value = .array(destinationInstances(forEntityMappingName: name, sourceInstances: sources))
    case (.related(let relationship), let source?) where plan.reads(source):
      let related = destinationInstances(
        of: source.objects(of: relationship, inOrder: !step.property.isToMany),
        under: run?.plans(reachedBy: relationship) ?? [])
      value = .array(linkable(related, to: step.property))
    default:
      value = try self.value(of: step, plan, source, destination)
    }
    try destination.setTypedValue(value, forKey: step.property.name)
  }

  /// What a property mapping's expression gives. A method it calls can't throw, so it may have
  /// cancelled the migration: at this property, then.
  private func value<Property, Source>(
    of step: PropertyStep<Property, Source>, _ plan: EntityMappingProgram, _ source: ManagedObject?,
    _ destination: ManagedObject
  ) throws -> Value {
    let value = try plan.value(of: step, source: source, destination: destination)
    if run?.cancellation != nil { plan.failedProperty = step.property.name }
    return value
  }

  /// The objects that a relationship can lead to. A migration inside the store drops the others, for example when
  /// the destination was narrowed to a subentity, and all but the first of a relationship that becomes to-one; a
  /// mapping model's are an error.
  private func linkable(
    _ objects: [ManagedObject], to relationship: RelationshipDescription
  ) -> [ManagedObject] {
    guard validation == .mandatoryValues else { return objects }
    let possible = objects.filter { $0.entity.isKindOf(entity: relationship.destinationEntity) }
    return relationship.isToMany ? possible : Array(possible.prefix(1))
  }

  /// The source of a destination object: that of the row the second pass is at, else by look-up.
  final func sourceInstance(of destination: ManagedObject, in plan: EntityMappingProgram)
    -> ManagedObject?
  {
    let table = plan.associations
    if plan.row < table.count, table.isDestination(destination, at: plan.row) {
      return sourceInstance(table.sourceKey(at: plan.row))
    }
    return table.rows(of: destination).first.flatMap { sourceInstance(table.sourceKey(at: $0)) }
  }

  private func runningPlan(for mapping: EntityMapping) throws -> EntityMappingProgram {
    if let plan = run?.plan(for: mapping) { return plan }
    throw CoreDataError.notRunning(mapping)
  }
}

extension ManagedObject {
  /// The objects a relationship leads to, to-one or to-many.
  /// - Parameter inOrder: Whether those of an unordered relationship come in the order of their keys.
  fileprivate func objects(
    of relationship: RelationshipDescription, inOrder: Bool = false
  ) -> [ManagedObject] {
    if relationship.isToMany {
      let ends = destinations(of: relationship)
      guard inOrder, !relationship.isOrdered else { return ends }
      return ends.sorted { $0.objectID.primaryKey < $1.objectID.primaryKey }
    }
    return destination(of: relationship).map { [$0] } ?? []
  }
}
