/// One step under way, or several that come to one plan.
struct StepRun {
  private let chain: MigrationChain
  private let steps: [MigrationStep]
  /// One for each step.
  var reports: [StepReport]
  /// Whether the last step makes the result of the chain, so that it must be durable.
  private let isLast: Bool
  /// Where the step failed.
  private(set) var place = CoreDataError.Place()
  /// What is to be done, where it is known already.
  private var work: StepWork?

  /// - Parameter report: What is known of the step so far.
  init(_ step: MigrationStep, of chain: MigrationChain, isLast: Bool, report: StepReport) {
    self.chain = chain
    self.isLast = isLast
    steps = [step]
    reports = [report]
  }

  /// Chooses mappings, runs them into a new store, and makes that durable. On an error the new
  /// store is gone.
  /// - Throws: ``Persistence/PlanUnsupported`` where several steps can only run one by one; what the step
  ///   fails with.
  mutating func perform(
    from source: PersistentStore, into stores: any StoreFactory
  ) throws -> PersistentStore {
    let start = ContinuousClock.now
    defer { reports[reports.count - 1].seconds += (ContinuousClock.now - start).seconds }
    let work = try work ?? makeWork(from: source)
    var refusals: [String] = []
    defer { reports[reports.count - 1].unsupported += refusals }
    return try firstSupported(Self.executors, refusals: &refusals) {
      try perform($0.init(work), of: work, into: stores)
    }
  }

  mutating func makeWork(from source: PersistentStore) throws -> StepWork {
    let step = steps[0]
    if case .notAllowed = step.way {
      throw CoreDataError.incompatibleStore(source.metadata, with: step.destinationModel)
    }
    let choice: MappingChoice
    do { choice = try step.chooseMapping() } catch {
      if step.infersMapping, step.isAmbiguous { reports[0].stepDoubts.append(.ambiguous) }
      throw error
    }
    reports[0].choice = choice
    // What is in doubt may be the error that the step ends with.
    reports[0].doubts = try step.doubts(about: source, by: choice)
    try step.checkRoots(choice)
    let plans = try choice.mappings.map { candidate in
      do { return try step.plan(of: candidate.model, in: choice, from: source.model) } catch {
        reports[0].runs.append(
          StepReport.Run(name: candidate.name, entityMappings: [], trace: MigrationTrace()))
        throw error
      }
    }
    reports[0].stepDoubts += try step.unfitNumbers(of: plans, in: source)
    return StepWork(chain: chain, step: step, choice: choice, plans: plans, source: source)
  }

  private mutating func perform(
    _ executor: some StepExecutor, of work: StepWork, into stores: any StoreFactory
  ) throws -> PersistentStore {
    let last = reports.count - 1
    let store = try stores.makeStore(
      model: work.step.destinationModel, identifier: work.source.identifier,
      metadata: work.source.appMetadata)
    do {
      try executor.fill(store, report: &reports[last], place: &place)
      let start = ContinuousClock.now
      defer { reports[last].sealSeconds = (ContinuousClock.now - start).seconds }
      return try measure(.sync, by: chain.meter) { try stores.seal(store, isLast: isLast) }
    } catch {
      stores.discard(store)
      throw error
    }
  }
}

extension PersistentStore {
  /// What an app keeps in the store's metadata goes along; what is Core Data's, about model or file, doesn't.
  fileprivate var appMetadata: [String: Any] {
    metadata.filter { key, _ in StoreMetadata.isOwn(key) }
  }
}

extension StepRun {
  /// Notes what of the steps' data is gone, or may be on a device.
  mutating func noteLosses(from source: PersistentStore, to store: PersistentStore) throws {
    guard let step = steps.last, let last = reports.indices.last else { return }
    let (choice, runs) = (reports[last].choice, reports[last].runs)
    for values in try step.unreadableValues(by: choice, runs, from: source, to: store) {
      if values.isMissing {
        runs.last?.trace.warn("\(values)", entityMapping: values.entityMapping)
      } else {
        reports[last].unreadableValues.append(values)
      }
    }
    // Steps that empty an entity, and those of which anything is in doubt, run by themselves.
    if steps.count > 1 { return }
    reports[last].emptied = try step.emptiedEntities(by: choice, runs, from: source, to: store)
    reports[last].doubtfulLinks += try step.doubtfulLinks(by: choice, from: source, to: store)
    reports[last].stepDoubts += try step.unmended(runs, in: store)
    reports[last].stepDoubts += try step.rederived(by: choice, runs, from: source, to: store)
  }
}

// MARK: - Steps as one

// Consecutive lightweight steps as one, where nobody looks at the stores between them.

extension StepRun {
  /// The lightweight steps that `steps` begins with, where two or more come to one plan.
  init?(
    together steps: ArraySlice<MigrationStep>, of chain: MigrationChain,
    from source: PersistentStore
  ) {
    guard !chain.observesEveryStep, !chain.recordsOrigins, chain.lightweightMethod == .inPlace,
      source.isFilledBySQL, steps.count > 1, steps.prefix(2).allSatisfy(\.isPlain),
      // Step by step the error is met again.
      let counts = try? source.rowCounts()
    else { return nil }
    reports = []
    var work: StepWork?
    for step in steps {
      guard let (choice, own) = step.inferredPlan,
        let plan = work.map({ $0.plans[0].followed(by: own) }) ?? own
      else { break }
      work = StepWork(
        chain: chain, step: step, choice: choice, plans: [plan], source: source, isComposed: true)
      reports.append(StepReport(passing: step, choice: choice, plan: plan, counts: counts))
    }
    guard let work, let last = reports.indices.last, last > 0 else { return nil }
    reports[last].isPassedThrough = false
    reports[last].runs = []
    self.chain = chain
    self.work = work
    self.steps = Array(steps.prefix(reports.count))
    isLast = reports.count == steps.count
  }
}

extension MigrationStep {
  /// Whether nothing but ambiguous renamings is in the way of an inferred mapping.
  fileprivate var isAmbiguous: Bool {
    var inference = MappingInference(source: sourceModel, destination: destinationModel)
    inference.examine()
    let problems = inference.problems
    return !problems.isEmpty
      && problems.allSatisfy { $0.advice == CoreDataError.ambiguousAdvice }
  }

  /// What systems say of a hierarchy whose root goes that migrate no such store.
  fileprivate func checkRoots(_ choice: MappingChoice) throws {
    guard migratesRemovedRoots == false, choice.kind == .inferred, !makesObjects else { return }
    let doubts = InferenceDoubt.inferred(from: sourceModel, to: destinationModel)
    if let doubt = doubts.first(where: { $0.kind == .rootRemoved }) {
      throw CoreDataError.removedRoot(doubt)
    }
  }

  /// Whether nothing about the step keeps it from running together with its neighbours.
  fileprivate var isPlain: Bool {
    switch way {
    case .opening, .stepwise: infersMapping && leavingEntities.isEmpty
    case .staged, .manager, .direct, .notAllowed: false
    }
  }

  /// What the step comes to where nothing but an inferred mapping does it; nil also where links are doubtful, so
  /// that those before and after the step are to be counted.
  fileprivate var inferredPlan: (MappingChoice, MigrationPlan)? {
    // A step that has no mapping fails by itself.
    guard isPlain, let choice = try? chooseMapping(), choice.kind == .inferred,
      choice.doubts.isEmpty,
      LinkInference(from: sourceModel, to: destinationModel).suspicions.isEmpty,
      let plan = try? plan(of: choice.mappings[0].model, in: choice, from: sourceModel),
      plan.entities.allSatisfy({ $0.narrowedNumbers.isEmpty && $0.keptDerivations.isEmpty })
    else { return nil }
    return (choice, plan)
  }

  /// The attributes that can't hold the numbers of the source that they are to have.
  fileprivate func unfitNumbers(
    of plans: [MigrationPlan], in source: PersistentStore
  ) throws -> [StepDoubt] {
    try plans.flatMap(\.entities).flatMap { plan -> [StepDoubt] in
      let narrowed = plan.narrowedNumbers.filter { !plan.mayMend($0.new, $0.old) }
      guard let entity = plan.source, !narrowed.isEmpty else { return [] }
      var fitting = narrowed
      let unfit = narrowed.compactMap { $0.old.beyond($0.new) }
      let condition =
        unfit.count == narrowed.count ? CompoundPredicate(orPredicateWithSubpredicates: unfit) : nil
      _ = try source.hasRow(of: entity, matching: condition) { row in
        fitting.removeAll { !row.values[$0.old.slot].fits($0.new, from: $0.old) }
        return fitting.isEmpty
      }
      return narrowed.filter { number in !fitting.contains { $0.new === number.new } }.map {
        .unfitNumber(property: "\(plan.destination?.name ?? "").\($0.new.name)")
      }
    }
  }
}

extension MigrationStep {
  /// The attributes that can't hold the whole numbers which a policy gave them, or rows that a predicate took.
  fileprivate func unmended(
    _ runs: [StepReport.Run], in destination: PersistentStore
  ) throws -> [StepDoubt] {
    try runs.compactMap(\.plan).flatMap(\.entities).flatMap { plan in
      try plan.narrowedNumbers.compactMap { new, old in
        guard plan.mayMend(new, old), let entity = plan.destination,
          try destination.hasRow(
            of: entity, matching: new.beyond(new),
            where: { $0.values[new.slot].isUnfit(for: new) })
        else { return nil }
        return StepDoubt.unfitNumber(property: "\(entity.name).\(new.name)")
      }
    }
  }

  /// The derived attributes that have other values after a lightweight step, such as a count of objects that it dropped.
  fileprivate func rederived(
    by choice: MappingChoice?, _ runs: [StepReport.Run], from source: PersistentStore,
    to destination: PersistentStore
  ) throws -> [StepDoubt] {
    guard choice?.kind == .inferred, !makesObjects else { return [] }
    return try runs.compactMap(\.plan).flatMap(\.entities).flatMap { plan in
      try plan.keptDerivations.compactMap { new, old in
        guard let before = plan.source, let after = plan.destination else { return nil }
        let olds = try source.values(of: old, in: before)
        let isChanged = try destination.hasRow(of: after) { row in
          olds[row.objectID.primaryKey] != row.values[new.slot]
        }
        return isChanged ? .rederived(property: "\(after.name).\(new.name)") : nil
      }
    }
  }
}

extension EntityPlan {
  /// Attributes that are derived as before, which no mapping fills.
  fileprivate var keptDerivations: [(new: AttributeDescription, old: AttributeDescription)] {
    (destination?.attributes ?? []).compactMap { new in
      let old = source?.attributes.first { $0.hasDerivation(of: new) }
      return new.isDerived && new.isStored ? old.map { (new, $0) } : nil
    }
  }

  /// Whether whole numbers may be others than the mapping says, so that only the result shows whether they fit.
  fileprivate func mayMend(_ new: AttributeDescription, _ old: AttributeDescription) -> Bool {
    (policyClassName != nil || condition != nil) && new.attributeType.wholeNumbers != nil
      && old.attributeType.wholeNumbers != nil
  }

  /// Attributes whose numbers may become others.
  fileprivate var narrowedNumbers: [(new: AttributeDescription, old: AttributeDescription)] {
    attributes.compactMap { new, value in
      value.original.flatMap { $0.narrows(to: new) ? (new, $0) : nil }
    }
  }
}

extension PersistentStore {
  /// By primary key, which a lightweight step keeps.
  fileprivate func values(
    of attribute: AttributeDescription, in entity: EntityDescription
  ) throws -> [Int64: Value] {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    var found: [Int64: Value] = [:]
    try enumerateRows(matching: query) { row in
      found[row.objectID.primaryKey] = row.values[attribute.slot]
      return true
    }
    return found
  }

  /// Whether an object of the entity itself, not of one below it, is so. Reads rows up to the first that is.
  /// - Parameter condition: Which rows it can be; nil for all.
  func hasRow(
    of entity: EntityDescription, matching condition: Predicate? = nil,
    where isMeant: (StoreRow) throws -> Bool
  ) throws -> Bool {
    var query = StoreQuery(entity: entity)
    query.predicate = condition
    query.includesSubentities = false
    var isFound = false
    try enumerateRows(matching: query) { row in
      isFound = try isMeant(row)
      return !isFound
    }
    return isFound
  }
}

extension AttributeDescription {
  /// Which rows have a whole number here that the other can't hold; nil where bounds don't tell.
  fileprivate func beyond(_ new: AttributeDescription) -> Predicate? {
    guard attributeType.wholeNumbers != nil, let numbers = new.attributeType.wholeNumbers else {
      return nil
    }
    return CompoundPredicate(orPredicateWithSubpredicates: [
      ComparisonPredicate(name, .lessThan, numbers.lowerBound),
      ComparisonPredicate(name, .greaterThan, numbers.upperBound),
    ])
  }

  /// Whether there are numbers here that the other may not hold, in an element of a composite too.
  fileprivate func narrows(to new: AttributeDescription) -> Bool {
    leaves(becoming: new).contains { old, new in
      switch (old.attributeType, new.attributeType) {
      case (.integer64, .double), (.integer64, .float), (.integer32, .float),
        (.integer64, .integer32), (.integer64, .integer16), (.integer32, .integer16):
        true
      case (.decimal, let type), (.double, let type), (.float, let type): type != old.attributeType
      default: false
      }
    }
  }

  /// The attribute itself, or the elements of a composite, each with what it becomes.
  func leaves(
    becoming new: AttributeDescription
  ) -> [(old: AttributeDescription, new: AttributeDescription)] {
    guard attributeType == .composite else { return [(self, new)] }
    return elements.flatMap { old in new.element(for: old).map(old.leaves) ?? [] }
  }

  /// What an element of the source's composite becomes.
  fileprivate func element(for old: AttributeDescription) -> AttributeDescription? {
    elements.first { $0.renamingIdentifier == old.renamingIdentifier }
  }
}

extension Value {
  fileprivate func fits(_ new: AttributeDescription, from old: AttributeDescription) -> Bool {
    if case .object(let composite as CompositeValue) = self {
      return zip(composite.elements, composite.values).allSatisfy { old, value in
        new.element(for: old).map { value.fits($0, from: old) } ?? true
      }
    }
    return !old.narrows(to: new) || isSameNumber(as: new.attributeType)
  }
}

extension StepReport {
  /// - Parameter counts: Rows of the source that the steps begin with, by entity name.
  fileprivate init(
    passing step: MigrationStep, choice: MappingChoice, plan: MigrationPlan,
    counts: [String: Int]
  ) {
    self.init(of: step)
    self.choice = choice
    isPassedThrough = true
    let made = plan.entities.compactMap { plan in
      plan.source.map { (plan.name, counts[$0.name] ?? 0) }
    }
    runs = [Run(of: choice.mappings[0], plan, counts: made, method: .inPlace)]
  }
}
