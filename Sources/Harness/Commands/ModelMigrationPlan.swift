/// The files an app's migrations are made of.
public struct MigrationFiles: Codable, Sendable {
  /// The `.xcdatamodeld`.
  public var models: URL
  /// `.xcmappingmodel`s and folders of them; those for the same step run in this order.
  public var mappings: [URL] = []
  /// The app's policies in Swift.
  public var policies: [URL] = []
  /// The app's module, by which mapping models name the policies.
  public var module: String?

  public init(models: URL, mappings: [URL] = [], policies: [URL] = [], module: String? = nil) {
    self.models = models
    self.mappings = mappings
    self.policies = policies
    self.module = module
  }
}

/// The way through the versions of an app's model.
public struct ModelMigrationPlan: MigrationPlan {
  /// Which versions a store passes.
  public enum Path: Codable, Sendable {
    /// Every version between its own and the target.
    case stepwise
    /// None: one step, as Core Data does itself when an app opens the store.
    case direct
  }

  let model: VersionedModel
  let target: ManagedObjectModel
  let path: Path
  let mappings: MappingFolder
  let policies: any PolicyProvider

  /// Loads models and mapping models, and compiles the policies.
  /// - Parameter target: The name of the version to end with; nil for the current one.
  /// - Throws: `ModelFileError`, `MappingFileError`, ``Diagnostics`` or ``PolicyCompilationError``
  ///   for what is wrong in the files.
  public init(
    _ files: MigrationFiles, to target: String? = nil, path: Path = .stepwise,
    compiler: PolicyCompiler = PolicyCompiler()
  ) async throws {
    let model = try VersionedModel.load(contentsOf: files.models)
    self.model = model
    self.target = try Self.target(target, in: model)
    self.path = path
    mappings = try MappingFolder(contentsOf: files.mappings, for: model)
    try mappings.checkNamedVersions()
    guard let module = files.module, !files.policies.isEmpty else {
      policies = PolicyRegistry()
      return
    }
    policies = try await compiler.library(of: files.policies, module: module)
  }

  private static func target(
    _ name: String?, in model: VersionedModel
  ) throws -> ManagedObjectModel {
    if let found = name.map(model.version(named:)) ?? model.currentVersion { return found }
    if let problem = model.currentVersionProblem, name == nil { throw problem }
    let names = model.versions.compactMap(\.name)
    let message =
      name.map {
        "there is no version '\($0)'" + Spelling.hint(for: $0, among: names, called: "versions")
      } ?? "the model doesn't say which version is the current one; name one with --to"
    throw Diagnostics([Diagnostic(file: model.url.relativePath, message)])
  }

  public func route(forStoreWith metadata: [String: Any]) throws -> MigrationRoute {
    let part = try part(forStoreWith: metadata)
    let source = try part.versions.model(for: metadata)
    let fitting = part.versions.filter {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
    let steps = try steps(in: part, from: source, forStoreWith: metadata)
    return MigrationRoute(
      versions: fitting.map(\.shownName), configuration: part.configuration,
      source: steps.first?.sourceModel ?? source, target: target.shownName,
      chain: MigrationChain(steps: steps, policies: policies))
  }

  private func steps(
    in part: VersionPart, from source: ManagedObjectModel, forStoreWith metadata: [String: Any]
  ) throws -> [MigrationStep] {
    let passed = path == .stepwise ? part.versions : [source, part.target]
    let candidates = path == .stepwise ? mappings.candidates : mappings.candidatesAsFound
    let steps = try ProgressiveMigrator(versions: passed, mappings: candidates)
      .steps(fromStoreWith: metadata, to: part.target)
    return path == .stepwise ? steps : steps.map(Self.asOpening)
  }

  /// The step with one mapping model only: of several that fit, Core Data takes the first when an
  /// app opens the store.
  private static func asOpening(_ step: MigrationStep) -> MigrationStep {
    var step = step
    let first = step.mappings.first {
      $0.model.fits(source: step.sourceModel, destination: step.destinationModel)
    }
    if let first { step.mappings = [first] }
    return step
  }
}

// MARK: - Configurations

/// What of a model's versions one store holds.
private struct VersionPart {
  /// Nil for all of it.
  var configuration: String?
  /// The versions with only the configuration's entities; those without it are missing.
  var versions: [ManagedObjectModel]
  var target: ManagedObjectModel
}

extension ModelMigrationPlan {
  /// All of the versions, unless it takes a configuration of one of them to fit the store.
  private func part(forStoreWith metadata: [String: Any]) throws -> VersionPart {
    let whole = VersionPart(versions: model.versions, target: target)
    let names = [nil] + Set(model.versions.flatMap(\.configurations.keys)).sorted()
    let fitting = names.first { name in
      model.versions.contains {
        $0.isConfiguration(withName: name, compatibleWithStoreMetadata: metadata)
      }
    }
    guard let name = fitting ?? nil else { return whole }
    // Versions without the configuration are no part of it.
    return VersionPart(
      configuration: name, versions: model.versions.compactMap { try? $0.part(named: name) },
      target: try target.part(named: name))
  }
}
