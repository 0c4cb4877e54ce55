// Starting the app: the chain.

extension ScenarioRun {
  /// Does what an app does at its start: nothing when the store fits the newest model already, else
  /// all steps from the store's version.
  ///
  /// An error of the chain is kept for the expectations.
  func migrate() throws {
    facts.executedSteps = []
    facts.failure = nil
    facts.failedLine = nil
    var published: PersistentStore?
    // What follows reads what the chain leaves, however it ends.
    defer {
      stores.stopReading()
      if let published { stores.didPublish(published) }
    }
    try facts.printed?.begin()
    let metadata = try stores.metadataOfCurrent()
    let final = try scenario.model(finalVersion)
    if final.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return }
    if let failure = missingModel(for: metadata) {
      facts.failure = failure
      return
    }
    let version = version(of: metadata)
    let all = steps(from: version)
    let steps = try all.filter { try !isBetweenEquals($0) }
    // What fits the first step's destination fits its source.
    let source = try stores.openCurrent(
      model: scenario.model(steps.first?.ends.value.source ?? version))
    try checkPassedOver(all, from: version, source)
    // The cache counts the chain's steps, of which none is passed over, and stages make several of one.
    if steps.count < all.count || steps.contains(where: { $0.stages != nil }) { cache = nil }
    let (store, done) = try resume(steps, from: source)
    defer { if store !== source { close(store) } }
    published = try run(steps, of: all, after: done, from: store)
    // What comes later starts from a store that no key stands for.
    cache = nil
  }

  /// Whether a store of a step's source is of its destination, too, so that nothing is migrated.
  private func isBetweenEquals(_ step: ChainStep) throws -> Bool {
    if step.stages != nil { return false }
    let (source, destination) = (step.ends.value.source, step.ends.value.destination)
    return try scenario.model(source).entityVersionHashesByName
      == scenario.model(destination).entityVersionHashesByName
  }

  /// Checks the versions that a store of one of them is of, too.
  private func checkPassedOver(
    _ steps: [ChainStep], from version: String, _ store: PersistentStore
  ) throws {
    var version = version
    while let step = steps.first(where: { $0.ends.value.source == version }),
      try isBetweenEquals(step), step.ends.value.destination != finalVersion
    {
      version = step.ends.value.destination
      try checkWaypoint(version, store, step: nil)
    }
  }

  /// Takes the first steps from the cache, as far as they are there.
  /// - Returns: The store after them, and their number.
  private func resume(
    _ steps: [ChainStep], from source: PersistentStore
  ) throws -> (store: PersistentStore, done: Int) {
    var store = source
    // Keys are those of the steps from the start.
    guard steps.count == scenario.steps(from: start).count else { return (store, 0) }
    while let (file, content) = cache?.take(step: facts.executedSteps.count) {
      let ends = steps[facts.executedSteps.count].ends.value
      let next = try SQLiteStore.openReadOnly(
        at: file, model: scenario.model(ends.destination))
      if store !== source { close(store) }
      store = next
      facts.executedSteps.append(content.report)
      provenance.advance(to: content.current)
      try checkWaypoint(ends.destination, store, step: ends.description)
    }
    return (store, facts.executedSteps.count)
  }

  /// The error for a store that none of the chain's versions fits: it was written with a model that
  /// the app doesn't have (any more).
  private func missingModel(for metadata: [String: Any]) -> ChainFailure? {
    let versions = knownVersions
    if versions.isEmpty { return nil }
    do {
      _ = try versions.map(scenario.model).model(for: metadata)
      return nil
    } catch {
      return ChainFailure(error: error, place: .init())
    }
  }

  /// The store's version: the run's start if it fits, for versions can be equal to Core Data.
  private func version(of metadata: [String: Any]) -> String {
    let fitting = scenario.models.names(fitting: metadata)
    if release.versions.isEmpty { return fitting.contains(start) ? start : fitting.first ?? start }
    return knownVersions.first(where: fitting.contains) ?? start
  }

  /// The versions that the app has.
  private var knownVersions: [String] {
    release.versions.isEmpty
      ? scenario.scenario.chain.flatMap(\.versions) : release.versions.map(\.value)
  }

  /// A later release knows the chain no more, and opens a store as automatic migration does.
  private func steps(from version: String) -> [ChainStep] {
    guard let last = release.versions.last else { return scenario.steps(from: version) }
    let ends = StepEnds(source: version, destination: last.value)
    return [ChainStep(ends: Located(ends, at: last.place))]
  }

  /// - Parameters:
  ///   - all: With those that are passed over.
  ///   - done: How many of the steps are behind the store already.
  /// - Returns: The result, open for reading; nil when a step failed.
  private func run(
    _ steps: [ChainStep], of all: [ChainStep], after done: Int, from source: PersistentStore
  ) throws -> PersistentStore? {
    var chain = MigrationChain(
      steps: try steps.dropFirst(done).map { step in
        var step = try MigrationStep(step, in: scenario, policies)
        step.inferences = inferences
        return step
      },
      policies: policies)
    chain.recordsOrigins = true
    chain.givesNewestFirst = true
    var count = try ManagedObjectContext(readingFrom: source).objectCount()
    var former = source.model
    note(steps.dropFirst(done).first)
    Surroundings.own?.restartChance()
    let (store, report) = chain.run(from: source, into: stores.factory) { step, store in
      let newCount = try ManagedObjectContext(readingFrom: store).objectCount()
      var executed = ExecutedStep(
        step, sourceCount: count, destinationCount: newCount, explains: explainsSteps)
      if !executed.ranPolicies {
        executed.unknowns += expectedOrders(
          from: former, to: store.model, by: step.runs.compactMap(\.plan))
      }
      facts.executedSteps.append(executed)
      (count, former) = (newCount, store.model)
      provenance.advance(step.origins)
      let version = scenario.models.name(of: store.model) ?? finalVersion
      Surroundings.own?.restartChance()
      let isTimeless = Surroundings.own?.hasToldTime != true
      let isDetermined = isTimeless && !facts.executedSteps.contains(where: \.ranPolicies)
      if isDetermined, let file = store.url, let report = facts.executedSteps.last {
        cache?.keep(
          step: facts.executedSteps.count - 1, store: file, report: report, provenance: provenance)
      }
      if version != finalVersion { try checkWaypoint(version, store, step: step.name) }
      try checkPassedOver(all, from: version, store)
      note(steps.first { $0.ends.value.source == version })
    }
    if let failure = report.failure {
      note(provenance.naming(failure), report: report, count: count, after: done)
    }
    result.executedSteps += facts.executedSteps
    return store
  }

  /// Leaves word of what comes next, should this process not survive it.
  private func note(_ step: ChainStep?) {
    guard let step, let log else { return }
    log(PlayLog(step: step.ends.value.description, provenance))
  }

  private func note(
    _ failure: ChainFailure, report: ChainReport, count: Int, after done: Int
  ) {
    facts.failure = failure
    facts.failedLine = ErrorWatch.placeInLastHook()
    // A step that failed didn't reach the observer.
    if facts.executedSteps.count - done < report.steps.count, let step = report.steps.last {
      facts.executedSteps.append(
        ExecutedStep(step, sourceCount: count, destinationCount: nil, explains: explainsSteps))
    }
    if let last = facts.executedSteps.indices.last {
      facts.executedSteps[last].errorText = failure.shortText
    }
  }
}

extension ManagedObjectContext {
  /// All objects of all entities.
  func objectCount() throws -> Int {
    let roots = persistentStoreCoordinator.managedObjectModel.entities.filter {
      $0.superentity == nil
    }
    return try roots.reduce(0) { count, entity in
      let request = FetchRequest<ManagedObject>()
      request.entity = entity
      return try count + self.count(for: request)
    }
  }
}
