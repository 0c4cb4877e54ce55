// The three passes, and the hooks of policies that they call.

extension MigrationManager {
  final func runPasses() throws {
    guard let run else { return }
    try visitEach(.instances, createInstances)
    try visitEach(.relationships, createRelationships)
    for program in run.programs { try ExceptionTrap.catching { try noteMerged(program) } }
    try visitEach(.validation) { program in
      try hook(.performCustomValidation, of: program) {
        try program.policy.performCustomValidation(forMapping: program.mapping, manager: self)
      }
    }
    for program in run.programs { try end(program) }
    run.current = nil
    recorder?.leave()
    try ExceptionTrap.catching { try validateAndSave() }
  }

  /// Calls the last hook of a mapping, and notes what it did, since the save may come before it.
  private func end(_ program: EntityMappingProgram) throws {
    let before = program.usesDefaultPolicy ? nil : EndState(destinationContext)
    func note(_ what: String?) {
      guard let what else { return }
      stepDoubts.append(.end(mapping: program.mapping.name ?? "", what: what))
    }
    do {
      try visit(program) {
        try hook(.end, of: program) { try program.policy.end(program.mapping, manager: self) }
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
      for program in run.programs {
        try visit(program) { try body(program) }
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
  private func visit(_ program: EntityMappingProgram, _ body: () throws -> Void) throws {
    run?.current = program
    run?.object = nil
    let fetchedBefore = fetchedSoFar
    defer { program.fetchedCount += fetchedSoFar - fetchedBefore }
    try ExceptionTrap.catching {
      run?.trap = .innermost
      defer { run?.trap = nil }
      try body()
    }
  }

  /// Calls a hook that a mapping has once.
  private func hook(
    _ kind: MigrationTrace.Event.Kind, of program: EntityMappingProgram, _ body: () throws -> Void
  ) throws {
    run?.object = nil
    try run?.checkStop()
    trace.record(kind, entityMapping: program.mapping.name)
    recorder?.enter(kind, program.mapping)
    try noting(kind, of: program, body)
    if didCallHook != nil { tell(kind, of: program, for: nil) }
    try run?.checkStop()
  }

  private func tell(
    _ kind: MigrationTrace.Event.Kind, of program: EntityMappingProgram, for object: ManagedObject?
  ) {
    didCallHook?(
      HookCall(
        kind: kind, mapping: program.mapping, pass: run?.pass.rawValue ?? "", object: object,
        manager: self))
  }

  /// Calls a hook for one object.
  private func hook(
    _ kind: MigrationTrace.Event.Kind, of program: EntityMappingProgram,
    for object: ManagedObject, _ body: () throws -> Void
  ) throws {
    let run = run
    run?.object = object
    recorder?.enter(kind, program.mapping, object: object)
    try noting(kind, of: program, body)
    if didCallHook != nil { tell(kind, of: program, for: object) }
    try run?.checkStop()
    run?.object = nil
    try run?.destinationContext.spillIfDue()
  }

  private func createInstances(_ program: EntityMappingProgram) throws {
    try hook(.begin, of: program) { try program.policy.begin(program.mapping, with: self) }
    var count = 0
    let isMetered = run?.isMetered == true
    do {
      defer {
        trace.record(.createDestinationInstances, entityMapping: program.mapping.name, count: count)
      }
      try timingReads { mappingSeconds in
        try forEachSource(of: program) { source in
          count += 1
          let start = isMetered ? ContinuousClock.now : nil
          defer { if let start { mappingSeconds += (ContinuousClock.now - start).seconds } }
          try hook(.createDestinationInstances, of: program, for: source) {
            try program.policy.createDestinationInstances(
              forSource: source, in: program.mapping, manager: self)
          }
        }
      }
    }
    if let name = program.plan.wholeEntityName { sourceCounts[name] = count }
    try hook(.endInstanceCreation, of: program) {
      try program.policy.endInstanceCreation(forMapping: program.mapping, manager: self)
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
    of program: EntityMappingProgram, _ body: (ManagedObject) throws -> Void
  ) throws {
    switch program.plan.instances {
    case .none: return
    case .rows(let name, let condition):
      try sourceContext.enumerate(
        FetchRequest(forSourceEntityNamed: name, condition: condition), body)
    case .expression(let expression):
      let value = try expression.value(for: .null, variables: program.variables)
      try program.managedObjects(in: value).forEach(body)
    }
  }

  private func createRelationships(_ program: EntityMappingProgram) throws {
    if program.mayLinkObjects || didCallHook != nil {
      try linkObjects(of: program)
    } else {
      // Calls that do nothing are only counted.
      trace.record(
        .createRelationships, entityMapping: program.mapping.name,
        count: program.associations.aliveDestinationCount)
    }
    try hook(.endRelationshipCreation, of: program) {
      try program.policy.endRelationshipCreation(forMapping: program.mapping, manager: self)
    }
  }

  private func linkObjects(of program: EntityMappingProgram) throws {
    var count = 0
    defer {
      trace.record(.createRelationships, entityMapping: program.mapping.name, count: count)
    }
    var first = 0
    if secondPass == .reversed {
      first = program.associations.count
      for row in (0..<first).reversed() { try linkObject(of: program, at: row, &count) }
    }
    for _ in 0..<(secondPass == .twice ? 2 : 1) {
      var row = first
      // Policies may associate more while it lasts.
      while row < program.associations.count {
        try linkObject(of: program, at: row, &count)
        row += 1
      }
    }
  }

  /// Calls the hook for the object in a row, unless an earlier row has it.
  private func linkObject(
    of program: EntityMappingProgram, at row: Int, _ count: inout Int
  ) throws {
    program.row = row
    guard program.associations.isFirst(row),
      let destination = program.associations.destination(at: row), destination.isAlive
    else { return }
    count += 1
    try hook(.createRelationships, of: program, for: destination) {
      try program.policy.createRelationships(
        forDestination: destination, in: program.mapping, manager: self)
    }
  }
}

// MARK: - Instances

extension MigrationManager {
  /// Inserts one destination object, applies the attribute mappings and associates it.
  final func createDestinationInstance(
    forSource source: ManagedObject, in mapping: EntityMapping, policy: EntityMigrationPolicy
  ) throws {
    let program = try runningProgram(for: mapping)
    guard let entity = program.plan.destination else { return }
    if entity.isAbstract { throw CoreDataError.abstractDestination(entity) }
    let destination = destinationContext.insertNewObject(for: entity)
    for step in program.attributes {
      try apply(step, program: program, source: source, destination: destination)
    }
    if isOfOwnClass {
      associate(sourceInstance: source, withDestinationInstance: destination, for: mapping)
    } else {
      program.associations.associate(source, destination)
    }
  }

  private func apply(
    _ step: PropertyStep<AttributeDescription, ValueSource>, program: EntityMappingProgram,
    source: ManagedObject, destination: ManagedObject
  ) throws {
    let attribute = step.property
    let value: Value
    switch step.source {
    case .copied(let original) where program.reads(source):
      value = source.attributeValue(at: original.slot)
    case .converted(let original) where program.reads(source):
      value = try Value(source.attributeValue(at: original.slot), for: attribute)
    case .fallback(let original, let fallback) where program.reads(source):
      let found = source.attributeValue(at: original.slot)
      value = found.isNull ? fallback : try Value(found, for: attribute)
    case .constant(let constant):
      value = constant
    default:
      let given = try self.value(
        of: step, program: program, source: source, destination: destination)
      try given.forEachLeaf(of: attribute) { given, leaf in
        if given.isPlainNumber(forDecimal: leaf) {
          throw CoreDataError.unacceptable(given, for: leaf)
        }
        if given.isUnfit(for: leaf) {
          note(.unfitNumber(property: "\(destination.entity.name).\(attribute.name)"))
        }
      }
      value = try Value(given, for: attribute)
    }
    destination.setAttributeValue(value, at: attribute.slot)
  }

  /// Applies the relationship mappings to one destination object.
  final func createRelationships(
    forDestination destination: ManagedObject, in mapping: EntityMapping,
    policy: EntityMigrationPolicy
  ) throws {
    let program = try runningProgram(for: mapping)
    if program.relationships.isEmpty { return }
    let source = sourceInstance(of: destination, in: program)
    let steps = program.relationships
    for step in secondPass == .relationshipsReversed ? steps.reversed() : steps {
      try apply(step, program: program, source: source, destination: destination)
    }
  }

  private func apply(
    _ step: PropertyStep<RelationshipDescription, LinkSource>, program: EntityMappingProgram,
    source: ManagedObject?, destination: ManagedObject
  ) throws {
    let value = try links(of: step, program: program, source: source, destination: destination)
    if checks == .everything { try noteCrowd(value, of: step, program, destination) }
    try destination.setTypedValue(value, forKey: step.property.name)
  }

  /// Notes where a mapping gives more links than a relationship, or the other side, can have.
  private func noteCrowd(
    _ value: Value, of step: PropertyStep<RelationshipDescription, LinkSource>,
    _ program: EntityMappingProgram, _ destination: ManagedObject
  ) throws {
    if !step.property.isToMany {
      guard case .collection(let given) = value, given.elements.count > 1,
        Set(given.elements).count > 1
      else { return }
      return note(StepDoubt.severalForOne, of: step.property, program)
    }
    guard step.property.inverseRelationship?.isToMany != true,
      step.source.relationship?.mayShareMembers != false
    else { return }
    for object in try program.managedObjects(in: value) {
      let owner = program.owners[step.property.name, default: [:]]
        .updateValue(destination.objectID, forKey: object.objectID)
      if owner ?? destination.objectID == destination.objectID { continue }
      note(StepDoubt.shared, of: step.property, program)
    }
  }

  /// What a relationship mapping gives for a source object.
  private func links(
    of step: PropertyStep<RelationshipDescription, LinkSource>, program: EntityMappingProgram,
    source: ManagedObject?, destination: ManagedObject
  ) throws -> Value {
    switch (step.source, source) {
    case (.mapped(let relationship, let name), let source?) where program.reads(source):
      let sources = source.objects(of: relationship)
      return .array(destinationInstances(forEntityMappingName: name, sourceInstances: sources))
    case (.related(let relationship), let source?) where program.reads(source):
      let related = destinationInstances(
        of: source.objects(of: relationship, inOrder: !step.property.isToMany),
        under: run?.programs(reachedBy: relationship) ?? [])
      return .array(linkable(related, to: step.property))
    default:
      return try value(of: step, program: program, source: source, destination: destination)
    }
  }

  /// Looks for links that only others of an object's sources had than the first; an app's own expressions are left out.
  private func noteMerged(_ program: EntityMappingProgram) throws {
    let table = program.associations
    guard program.policy.leavesLinkingToCoreData else { return }
    for row in 0..<table.count where !table.isFirst(row) {
      guard let destination = table.destination(at: row), destination.isAlive,
        let source = sourceInstance(table.sourceKey(at: row)), program.reads(source)
      else { continue }
      for step in program.relationships
      where step.mapping.valueExpression.flatMap(GeneratedExpression.init) != nil {
        let value = try links(of: step, program: program, source: source, destination: destination)
        let linked = destination.objects(of: step.property)
        if try program.managedObjects(in: value).allSatisfy(linked.contains) { continue }
        note(StepDoubt.merged, of: step.property, program)
      }
    }
  }

  private func note(
    _ doubt: (String, String) -> StepDoubt, of relationship: RelationshipDescription,
    _ program: EntityMappingProgram
  ) {
    note(doubt("\(relationship.entity.name).\(relationship.name)", program.mapping.name ?? ""))
  }

  final func note(_ doubt: StepDoubt) {
    if !stepDoubts.contains(doubt) { stepDoubts.append(doubt) }
  }

  /// What a property mapping's expression gives. A method it calls can't throw, so it may have
  /// cancelled the migration: at this property, then.
  private func value<Property, Source>(
    of step: PropertyStep<Property, Source>, program: EntityMappingProgram,
    source: ManagedObject?,
    destination: ManagedObject
  ) throws -> Value {
    let value = try program.value(of: step, source: source, destination: destination)
    if run?.cancellation != nil { program.failedProperty = step.property.name }
    return value
  }

  /// The objects that a relationship can lead to. A migration inside the store drops the others, for example when
  /// the destination was narrowed to a subentity, and all but the first of a relationship that becomes to-one; a
  /// mapping model's are an error.
  private func linkable(
    _ objects: [ManagedObject], to relationship: RelationshipDescription
  ) -> [ManagedObject] {
    guard checks == .mandatoryValues else { return objects }
    let possible = objects.filter { $0.entity.isKindOf(entity: relationship.destinationEntity) }
    return relationship.isToMany ? possible : Array(possible.prefix(1))
  }

  /// The source of a destination object: that of the row the second pass is at, else by look-up.
  final func sourceInstance(of destination: ManagedObject, in program: EntityMappingProgram)
    -> ManagedObject?
  {
    let table = program.associations
    if program.row < table.count, table.isDestination(destination, at: program.row) {
      return sourceInstance(table.sourceKey(at: program.row))
    }
    return table.rows(of: destination).first.flatMap { sourceInstance(table.sourceKey(at: $0)) }
  }

  private func runningProgram(for mapping: EntityMapping) throws -> EntityMappingProgram {
    if let program = run?.program(for: mapping) { return program }
    throw CoreDataError.notRunning(mapping)
  }
}

extension RelationshipDescription {
  /// Whether several objects may lead to one by it. Without an inverse, a to-many one's members have one owner.
  fileprivate var mayShareMembers: Bool { inverseRelationship?.isToMany ?? !isToMany }
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
