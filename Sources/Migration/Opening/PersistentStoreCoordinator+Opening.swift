// Opening a store under Apple's own signatures: by the options, it is migrated first.

extension PersistentStoreCoordinator {
  /// Opens a store and puts it to use. A store of another version is migrated before, if the options
  /// say so: by the first mapping model that fits, else by an inferred one.
  ///
  /// - Parameters:
  ///   - type: `SQLite` or `InMemory`.
  ///   - configuration: The part of the model the store holds; nil for all of it.
  ///   - url: The store's file; made when it isn't there. A store in memory only remembers it.
  ///   - options: See ``PersistentStore/Option``. Both migration options are off unless given.
  /// - Throws: `CoreDataError`: `.persistentStoreIncompatibleVersionHash` (134100) for another version
  ///   that may not be migrated, `.migrationMissingSourceModel` (134130),
  ///   `.migrationMissingMappingModel` (134140), what the migration fails with, or what keeps the
  ///   file from being opened. The store is what it was then, byte for byte.
  @discardableResult
  public final func addPersistentStore(
    type: PersistentStore.StoreType, configuration: String? = nil, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> PersistentStore {
    let ignoresVersion = options?.isSet(PersistentStore.Option.ignoresVersioning) == true
    if let url, type == .sqlite, !ignoresVersion, !PersistentStoreFiles(url).isVacant,
      persistentStore(for: url) == nil
    {
      try StoreOpening(
        url: url, model: managedObjectModel, configuration: configuration, options: options ?? [:]
      ).migrateIfNeeded()
    }
    return try openPersistentStore(
      type: type, configuration: configuration, at: url, options: options)
  }

  /// ``addPersistentStore(type:configuration:at:options:)`` in its older spelling.
  @discardableResult
  public final func addPersistentStore(
    ofType type: String, configurationName configuration: String?, at url: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws -> PersistentStore {
    try addPersistentStore(
      type: PersistentStore.StoreType(rawValue: type), configuration: configuration, at: url,
      options: options)
  }
}

/// What happens to an existing SQLite store before it is opened.
struct StoreOpening {
  let url: URL
  let model: ManagedObjectModel
  let configuration: String?
  let options: [AnyHashable: Any]

  func migrateIfNeeded() throws {
    let metadata = try SQLiteStore.metadata(at: url)
    if model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) {
      return
    }
    if stagedMigrationManager != nil {
      guard options.isSet(PersistentStore.Option.migratesAutomatically),
        options.isSet(PersistentStore.Option.infersMapping)
      else { throw CoreDataError.stagedWithoutOptions.at(file: url.path) }
    }
    if !options.isSet(PersistentStore.Option.migratesAutomatically) {
      throw CoreDataError.incompatibleStore(metadata, with: try model.part(named: configuration))
        .at(file: url.path)
    }
    if options.isSet(PersistentStore.Option.readOnly) { throw CoreDataError.readOnly(url) }
    let resources = MigrationResources.named(in: options)
    let destination = try model.part(named: configuration)
    do {
      try FaultPlan.witnessing(url, to: url) {
        if let manager = stagedMigrationManager {
          return try manager.migrate(
            storeAt: url, with: metadata, to: destination, resources: resources)
        }
        try migrate(metadata, resources)
      }
    } catch var error as CoreDataError {
      if error.code == .migrationMissingSourceModel { error.metadata = metadata }
      // Core Data: assumed where the destination is a file for a while: the store's own place.
      throw error.during(to: destination, sourceURL: url, destinationURL: url)
    }
  }

  private var stagedMigrationManager: StagedMigrationManager? {
    options[PersistentStore.Option.stagedMigrationManager] as? StagedMigrationManager
  }

  private func migrate(_ metadata: [String: Any], _ resources: MigrationResources) throws {
    let source = resources.library.model(
      forStoreMetadata: metadata, configuration: configuration)
    if let source, source.isPartlyVersionedMerge { throw CoreDataError.noSource(source) }
    var opening = AutomaticMigration(
      to: try model.part(named: configuration),
      models: try (source.map { [$0] } ?? resources.library.models).map {
        try $0.part(named: configuration)
      },
      mappings: try mappings(resources.library.mappings, from: source))
    opening.infersMappingAutomatically = options.isSet(PersistentStore.Option.infersMapping)
    let decision: AutomaticMigration.Decision
    do { decision = try opening.decision(metadata: metadata) } catch let error as CoreDataError {
      throw error.during(from: source).adding(unreadable: resources.library.unreadable)
    }
    guard case .migrate(let step, let choice) = decision else { return }
    resources.fittingMappings = opening.mappings.filter {
      $0.model.fits(source: step.sourceModel, destination: step.destinationModel)
    }.map(\.name)
    try run(step, keepingBackup: choice.kind == .custom, resources)
  }

  /// A mapping model for whole models, as far as it is about the entities of the configuration.
  private func mappings(
    _ candidates: [MappingCandidate], from source: ManagedObjectModel?
  ) throws -> [MappingCandidate] {
    let part = try StoreConfiguration(model: model, named: configuration)
    guard let source, !part.isWhole else { return candidates }
    let sourcePart = try StoreConfiguration(model: source, named: configuration)
    return candidates.compactMap { candidate in
      var limited = candidate
      limited.model = candidate.model.part(from: sourcePart, to: part)
      // Without any entity mapping it would fit whatever there is.
      return limited.model.entityMappings?.isEmpty == false ? limited : nil
    }
  }

  private func run(
    _ step: MigrationStep, keepingBackup: Bool, _ resources: MigrationResources
  ) throws {
    let source = try SQLiteStore.openReadOnly(at: url, model: step.sourceModel)
    // Closing what was only read loses nothing.
    defer { try? source.close() }
    var stores = SQLiteStoreFactory(destination: url)
    stores.keepsBackup = keepingBackup
    let chain = MigrationChain(steps: [step], policies: resources.policies)
    let (store, report) = chain.run(from: source, into: stores)
    resources.report = report
    try PersistentStoreFiles(url).whenInPlace { try store?.close() }
    guard let failure = report.failure else {
      // Core Data: documented; that it is noted where nothing was put off is assumed.
      if options.isSet(StoreMetadata.deferredMigrationKey), !keepingBackup {
        try PersistentStoreCoordinator.noteDeferredMigration(at: url)
      }
      return
    }
    guard let error = failure.error as? CoreDataError else { throw failure.error }
    throw error.during(from: step.sourceModel, to: step.destinationModel)
  }
}

extension MappingModel {
  /// What of it is about the entities of two configurations.
  func part(from source: StoreConfiguration, to destination: StoreConfiguration) -> MappingModel {
    if source.isWhole && destination.isWhole { return self }
    let (sourceNames, names) = (
      Set(source.entities.map(\.name)), Set(destination.entities.map(\.name))
    )
    return MappingModel(
      entityMappings: (entityMappings ?? []).filter {
        $0.sourceEntityName.map(sourceNames.contains) != false
          && $0.destinationEntityName.map(names.contains) != false
      })
  }
}

extension ManagedObjectModel {
  /// The entities of a configuration as a model of their own; the model itself for the default one.
  /// - Throws: `CoreDataError` `.persistentStoreOpen` when there is no such configuration.
  package func part(named configuration: String?) throws -> ManagedObjectModel {
    let part = try StoreConfiguration(model: self, named: configuration)
    if part.isWhole { return self }
    return try ManagedObjectModel(
      entities: part.entities.map { $0.unattachedCopy() }, name: name,
      versionIdentifiers: versionIdentifiers)
  }
}

extension CoreDataError {
  /// What can't be read may be what is missing.
  fileprivate func adding(unreadable: [String]) -> CoreDataError {
    if unreadable.isEmpty { return self }
    var copy = self
    let files = "These can't be read: \(unreadable.joined(separator: "; "))"
    copy.advice = advice.map { "\($0) \(files)" } ?? files
    return copy
  }
}
