/// Migrates a store model by model, each time by the first mapping model that leads anywhere: what
/// the widely copied manager of objc.io's Core Data issue does.
///
/// Only mapping models are looked for; nothing is inferred. Each step's result is on disk before the
/// next begins, so a chain that stops leaves the store usable at the version it reached. With a place
/// of its own for the finished store, the old one stays as it is instead.
public final class ProgressiveMigrationManager {
  /// Models and mapping models; the order of the models decides which is next.
  public let library: MigrationLibrary
  public let policies: any PolicyProvider
  public weak var delegate: (any ProgressiveMigrationDelegate)?
  /// Whether a mapping model whose entities were changed after it was made takes the version hashes
  /// of the models it is to run between. Otherwise it is refused.
  public var rebindsStaleMappings = true
  /// What the last migration did, step by step.
  public private(set) var report = ChainReport()

  public init(_ library: MigrationLibrary, policies: any PolicyProvider = PolicyRegistry()) {
    self.library = library
    self.policies = policies
  }

  /// Migrates a store that isn't in use, until it has the model.
  ///
  /// - Returns: Where the finished store is: at `url`, or where the delegate wants it. Nothing is
  ///   done when it is there already and has the model.
  /// - Throws: `CoreDataError` for a store that can't be read or whose model isn't in the library
  ///   (134130), and what a step fails with; `NSError` of the domain `Zarra` with code 8001 when
  ///   there are no models or no mapping model leads on, 8002 when the mapping models lead in a
  ///   circle.
  @discardableResult
  public func migrate(storeAt url: URL, to model: ManagedObjectModel) throws -> URL {
    report = ChainReport()
    let place = delegate?.progressiveMigration(self, finalDestinationForStoreAt: url) ?? url
    if place != url, try Self.isFinished(place, model) { return place }
    let work = place == url ? url : try PersistentStoreFiles(place).makeTemporaryNeighbour().url
    do {
      try takeSteps(from: url, workingAt: work, to: model)
      try publish(work, at: place, source: url)
      return place
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      if work != url { try? PersistentStoreFiles(work).remove() }
      throw error
    }
  }

  private static func isFinished(_ place: URL, _ model: ManagedObjectModel) throws -> Bool {
    guard PersistentStoreFiles(place).exist else { return false }
    let metadata = try SQLiteStore.metadata(at: place)
    return model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
  }

  private func publish(_ work: URL, at place: URL, source: URL) throws {
    if work == place { return }
    let files = PersistentStoreFiles(work)
    // A store that had the model already has been copied nowhere yet.
    if !files.exist { try PersistentStoreFiles(source).copy(to: files) }
    try PersistentStoreFiles(place).replace(by: files)
  }

  // MARK: Steps

  /// Always goes on from what the last step wrote, never from the original.
  private func takeSteps(
    from url: URL, workingAt work: URL, to model: ManagedObjectModel
  ) throws {
    var current = url
    var visited: [ManagedObjectModel] = []
    while true {
      let metadata = try SQLiteStore.metadata(at: current)
      if model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return }
      let step = try nextStep(from: metadata)
      visited.append(step.sourceModel)
      try checkCircle(step, visited)
      delegate?.progressiveMigration(self, willMigrate: step, storeAt: current)
      try run(step, from: current, to: work)
      current = work
      delegate?.progressiveMigration(self, didMigrate: step, storeAt: current)
    }
  }

  private func nextStep(from metadata: [String: Any]) throws -> MigrationStep {
    if library.models.isEmpty { throw NSError.progressive(8001, "No models found!") }
    guard let source = library.model(forStoreMetadata: metadata) else {
      _ = try library.models.model(for: metadata)
      throw CoreDataError(.migrationMissingSourceModel, "Can't find model for source store")
    }
    for target in library.models where target !== source {
      let fitting = library.mappings(forSourceModel: source, destinationModel: target)
      guard let first = fitting.first else { continue }
      var step = MigrationStep(from: source, to: target, mappings: [first])
      step.infersMapping = false
      return try withExplicitMappings(step)
    }
    throw NSError.progressive(
      8001, "No mapping model found in bundle", "No mapping model leads on from '\(source)'.")
  }

  private func withExplicitMappings(_ step: MigrationStep) throws -> MigrationStep {
    guard
      let explicit = delegate?.progressiveMigration(self, mappingModelsFor: step.sourceModel),
      !explicit.isEmpty
    else { return step }
    var step = step
    step.mappings = explicit
    step.isDirect = true
    for candidate in explicit where rebindsStaleMappings {
      let misfits = candidate.model.misfits(
        source: step.sourceModel, destination: step.destinationModel)
      // An entity that isn't there can't be bound to.
      guard misfits.allSatisfy({ $0.reason == .changed }) else { continue }
      candidate.model.rebind(source: step.sourceModel, destination: step.destinationModel)
    }
    return step
  }

  private func checkCircle(_ step: MigrationStep, _ visited: [ManagedObjectModel]) throws {
    guard visited.contains(where: { $0 === step.destinationModel }) else { return }
    throw NSError.progressive(
      8002, "The mapping models lead in a circle",
      "'\(step.destinationModel)' was left already; remove a mapping model that leads back.")
  }

  private func run(_ step: MigrationStep, from url: URL, to work: URL) throws {
    let source = try SQLiteStore.openReadOnly(at: url, model: step.sourceModel)
    // Closing what was only read loses nothing.
    defer { try? source.close() }
    var chain = MigrationChain(steps: [step], policies: policies)
    chain.didProgress = { [weak self] progress in
      guard let self else { return }
      delegate?.progressiveMigration(self, didProgressTo: progress)
    }
    let (store, steps) = chain.run(from: source, into: SQLiteStoreFactory(destination: work))
    report.steps += steps.steps
    report.failure = steps.failure
    try store?.close()
    if let failure = steps.failure { throw failure.error }
  }
}

/// What a progressive migration asks and tells.
public protocol ProgressiveMigrationDelegate: AnyObject {
  /// Where the finished store belongs; nil for the place of the old one.
  func progressiveMigration(
    _ manager: ProgressiveMigrationManager, finalDestinationForStoreAt url: URL
  ) -> URL?

  /// Several mapping models that carry a source model's store over together, into one destination;
  /// nil or none for the one that was found.
  func progressiveMigration(
    _ manager: ProgressiveMigrationManager, mappingModelsFor sourceModel: ManagedObjectModel
  ) -> [MappingCandidate]?

  func progressiveMigration(
    _ manager: ProgressiveMigrationManager, willMigrate step: MigrationStep, storeAt url: URL)

  /// The progress of the step, from 0 to 1; it only grows, and starts again with each mapping model.
  func progressiveMigration(
    _ manager: ProgressiveMigrationManager, didProgressTo progress: Float)

  func progressiveMigration(
    _ manager: ProgressiveMigrationManager, didMigrate step: MigrationStep, storeAt url: URL)
}

extension ProgressiveMigrationDelegate {
  public func progressiveMigration(
    _ manager: ProgressiveMigrationManager, finalDestinationForStoreAt url: URL
  ) -> URL? { nil }
  public func progressiveMigration(
    _ manager: ProgressiveMigrationManager, mappingModelsFor sourceModel: ManagedObjectModel
  ) -> [MappingCandidate]? { nil }
  public func progressiveMigration(
    _ manager: ProgressiveMigrationManager, willMigrate step: MigrationStep, storeAt url: URL
  ) {}
  public func progressiveMigration(
    _ manager: ProgressiveMigrationManager, didProgressTo progress: Float
  ) {}
  public func progressiveMigration(
    _ manager: ProgressiveMigrationManager, didMigrate step: MigrationStep, storeAt url: URL
  ) {}
}

extension NSError {
  /// The errors of the manager that this one is like, under its domain.
  fileprivate static func progressive(
    _ code: Int, _ text: String, _ advice: String? = nil
  ) -> NSError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: text]
    info[NSLocalizedRecoverySuggestionErrorKey] = advice
    return NSError(domain: "Zarra", code: code, userInfo: info)
  }
}
