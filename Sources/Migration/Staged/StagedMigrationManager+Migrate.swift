// Running a staged migration.

extension StagedMigrationManager {
  /// Migrates a store that isn't in use.
  ///
  /// All stages work on copies beside the store; it is replaced when the last has succeeded.
  /// - Throws: `CoreDataError`: `.stagedMigrationFrameworkVersionMismatch` (134505) for metadata
  ///   without version hashes; as ``StagePlan/actions(from:to:)``; what a step fails with, and
  ///   whatever a handler throws. The store is what it was then, byte for byte.
  func migrate(
    storeAt url: URL, with metadata: [String: Any], to model: ManagedObjectModel,
    resources: MigrationResources
  ) throws {
    let source = try sourceModel(of: metadata, at: url, resources.library)
    var plan = StagePlan(stages)
    if visitsEachVersion { plan.modelsOnTheWay = resources.library.models }
    let actions = try plan.actions(from: source, to: model)
    let run = StagedRun(manager: self, stores: SQLiteStoreFactory(destination: url))
    let store = try SQLiteStore.openReadOnly(at: url, model: source)
    defer { try? store.close() }
    let (result, report) = run.perform(actions, from: store)
    self.report = report
    resources.report = report
    try result?.close()
    if let failure = report.failure { throw failure.error }
  }

  /// The store's model: one that a stage or the library knows, else the one that the store keeps of
  /// itself.
  private func sourceModel(
    of metadata: [String: Any], at url: URL, _ library: MigrationLibrary
  ) throws -> ManagedObjectModel {
    guard metadata["NSStoreModelVersionHashes"] is [String: Data] else {
      throw CoreDataError(
        .stagedMigrationFrameworkVersionMismatch,
        "The store was written by a framework too old for staged migration",
        advice: "Its metadata has no version hashes; migrate it by a mapping model first."
      ).at(file: url.path)
    }
    let references = stages.compactMap { $0 as? CustomMigrationStage }
      .flatMap { [$0.currentModel, $0.nextModel] }
    let candidates =
      try library.models + references.compactMap { try? $0.resolve() }
      + [SQLiteStore.cachedModel(at: url)].compactMap { $0 }
    return try candidates.model(for: metadata)
  }
}

/// One staged migration under way.
struct StagedRun {
  let manager: StagedMigrationManager
  let stores: any StoreFactory

  /// Does what a plan says, each action on a store of its own.
  /// - Returns: The store at its final place; nil after an error, which the report has.
  func perform(
    _ actions: [StagePlan.Action], from source: PersistentStore
  ) -> (store: PersistentStore?, report: ChainReport) {
    var report = ChainReport()
    var current = source
    func advance(_ make: (PersistentStore) throws -> PersistentStore) throws {
      let next = try make(current)
      if next === current { return }
      if current !== source { stores.discard(current) }
      current = next
    }
    do {
      for action in actions {
        switch action {
        case .lightweight(let model): try advance { try step(from: $0, to: model, &report) }
        case .custom(let stage, _, let next):
          try advance { try handle(stage, stage.willMigrateHandler, "willMigrate", $0, &report) }
          try advance { try step(from: $0, to: next, &report) }
          try advance { try handle(stage, stage.didMigrateHandler, "didMigrate", $0, &report) }
        }
      }
      return (current === source ? nil : try stores.publish(current), report)
    } catch {
      if current !== source { stores.discard(current) }
      report.failure = report.failure ?? ChainFailure(error: error, place: .init())
      return (nil, report)
    }
  }

  private func step(
    from source: PersistentStore, to model: ManagedObjectModel, _ report: inout ChainReport
  ) throws -> PersistentStore {
    let chain = MigrationChain(steps: [])
    return try chain.perform(
      MigrationStep(from: source.model, to: model), from: source, into: stores, &report)
  }

  /// Calls a handler with a container on a copy of the store.
  private func handle(
    _ stage: CustomMigrationStage, _ handler: CustomMigrationStage.Handler?, _ name: String,
    _ store: PersistentStore, _ report: inout ChainReport
  ) throws -> PersistentStore {
    guard let handler else { return store }
    let copy = try stores.makeCopy(of: store)
    do {
      let container = PersistentContainer(name: "\(stage)", managedObjectModel: copy.model)
      container.persistentStoreDescriptions = []
      container.persistentStoreCoordinator.add(copy)
      manager.container = container
      defer { manager.container = nil }
      try ExceptionTrap.catching { try handler(manager, stage) }
      return try stores.seal(copy)
    } catch {
      stores.discard(copy)
      var place = CoreDataError.Place()
      place.step = "\(stage)"
      place.pass = name
      report.failure = ChainFailure(error: error, place: place)
      throw error
    }
  }
}
