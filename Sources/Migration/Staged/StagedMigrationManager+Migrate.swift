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
    modelsOnTheWay = resources.library.models
    let store = try SQLiteStore.openReadOnly(at: url, model: source)
    // Closing what was only read loses nothing.
    defer { try? store.close() }
    var step = MigrationStep(from: source, to: model)
    step.way = .staged(self)
    step.mappings = resources.library.mappings
    let (result, report) = MigrationChain(steps: [step])
      .run(from: store, into: SQLiteStoreFactory(destination: url))
    self.report = report
    resources.report = report
    try PersistentStoreFiles(url).whenInPlace { try result?.close() }
    if let failure = report.failure { throw failure.error }
  }

  /// The store's model: one that a stage or the library knows, else the one that the store keeps of
  /// itself.
  private func sourceModel(
    of metadata: [String: Any], at url: URL, _ library: MigrationLibrary
  ) throws -> ManagedObjectModel {
    guard metadata["NSStoreModelVersionHashes"] is [String: Data] else {
      throw CoreDataError.noVersionHashes(url)
    }
    let references = stages.compactMap { $0 as? CustomMigrationStage }
      .flatMap { [$0.currentModel, $0.nextModel] }
    // A reference that can't be resolved is met again by its own stage; here it is none of the models.
    let candidates =
      try library.models + references.compactMap { try? $0.resolve() }
      + [SQLiteStore.cachedModel(at: url)].compactMap { $0 }
    return try candidates.model(for: metadata)
  }
}
