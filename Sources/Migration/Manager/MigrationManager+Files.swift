// The migration manager under Apple's own signature: stores by URL.

extension MigrationManager {
  /// Migrates the store at one URL into one at another, which is appended to when it exists.
  ///
  /// - Parameters:
  ///   - sourceURL: The store to read; it is left as it is.
  ///   - mappings: What to do; nil is an error.
  ///   - dURL: Where the result goes. A new store is removed again when the migration fails.
  /// - Throws: As ``migrate(from:to:with:)``; `CoreDataError`: `.persistentStoreInvalidType` for
  ///   another type than `SQLite`, `.migrationManagerSourceStore` when there is no source store,
  ///   `.migrationManagerDestinationStore` when both URLs are one file,
  ///   `.migrationMissingMappingModel` without a mapping.
  public final func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: MappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    do {
      try Self.checkType(sStoreType)
      try Self.checkType(dStoreType)
      try migrateStore(from: sourceURL, with: mappings, to: dURL)
    } catch let error as CoreDataError {
      throw error.during(
        from: sourceModel, to: destinationModel, sourceURL: sourceURL, destinationURL: dURL)
    }
  }

  private func migrateStore(from sourceURL: URL, with mappings: MappingModel?, to dURL: URL) throws
  {
    guard let mappings else {
      throw CoreDataError(
        .migrationMissingMappingModel, "Can't find mapping model for migration")
    }
    guard PersistentStoreFiles(sourceURL).exist else {
      throw CoreDataError(
        .migrationManagerSourceStore, "There is no store at the source's URL"
      ).at(file: sourceURL.path)
    }
    guard sourceURL.resolvingSymlinksInPath() != dURL.resolvingSymlinksInPath() else {
      throw CoreDataError(
        .migrationManagerDestinationStore, "The destination is the source itself",
        advice: "Migrate to another URL, then replace the old store."
      ).at(file: dURL.path)
    }
    let source = try SQLiteStore.openReadOnly(at: sourceURL, model: sourceModel)
    // Closing what was only read loses nothing.
    defer { try? source.close() }
    try FaultPlan.witnessing(sourceURL, to: dURL) {
      if !PersistentStoreFiles(dURL).isVacant {
        try migrate(from: source, appendingTo: dURL, with: mappings)
      } else {
        try migrate(from: source, creating: dURL, with: mappings)
      }
    }
  }

  /// Works on a copy, which takes the destination's place in the end: a policy may have saved in
  /// between, and nothing of a migration that fails may stay.
  private func migrate(
    from source: SQLiteStore, appendingTo url: URL, with mappings: MappingModel
  ) throws {
    let copy = try PersistentStoreFiles(url).makeTemporaryNeighbour()
    do {
      try PersistentStoreFiles(url).copy(to: copy)
      let destination = try SQLiteStore.open(at: copy.url, model: destinationModel)
      // A second closing does nothing; after an error the copy is removed.
      defer { try? destination.close() }
      try migrate(from: source, to: destination, with: mappings)
      try destination.close()
      try PersistentStoreFiles(url).replace(by: copy)
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? copy.remove()
      throw error
    }
  }

  private func migrate(
    from source: SQLiteStore, creating url: URL, with mappings: MappingModel
  ) throws {
    if try migrateInPlace(from: source, creating: url, with: mappings) { return }
    try filling(url, like: source) { try migrate(from: source, to: $0, with: mappings) }
  }

  /// Makes a store and keeps it if `body` fills it.
  private func filling(
    _ url: URL, like source: SQLiteStore, _ body: (SQLiteStore) throws -> Void
  ) throws {
    let destination = try SQLiteStore.create(
      at: url, model: destinationModel, identifier: source.identifier)
    do {
      try destination.beginBulk()
      try body(destination)
      try destination.endBulk()
      try destination.close()
    } catch {
      // The first error is the one to tell.
      try? destination.discard()
      throw error
    }
  }

  /// - Returns: Whether the migration could be done inside SQLite.
  private func migrateInPlace(
    from source: SQLiteStore, creating url: URL, with mappings: MappingModel
  ) throws -> Bool {
    guard usesStoreSpecificMigrationManager, type(of: self) == MigrationManager.self,
      mappings.isInferred
    else { return false }
    try checkEarlyCancellation()
    do {
      let plan = try MigrationPlan(
        compiling: mappings, from: source.model, to: destinationModel, checks: .mandatoryValues)
      try filling(url, like: source) { _ = try SQLExecutor.fill($0, from: source, by: plan) }
    } catch is PlanUnsupported { return false }
    run = nil
    tellProgress(1)
    endProgress()
    return true
  }

  private static func checkType(_ type: String) throws {
    if type == "SQLite" { return }
    throw CoreDataError(
      .persistentStoreInvalidType, "The store type '\(type)' is unknown",
      advice: "Stores at URLs are of type SQLite.")
  }
}
